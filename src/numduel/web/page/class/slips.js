// The codes of a class, to print and cut out: a slip of paper for every pupil.

import { byId, make, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { post } from "../common/api.js";
import { drawn } from "../common/scan.js";
import { attempt, outside } from "../common/notify.js";
import { addressed } from "./event.js";
import { classApi, classPath, classText, givenSecret } from "./kept-classes.js";

const code = addressed().toUpperCase();
const secret = givenSecret(code);
const door = outside(`/c/${code}`);

/** @param {Server.PersonalCode} one */
const slip = ({ number, nickname, code: personal, qr }) =>
  make("li", { class: "slip" },
    drawn(qr),
    make("div", {},
      make("p", {}, make("strong", {}, nickname), " ", t("(No.\u00a0{n})", { n: number })),
      make("p", { class: "slip-code" }, `${code} ${personal}`),
      make("p", { class: "soft" }, `${door.host}/join`)));

byId("back").href = classPath(code, secret);
byId("print").addEventListener("click", () => print());
attempt(async () => {
  const slips = await post(`${classApi(code)}/host/slips`, { link: door.href }, secret);
  write(byId("what"), t("Class {name}", { name: classText(code) }));
  byId("slip-list").replaceChildren(...slips.map(slip));
});

// The page of a pupil: they type their code once, and then see what there is to do.

import { byId, set, show, write } from "../common/dom.js";
import { sit } from "../common/key.js";
import { Live } from "../common/live.js";
import { attempt, connection, onSubmit, once } from "../common/notify.js";
import { addressed } from "./event.js";
import { classApi, dayText } from "./kept-classes.js";

const GONE = "There is no such class. It may have been deleted.";
const path = classApi(addressed().toUpperCase());
let entering = false; // another pupil wants to use this browser

/** @param {Server.ClassSnapshot} data */
function render({ own, classroom }) {
  const inside = own !== null && !entering;
  write(byId("title"), `Class ${classroom.code}`);
  write(byId("about"), `until ${dayText(classroom.ends)}`);
  show(byId("entry"), !inside);
  show(byId("inside"), inside);
  if (own) write(byId("me"), `You are ${own.nickname}`);
}

function refuse(sentence) {
  write(byId("wrong-personal"), sentence);
  set(byId("personal"), "aria-invalid", sentence ? "true" : null);
  if (sentence) byId("personal").focus();
}

// Pupils may type the whole code of the slip, or its second half.
const typed = () => byId("personal").value.replace(/[^0-9a-z]/gi, "").slice(-5);

async function enter(personal) {
  try {
    const answer = await sit(`${path}/enter`, { code: personal, cookie: true });
    entering = false;
    byId("personal").value = "";
    render(answer);
    live.again(); // this browser is somebody now
  } catch (error) {
    if (![403, 422, 429].includes(error.status)) throw error;
    refuse(error.message);
  }
}

onSubmit("enter", () => {
  if (!typed()) return refuse("Type the code on your slip of paper.");
  return once(byId("go"), () => enter(typed()));
});
byId("personal").addEventListener("input", () => refuse(""));
byId("other").addEventListener("click", () => {
  entering = true;
  show(byId("entry"), true);
  show(byId("inside"), false);
  byId("personal").focus();
});

const live = new Live(path, render, connection(GONE));
// The code in the address of a slip; it leaves the address at once.
const given = location.hash.slice(1);
if (given) {
  history.replaceState(null, "", location.pathname);
  attempt(() => enter(given));
}

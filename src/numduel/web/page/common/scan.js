// Links as QR codes.

import { byId, draw, make } from "./dom.js";
import { post } from "./api.js";
import { t } from "./language.js";
import { closeButton, openDialog } from "./dialog.js";

// The picture of a code: dark on light, whatever the theme.
/** @param {Server.QrCode} code */
export const drawn = ({ size, path }) =>
  draw(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("QR code") },
    draw("rect", { width: size, height: size, fill: "#fff" }),
    draw("path", { d: path, fill: "#000" }),
  );

export const code = async (link) => drawn(await post("/api/v1/qr", { link }));

// What the page says about a link that only this computer can use; the dialog would hide it.
function warning() {
  const told = byId("unreachable");
  return told?.hidden === false ? make("p", { class: "alert" }, told.textContent ?? "") : null;
}

// A dialog with the code, as large as the screen allows.
export async function scan(title, link) {
  const shown = await code(link);
  const dialog = openDialog("scan", make("h2", { id: "scan-title" }, title),
    [shown, warning(), closeButton(() => dialog)]);
  return dialog;
}

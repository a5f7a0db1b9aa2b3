// Links as QR codes.

import { draw, make } from "./dom.js";
import { post } from "./api.js";
import { closeButton, openDialog } from "./dialog.js";

// The code: dark on light, whatever the theme.
export async function code(link) {
  const { size, path } = await post("/api/qr", { link });
  return draw(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code" },
    draw("rect", { width: size, height: size, fill: "#fff" }),
    draw("path", { d: path, fill: "#000" }),
  );
}

// A dialog with the code, as large as the screen allows.
export async function scan(title, link) {
  const shown = await code(link);
  const dialog = openDialog("scan", make("h2", { id: "scan-title" }, title),
    [shown, closeButton(() => dialog)]);
  return dialog;
}

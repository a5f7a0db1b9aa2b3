// A question in the page with two answers; resolves to true or false. The careful answer comes
// first, and has the focus.

import { focused, make } from "./dom.js";

export function confirm(question, yes, no) {
  return new Promise((resolve) => {
    const back = focused();
    const text = make("p", { id: "question" }, question);
    const answer = (id, label, look) =>
      make("button", { type: "button", id, class: look, onclick: () => dialog.close(id) }, label);
    const dialog = make(
      "dialog",
      { class: "ask", "aria-labelledby": "question" },
      text,
      make(
        "div",
        { class: "row" },
        answer("no", no, "button strong"),
        answer("yes", yes, "button"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      back?.focus();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Dialogs. What had the focus before gets it back, if it is still there.

import { button, focused, make } from "./dom.js";
import { t } from "./language.js";

// title: an element with an id. closed(answer) is called when the dialog closes.
/**
 * @param {(Node | string | null)[]} children
 * @param {(answer: string, back: HTMLElement | null) => void} [closed]
 */
export function openDialog(look, title, children, closed) {
  const back = focused();
  const attributes = { class: `ask ${look}`.trim(), "aria-labelledby": title.id };
  const dialog = make("dialog", attributes, title, ...children);
  dialog.addEventListener("close", () => {
    dialog.remove();
    back?.focus();
    closed?.(dialog.returnValue, back);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {() => HTMLDialogElement | null | undefined} dialog */
export const closeButton = (dialog) =>
  button(t("Close"), () => dialog()?.close(), { class: "button strong wide" });

// Asks a question and resolves to true or false. The safe answer comes first and has the focus.
/**
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export const confirm = (question, yes, no) =>
  new Promise((resolve) => {
    const answer = (id, label, look) =>
      button(label, () => dialog.close(id), { id, class: look });
    const dialog = openDialog("", make("p", { id: "question" }, question), [
      make("div", { class: "row" },
        answer("no", no, "button strong"),
        answer("yes", yes, "button")),
    ], (said) => resolve(said === "yes"));
  });

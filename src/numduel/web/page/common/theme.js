// What must be known before anything is painted: the theme, and whether there is a game to go on
// with. Not a module, because the page waits for it.

{
  const root = document.documentElement;
  const THEMES = ["light", "dark", "contrast"]; // otherwise the system decides

  const recall = (key) => {
    try {
      return JSON.parse(localStorage.getItem(`numduel.${key}`) ?? "null");
    } catch {
      return null; // the browser forbids storage, or someone meddled with it
    }
  };

  const chosen = () => {
    const kept = recall("theme");
    return THEMES.includes(kept) ? kept : "";
  };

  const field = () => /** @type {HTMLSelectElement} */ (document.getElementById("theme"));

  const apply = (theme) => {
    const more = !theme && matchMedia("(prefers-contrast: more)").matches;
    if (theme || more) root.dataset.theme = theme || "contrast";
    else delete root.dataset.theme;
  };

  const keep = (theme) => {
    try {
      localStorage.setItem("numduel.theme", JSON.stringify(theme));
    } catch {
      // Then it is for this page only.
    }
  };

  apply(chosen());
  const { length } = recall("recent") ?? [];
  if (length) root.dataset.left = length > 1 ? "many" : "one";

  addEventListener("DOMContentLoaded", () => {
    const choice = field();
    choice.value = chosen();
    /** @type {HTMLElement} */ (choice.closest("[hidden]")).hidden = false;
    choice.addEventListener("change", () => {
      keep(choice.value);
      apply(choice.value);
    });
  });
  // Another tab has changed the theme.
  addEventListener("storage", ({ key }) => {
    if (key === "numduel.theme") apply((field().value = chosen()));
  });
}

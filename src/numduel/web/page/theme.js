// The colours that this browser was told to use. Not a module: it runs before anything is painted.

{
  const KEY = "numduel.theme";
  const THEMES = ["light", "dark", "contrast"]; // otherwise what the system says
  const root = document.documentElement;

  const apply = (theme) => {
    const more = !theme && matchMedia("(prefers-contrast: more)").matches;
    if (theme || more) root.dataset.theme = theme || "contrast";
    else delete root.dataset.theme;
  };

  const recall = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return THEMES.includes(kept) ? kept : "";
    } catch {
      return ""; // the browser forbids storage, or it has been meddled with
    }
  };

  const keep = (theme) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(theme));
    } catch {
      // Then it is for this page alone.
    }
  };

  apply(recall());
  addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("theme");
    choice.value = recall();
    choice.closest("[hidden]").hidden = false;
    choice.addEventListener("change", () => {
      keep(choice.value);
      apply(choice.value);
    });
  });
  // Another tab has chosen.
  addEventListener("storage", ({ key }) => {
    if (key === KEY) apply((document.getElementById("theme").value = recall()));
  });
}

// What every page does first. Before anything is painted: the theme, and whether there is a game to
// go on with; later the choice of a language. Not a module, because the page waits for it.

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

  // The colour of the browser around the page; without a theme the system's, which the page names.
  const surround = () => {
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
      meta.dataset.usual ??= meta.getAttribute("content") ?? "";
      const { backgroundColor } = getComputedStyle(document.body);
      meta.setAttribute("content", root.dataset.theme ? backgroundColor : meta.dataset.usual);
    }
  };

  const keep = (theme) => {
    try {
      localStorage.setItem("numduel.theme", JSON.stringify(theme));
    } catch {
      // Then it is for this page only.
    }
  };

  // The server has remembered the language that the address asked for: it is for nobody else.
  const here = new URL(location.href);
  if (here.searchParams.has("lang")) {
    here.searchParams.delete("lang");
    history.replaceState(history.state, "", here);
  }

  // The same page in another language, whatever else its address has.
  const translate = (event) => {
    const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
    const there = new URL(location.href);
    there.searchParams.set("lang", link.hreflang);
    link.href = there.href;
  };

  apply(chosen());
  const { length } = recall("recent") ?? [];
  if (length) root.dataset.left = length > 1 ? "many" : "one";

  addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll(".languages a")) {
      link.addEventListener("click", translate);
    }
    const choice = field();
    choice.value = chosen();
    choice.addEventListener("change", () => {
      keep(choice.value);
      apply(choice.value);
      surround();
    });
  });
  addEventListener("load", surround);
  // Another tab has changed the theme.
  addEventListener("storage", ({ key }) => {
    if (key !== "numduel.theme") return;
    apply((field().value = chosen()));
    surround();
  });
}

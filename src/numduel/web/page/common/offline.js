// Stands in for a page that needs the server while it cannot be reached, and goes there as soon as
// it can.

import { byId, make, show } from "./dom.js";

const LOOK = 5000; // milliseconds between two looks for the server

// The pages that were read in this browser, with their titles.
async function* readable() {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const answer = await cache.match(url);
      const { pathname } = new URL(url);
      if (!answer?.headers.get("Content-Type")?.startsWith("text/html")) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (pathname !== "/offline") yield { pathname, title: page.title.replace(/ \| .*/, "") };
    }
  }
}

async function look() {
  const answer = await fetch("/api/v1/health/live", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

addEventListener("online", look);
setInterval(look, LOOK);
for await (const { pathname, title } of readable()) {
  byId("readable").append(make("li", {}, make("a", { href: pathname }, title)));
  show(byId("read"), true);
}

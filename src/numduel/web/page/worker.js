// The service worker. Pages and what they ask for come from the server, and what was read before is
// there without it. The server writes two constants before this: STATIC, where the files of this
// version are, which is also the name of the cache; and SHELL, what is shown where nothing was read:
// a page, and then its files.

const READ = /^\/(?:$|learn$|learn\/|rules\/|strategy\/)/;
const TOLD = /^\/(?:picture\/|api\/(?:rules|lessons|strategy\/[^/]*)$)/;
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  worker.skipWaiting(); // an open page has all that it needs from the version before
  event.waitUntil(caches.open(STATIC).then((cache) => cache.addAll(SHELL)));
});

worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== STATIC).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(STATIC)) event.respondWith(kept(event));
  else if (mode === "navigate") event.respondWith(newest(event, READ.test(pathname), SHELL[0]));
  else if (TOLD.test(pathname)) event.respondWith(newest(event, true));
});

// A file that never changes.
async function kept(event) {
  const cache = await caches.open(STATIC);
  return (await cache.match(event.request)) ?? store(event, cache, await fetch(event.request));
}

// What the server says now; without it what it said last, or something else.
async function newest(event, keeps, otherwise = "") {
  const cache = await caches.open(STATIC);
  try {
    const answer = await fetch(event.request);
    return keeps ? store(event, cache, answer) : answer;
  } catch (error) {
    const found = (await cache.match(event.request)) ?? (await cache.match(otherwise));
    if (found) return found;
    throw error;
  }
}

function store(event, cache, answer) {
  if (answer.ok) event.waitUntil(cache.put(event.request, answer.clone()));
  return answer;
}

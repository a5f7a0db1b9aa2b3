// The service worker. Pages and what they ask for come from the server, and what was read before is
// there without it. The server writes two constants before this: STATIC, where the files of this
// version are, which is also the name of the cache; and SHELL, what is shown where nothing was read:
// a page, and then its files.

const READ = /^\/(?:$|learn$|learn\/|puzzles$|rules\/|strategy\/)/;
const TOLD = /^\/(?:picture\/|api\/v1\/(?:rules|lessons|strategy\/[^/]*)$)/;
const FILES = /(?<=(?:src|href)=")[^"]*/g;
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  worker.skipWaiting(); // an open page has all that it needs from the version before
  event.waitUntil(prepare());
});

worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

// What was read of the version before is read again, and so is what was open before there was a
// worker. The worker before this one serves meanwhile.
async function prepare() {
  const cache = await caches.open(STATIC);
  await cache.addAll(SHELL);
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const urls = windows.map(({ url }) => url);
  for (const name of await caches.keys()) {
    urls.push(...(await (await caches.open(name)).keys()).map(({ url }) => url));
  }
  const paths = new Set(urls.map((url) => new URL(url).pathname));
  const known = [...paths].filter((path) => READ.test(path) || TOLD.test(path));
  await Promise.all(known.map((path) => readAgain(cache, path).catch(() => {}))); // or it is forgotten
}

async function readAgain(cache, path) {
  const answer = await fetch(path);
  if (!answer.ok) return;
  const files = (await answer.clone().text()).match(FILES) ?? [];
  await cache.addAll([...new Set(files)].filter((file) => file.startsWith(STATIC) || TOLD.test(file)));
  await cache.put(path, answer);
}

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
  const { request } = event;
  return (await cache.match(request)) ?? store(event, cache, request, await fetch(request));
}

// What the server says now; without it what it said last, or something else. What follows a path is
// for the scripts of its page: a page is kept once.
async function newest(event, keeps, otherwise = "") {
  const cache = await caches.open(STATIC);
  const { pathname } = new URL(event.request.url);
  try {
    const answer = await fetch(event.request);
    return keeps ? store(event, cache, pathname, answer) : answer;
  } catch (error) {
    const found = (await cache.match(pathname)) ?? (await cache.match(otherwise));
    if (found) return found;
    throw error;
  }
}

function store(event, cache, key, answer) {
  if (answer.ok) event.waitUntil(cache.put(key, answer.clone()));
  return answer;
}

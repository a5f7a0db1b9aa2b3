// The live connection to a game or an event: a WebSocket; after two failures in a row server-sent
// events; then polling; then from the start. Every message is a whole snapshot, so missed ones do
// not matter.

import { get } from "./api.js";

const POLL = 2000;
const SLOWEST = 8000;
const RESTARTING = 1012;
const GONE = 4404;
const WAYS = ["socket", "events", "poll"];
const ALLOWED = [2, 1, 1]; // failures in a row before the next way is tried
const RETURN = 10000; // milliseconds after which a slower way tries a socket again

export class Live {
  /** @type {string} */ path;
  /** @type {(data: any) => void} */ message;
  /** @type {(state: "open" | "lost" | "gone", why?: string) => void} */ state;
  /** @type {boolean} */ presence;

  // path: its address in the API
  constructor(path, message, state) {
    Object.assign(this, { path, message, state });
    this.misses = 0; // in a row, in all ways
    this.failures = 0; // in a row, in this way
    this.way = 0;
    this.stopped = false;
    this.presence = false; // whether it matters that the page is looked at
    this.leaving = false; // the page is being left
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("online", () => this.again(), { signal });
    addEventListener("offline", () => this.lose(SLOWEST), { signal });
    // A phone that wakes up may have a dead connection that the browser does not notice.
    addEventListener("visibilitychange", () => {
      if (!document.hidden) this.again();
      else if (this.presence && !this.leaving) this.connect();
    }, { signal });
    addEventListener("pagehide", () => (this.leaving = true), { signal });
    addEventListener("pageshow", (event) => {
      this.leaving = false;
      if (event.persisted) this.again();
    }, { signal });
    this.connect();
  }

  stop() {
    this.stopped = true;
    this.listening.abort();
    this.drop();
  }

  // Starts over with the best way.
  again() {
    if (this.stopped) return;
    this.failures = 0;
    this.way = 0;
    this.connect();
  }

  connect() {
    this.drop();
    this[WAYS[this.way]]();
  }

  drop() {
    clearTimeout(this.timer);
    clearTimeout(this.upgrade);
    if (this.probe) this.probe.onclose = this.probe.onmessage = null;
    this.probe?.close();
    this.probe = null;
    this.close?.();
    this.close = null;
  }

  receive(data) {
    this.misses = 0;
    this.failures = 0;
    this.state("open");
    this.message(data);
  }

  /** @param {number} delay */
  lose(delay) {
    this.drop();
    if (this.stopped) return;
    this.state("lost");
    this.timer = setTimeout(() => this.connect(), delay);
  }

  fail() {
    this.misses += 1;
    this.failures += 1;
    if (this.failures >= ALLOWED[this.way]) {
      this.way = (this.way + 1) % WAYS.length;
      this.failures = 0;
    }
    // Half of the delay is random, so that not everybody meets a restarted server at once.
    const delay = Math.min(SLOWEST, 250 * 2 ** this.misses);
    this.lose(delay * (0.5 + Math.random() / 2));
  }

  /** @param {string} [why] */
  gone(why) {
    this.stop();
    this.state("gone", why);
  }

  // Says that nobody looks at this page now.
  get query() {
    return this.presence && document.hidden ? "?aside=true" : "";
  }

  /** @returns {WebSocket} */
  open() {
    const address = new URL(`${this.path}/live${this.query}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    try {
      return new WebSocket(address);
    } catch {
      // If the browser forbids sockets, pretend that it closed at once.
      const none = /** @type {any} */ ({ close() {} });
      queueMicrotask(() => none.onclose?.({}));
      return none;
    }
  }

  socket() {
    const socket = this.open();
    let mine = true;
    this.close = () => {
      mine = false;
      // Closing it before it is open would log a failure.
      if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
      else socket.close();
    };
    socket.onmessage = (event) => mine && this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (!mine) return;
      if (event.code === GONE) this.gone(event.reason);
      else if (event.code === RESTARTING) this.lose(300 + Math.random() * 700);
      else this.fail();
    };
  }

  events() {
    const source = new EventSource(`${this.path}/events${this.query}`);
    this.close = () => source.close();
    source.onmessage = (event) => this.receive(JSON.parse(event.data));
    // The browser would retry without backoff.
    source.onerror = () => this.fail();
    this.better();
  }

  poll() {
    this.better();
    let current = true;
    this.close = () => (current = false);
    const ask = async () => {
      try {
        const data = await get(this.path + this.query);
        if (current) this.receive(data);
        if (current) this.timer = setTimeout(ask, POLL);
      } catch (error) {
        if (!current) return;
        if (error.status === 404) this.gone();
        else if (error.status === 410) this.gone(error.message);
        else this.fail();
      }
    };
    ask();
  }

  // Tries a socket beside the working way, and switches over only once it works.
  better() {
    this.upgrade = setTimeout(() => {
      this.probe = this.open();
      this.probe.onmessage = () => this.again();
      this.probe.onclose = () => this.better();
    }, RETURN);
  }
}

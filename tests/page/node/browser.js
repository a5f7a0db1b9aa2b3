// As much of a browser as the page's modules need in Node: elements that can be asked what they
// show, storage, an address, and a server that answers what a test says.

const KEBAB = /[A-Z]/g;
const kebab = (name) => name.replace(KEBAB, (letter) => `-${letter.toLowerCase()}`);

class Text {
  nodeName = "#text";

  constructor(text) {
    this.textContent = String(text);
  }

  remove() {
    this.parentElement?.take(this);
  }
}

// One of ".a", "#a", "[a]", "[a=b]", "a", ":not(…)", or several of them together: "a.b:not([c])".
const PARTS = /:not\([^)]*\)|\.[\w-]+|#[\w-]+|\[[^\]]+\]|[\w-]+/g;
const parsed = new Map();

function matches(element, selector) {
  if (!parsed.has(selector)) parsed.set(selector, selector.match(PARTS));
  return parsed.get(selector).every((part) => {
    if (part.startsWith(":not")) return !matches(element, part.slice(5, -1));
    if (part.startsWith(".")) return element.classList.contains(part.slice(1));
    if (part.startsWith("#")) return element.getAttribute("id") === part.slice(1);
    if (part.startsWith("[")) {
      const [name, value] = part.slice(1, -1).replaceAll('"', "").split("=");
      return value === undefined ? element.hasAttribute(name) : element.getAttribute(name) === value;
    }
    return element.tag === part;
  });
}

export class Element {
  constructor(tag) {
    this.tag = tag;
    this.attributes = new Map();
    this.childNodes = [];
    this.parentElement = null;
    this.heard = new Map();
    this.style = Object.assign(Object.create({ setProperty(name, value) { this[name] = value; } }));
    this.dataset = new Proxy(this, {
      get: (node, name) => node.getAttribute(`data-${kebab(name)}`) ?? undefined,
      has: (node, name) => node.hasAttribute(`data-${kebab(name)}`),
      set: (node, name, value) => {
        node.setAttribute(`data-${kebab(name)}`, value);
        return true;
      },
      deleteProperty: (node, name) => {
        node.removeAttribute(`data-${kebab(name)}`);
        return true;
      },
    });
    const names = () => (this.getAttribute("class") ?? "").split(" ").filter(Boolean);
    this.classList = {
      contains: (name) => names().includes(name),
      add: (...more) => this.setAttribute("class", [...new Set([...names(), ...more])].join(" ")),
      remove: (...less) =>
        this.setAttribute("class", names().filter((name) => !less.includes(name)).join(" ")),
    };
    this.validity = { valid: true };
    this.validationMessage = "";
  }

  // -- attributes -----------------------------------------------------------------------------

  getAttribute(name) { return this.attributes.get(name) ?? null; }
  hasAttribute(name) { return this.attributes.has(name); }
  getAttributeNames() { return [...this.attributes.keys()]; }
  get nodeName() { return this.tag; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  removeAttribute(name) { this.attributes.delete(name); }
  toggleAttribute(name, on) { on ? this.setAttribute(name, "") : this.removeAttribute(name); }
  get hidden() { return this.hasAttribute("hidden"); }
  set hidden(on) { on ? this.setAttribute("hidden", "") : this.removeAttribute("hidden"); }
  get id() { return this.getAttribute("id"); }
  get name() { return this.getAttribute("name") ?? ""; }
  get type() { return this.getAttribute("type"); }
  get ariaDisabled() { return this.getAttribute("aria-disabled"); }
  get checked() { return this.isChecked ?? this.hasAttribute("checked"); }
  set checked(on) { this.isChecked = on; }
  get value() {
    if (this.tag !== "select") return this.typed ?? this.getAttribute("value") ?? "";
    const chosen = this.children.find((option) => option.hasAttribute("selected"));
    return this.typed ?? (chosen ?? this.children[0])?.getAttribute("value") ?? "";
  }
  set value(text) {
    const known = this.tag !== "select" || this.children.some((one) => one.value === String(text));
    this.typed = known ? String(text) : "";
  }
  get selectedOptions() { return this.children.filter((one) => one.value === this.value); }
  setCustomValidity(text) {
    this.validationMessage = text;
    this.validity = { valid: !text, customError: Boolean(text) };
  }

  // -- the tree -------------------------------------------------------------------------------

  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get firstElementChild() { return this.children[0] ?? null; }
  get nextSibling() {
    const all = this.parentElement?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  get isConnected() { return this === document.body || Boolean(this.parentElement?.isConnected); }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [text])); }

  take(node) {
    this.childNodes = this.childNodes.filter((one) => one !== node);
    node.parentElement = null;
  }
  insertBefore(node, place) {
    const child = node instanceof Element || node instanceof Text ? node : new Text(node);
    child.parentElement?.take(child);
    const at = place ? this.childNodes.indexOf(place) : this.childNodes.length;
    this.childNodes.splice(at, 0, child);
    child.parentElement = this;
    return child;
  }
  appendChild(node) { return this.insertBefore(node, null); }
  append(...nodes) { nodes.forEach((node) => this.insertBefore(node, null)); }
  prepend(...nodes) { nodes.reverse().forEach((node) => this.insertBefore(node, this.firstChild)); }
  before(...nodes) { nodes.forEach((node) => this.parentElement?.insertBefore(node, this)); }
  after(...nodes) {
    nodes.reverse().forEach((node) => this.parentElement?.insertBefore(node, this.nextSibling));
  }
  replaceChildren(...nodes) {
    [...this.childNodes].forEach((node) => this.take(node));
    this.append(...nodes);
  }
  remove() { this.parentElement?.take(this); }
  contains(node) {
    for (let at = node; at; at = at.parentElement) if (at === this) return true;
    return false;
  }
  matches(selectors) { return selectors.split(",").some((one) => matches(this, one.trim())); }
  closest(selectors) {
    return this.matches(selectors) ? this : (this.parentElement?.closest(selectors) ?? null);
  }
  querySelectorAll(selectors) {
    return this.children.flatMap((child) =>
      [...(child.matches(selectors) ? [child] : []), ...child.querySelectorAll(selectors)]);
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }

  // -- what happens ---------------------------------------------------------------------------

  addEventListener(name, hear) {
    this.heard.set(name, [...(this.heard.get(name) ?? []), hear]);
  }
  // Tells the element and those around it; the event itself is the answer.
  happen(name, more = {}) {
    const event = {
      type: name, target: this, prevented: false, stopped: false, detail: 1,
      preventDefault() { this.prevented = true; },
      stopPropagation() { this.stopped = true; },
      ...more,
    };
    for (let at = this; at && !event.stopped; at = at.parentElement) {
      event.currentTarget = at;
      for (const hear of at.heard.get(name) ?? []) hear(event);
    }
    return event;
  }
  click() { return this.happen("click"); }
  focus() { document.activeElement = this; }
  blur() { document.activeElement = document.body; }
  showModal() { this.open = true; }
  close(value = "") {
    if (!this.open) return;
    [this.open, this.returnValue] = [false, value];
    this.happen("close");
  }
  checkVisibility() { return !this.closest("[hidden]"); }
  getBoundingClientRect() { return { x: 0, y: 0, top: 0, bottom: 0, width: 0, height: 0 }; }
  get offsetTop() { return this.top ?? 0; }
  get offsetHeight() { return this.height ?? 0; }
  get clientHeight() { return this.height ?? 0; }
  get clientWidth() { return this.width ?? 0; }
  scrollIntoView() {}
  animate() {}
  select() {}
  hidePopover() {}
}

class Storage {
  constructor() { this.kept = new Map(); }
  getItem(key) { return this.kept.get(key) ?? null; }
  setItem(key, value) { this.kept.set(key, String(value)); }
  removeItem(key) { this.kept.delete(key); }
  key(index) { return [...this.kept.keys()][index] ?? null; }
  get length() { return this.kept.size; }
}

// -- the whole ---------------------------------------------------------------------------------

// What a test may look at: where the page went, what it asked the server, who else hears.
export const browser = { went: [], asked: [], answers: [], heard: new Map() };

// The server answers a path, given whole or as a pattern, with a value, or with what a function
// makes of the path and the body. An Error is a server that is not reached.
export const answer = (path, value) => browser.answers.unshift({ path, value });

class Refusal {
  constructor(status, error) {
    Object.assign(this, { status, error });
  }
}
export const refused = (status, error = "No.") => new Refusal(status, error);

async function fetch(path, { method = "GET", body, headers } = {}) {
  const sent = body && JSON.parse(body);
  browser.asked.push({ path, method, body: sent, headers });
  const found = browser.answers.find((one) =>
    one.path instanceof RegExp ? one.path.test(path) : one.path === path);
  const value = found ? found.value : refused(404, "There is no such thing.");
  const data = await (typeof value === "function" ? value(path, sent) : value);
  if (data instanceof Error) throw data;
  if (data instanceof Refusal) return { ok: false, status: data.status, json: async () => data };
  const blob = async () => new Blob([data]);
  return { ok: true, status: 200, blob, json: async () => structuredClone(data) };
}

// Told to the whole window, as "online" is.
export const happen = (name, event = {}) =>
  (browser.heard.get(name) ?? []).forEach((hear) => hear({ key: "", ...event }));

function address(href) {
  const url = new URL(href, "http://numduel.test/");
  const go = (where) => browser.went.push(where);
  return Object.assign(url, { assign: go, replace: go, reload: () => go("again") });
}

// Opens a page at an address, with elements for some ids: {id: tag}; all others are a div each.
export function open(href = "/", tags = {}) {
  const body = new Element("body");
  const root = new Element("html");
  Object.assign(root, { width: 1000, height: 800 });
  root.append(body);
  // The one element that outlives a page here: notify.js makes it once.
  const announcer = globalThis.document?.querySelector("#announcer");
  if (announcer) {
    announcer.textContent = "";
    body.append(announcer);
  }
  const made = new Map();
  const document = {
    body, documentElement: root, activeElement: body, title: "", hidden: false,
    createElement: (tag) => new Element(tag),
    createElementNS: (_, tag) => new Element(tag),
    querySelector: (selectors) => body.querySelector(selectors),
    querySelectorAll: (selectors) => body.querySelectorAll(selectors),
    getElementById(id) {
      const known = made.get(id)?.isConnected ? made.get(id) : body.querySelector(`#${id}`);
      const node = known ?? body.appendChild(made.get(id) ?? new Element(tags[id] ?? "div"));
      node.setAttribute("id", id);
      made.set(id, node);
      return node;
    },
  };
  const listen = (name, hear, options = {}) => {
    browser.heard.set(name, [...(browser.heard.get(name) ?? []), hear]);
    options.signal?.addEventListener("abort", () =>
      browser.heard.set(name, browser.heard.get(name).filter((one) => one !== hear)));
  };
  const calm = { matches: true };
  const globals = {
    document, fetch, location: address(href), navigator: {}, Element,
    window: globalThis, scrollY: 0, innerHeight: 800, innerWidth: 1000,
    localStorage: new Storage(), sessionStorage: new Storage(),
    history: { state: null, replaceState() {}, pushState() {} },
    addEventListener: listen, matchMedia: () => calm,
    getComputedStyle: () => ({ paddingLeft: "0", rowGap: "8", fontSize: "16",
      getPropertyValue: () => "0" }),
    ResizeObserver: class { observe() {} },
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return document;
}

// What an element of the page shows.
export const text = (id) => document.getElementById(id).textContent;
export const seen = (id) => !document.getElementById(id).hidden;

// Lets everything that waits for an answer go on.
export const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

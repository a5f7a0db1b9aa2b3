// Asking for what has changed as often as something happens, but not too often, and again where
// that fails: so that nobody is left with an empty page.

const GONE = [403, 404]; // asking again would not help

export class News {
  /** @type {() => Promise<void>} */ load;
  /** @type {number} */ pause;
  /** @type {number | null} */ wanted;
  /** @type {number | null} */ seen;
  /** @type {ReturnType<typeof setTimeout> | null} */ timer;
  /** @type {number} */ next;

  // load() asks and shows; pause: milliseconds between two questions, at least. Half as long again
  // by chance, so that a class does not ask all at once.
  constructor(load, pause) {
    Object.assign(this, { load, pause, wanted: null, seen: null, timer: null, next: 0 });
  }

  // The number of what has happened last; null where nothing is to be known.
  want(number) {
    this.wanted = number;
    if (this.timer || number === null || number === this.seen) return;
    this.timer = setTimeout(() => this.ask(), Math.max(0, this.next - Date.now()));
  }

  async ask() {
    const number = this.wanted;
    this.next = Date.now() + this.pause * (1 + Math.random() / 2);
    try {
      if (number !== null) await this.load();
      this.seen = number;
    } catch (error) {
      if (GONE.includes(error.status)) this.seen = number;
    }
    this.timer = null;
    this.want(this.wanted);
  }
}

// Asking for what has changed as often as something happens, but not too often, and again where
// that fails: so that nobody is left with an empty page.

const GONE = [403, 404]; // asking again would not help

// load() asks and shows; pause: milliseconds between two questions, at least. Half as long again by
// chance, so that a class does not ask all at once. What is returned takes the number of what has
// happened last; null where nothing is to be known.
export function news(load, pause) {
  let wanted = null;
  let seen = null;
  let timer;
  let next = 0;

  async function ask() {
    const number = wanted;
    next = Date.now() + pause * (1 + Math.random() / 2);
    try {
      if (number !== null) await load();
      seen = number;
    } catch (error) {
      if (GONE.includes(error.status)) seen = number;
    }
    timer = null;
    want(wanted);
  }

  function want(number) {
    wanted = number;
    if (timer || number === null || number === seen) return;
    timer = setTimeout(ask, Math.max(0, next - Date.now()));
  }

  return want;
}

// Loads what has changed after every event, but not too often, and again after a failure.

const GONE = [403, 404, 410]; // asking again would not help

// load() asks and shows; pause: the least number of milliseconds between two loads, up to half as
// much again at random, so that a class does not ask all at once. Returns a function that takes the
// number of the last change, or null if nothing is wanted.
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

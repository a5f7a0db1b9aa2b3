// A row of small bars, one for each share from 0 to 1: how something went over time.

import { draw } from "./dom.js";

const BARS = 100; // units of the picture's height

/** @param {number[]} levels */
export function bars(levels) {
  const box = `0 0 ${Math.max(10, levels.length) * 3} ${BARS}`;
  const tall = (level) => Math.max(2, level * BARS);
  return draw("svg",
    { class: "levels", viewBox: box, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...levels.map((level, index) => draw("rect",
      { x: index * 3, y: BARS - tall(level), width: 2, height: tall(level) })));
}

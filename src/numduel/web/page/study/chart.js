// The value of a game after every move, as a curve. Every point is a button, also for the keyboard.

import { draw } from "../common/dom.js";
import { N_, pgettext, t } from "../common/language.js";

const WIDEST = 760;
const AROUND = 72; // the width of the margins around it
const HEIGHT = 200;
const LEFT = 60; // at least
const LETTER = 8; // the width of a letter of the labels
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 16;

const POINTS = {
  mistake: N_("Move {n}: {move}, a mistake"), inaccuracy: N_("Move {n}: {move}, an inaccuracy"),
};

/** @param {Server.Report} report */
export function chart(report, pick) {
  // Drawn for the actual width: the letters of a scaled picture would be too small.
  const width = Math.min(WIDEST, document.documentElement.clientWidth - AROUND);
  const { levels, labels, plies } = report;
  const left = Math.max(LEFT, 10 + LETTER * Math.max(...labels.map(({ length }) => length)));
  const inner = HEIGHT - TOP - BOTTOM;
  const step = (width - left - RIGHT) / Math.max(1, levels.length - 1);
  /** @returns {[number, number]} */
  const at = (level, index) => [left + index * step, TOP + (1 - level) * inner];
  const picture = draw("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    class: "chart",
    role: "group",
    "aria-label": report.title,
  });
  labels.forEach((label, index) => {
    const y = TOP + (index / (labels.length - 1)) * inner;
    picture.append(
      draw("line", { class: "chart-rule", x1: left, x2: width - RIGHT, y1: y, y2: y }),
      draw("text", { class: "chart-label", x: left - 10, y: y + 4, "text-anchor": "end" }, label),
    );
  });
  const corners = levels.map((level, index) => at(level, index).join(",")).join(" ");
  picture.append(draw("polyline", { class: "chart-line", points: corners }));
  levels.forEach((level, index) => {
    const ply = plies[index - 1];
    const told = POINTS[String(ply?.slip)] ?? N_("Move {n}: {move}");
    const name = ply ? t(told, { n: ply.number, move: ply.label }) : pgettext("of a game", "Start");
    picture.append(point(at(level, index), name, ply, () => pick(index), step));
  });
  return picture;
}

// Seat 1 is a circle, seat 2 a diamond, as on the board; a mistake is larger and hollow.
function point([x, y], name, ply, pressed, step) {
  const size = ply?.mistake ? 8 : 5;
  const shape =
    ply?.seat === 2
      ? draw("path", { d: `M${x} ${y - size - 1}l${size + 1} ${size + 1}l${-size - 1} ${size + 1}
          l${-size - 1} ${-size - 1}z` })
      : draw("circle", { cx: x, cy: y, r: size });
  return draw(
    "g",
    {
      class: "chart-point",
      role: "button",
      tabindex: "0",
      "aria-label": name,
      "data-ply": ply?.number ?? 0,
      "data-seat": ply?.seat,
      "data-mistake": ply?.mistake,
      onclick: pressed,
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pressed();
      },
    },
    draw("title", {}, name),
    // A larger, unseen target for fingers: all that is above and below.
    draw("rect", { class: "chart-reach", x: x - step / 2, y: 0, width: step, height: HEIGHT }),
    shape,
  );
}

// Animations, unless the reader prefers less motion. Nothing waits for them.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" };

export function move(node, ...frames) {
  if (!calm.matches) node.animate(frames, PACE);
}

// Moves a node from where it was (a rectangle) to where it is now.
export function glide(node, from) {
  const to = node.getBoundingClientRect();
  move(node, { translate: `${from.x - to.x}px ${from.y - to.y}px` }, { translate: "0 0" });
}

// Things move only for those who have not asked for less of it; nothing waits for it.

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" };

export function move(node, ...frames) {
  if (!calm.matches) node.animate(frames, PACE);
}

// From where something was (a rectangle) to where the node is now.
export function glide(node, from) {
  const to = node.getBoundingClientRect();
  move(node, { translate: `${from.x - to.x}px ${from.y - to.y}px` }, { translate: "0 0" });
}

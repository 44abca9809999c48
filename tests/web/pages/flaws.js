// What is wrong with a page to look at, in words: anything that leaves the screen sideways,
// text that is cut off or runs out of its box, anything to press smaller than a finger.
(finger) => {
  const PRESSED =
    "a[href], button, select, summary, textarea, input:not([type=hidden], .vh), .vh + label";
  const UNSEEN = ".vh, svg, datalist, option";
  const root = document.documentElement;
  const flaws = [];
  const about = (node, what) => flaws.push(`${what}: ${node.outerHTML.slice(0, 160)}`);
  const shown = (node) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.closest(UNSEEN);
  const overflow = (node) => getComputedStyle(node).overflowX;

  if (root.scrollWidth > root.clientWidth) flaws.push(`sideways: ${root.scrollWidth}`);

  const scrolled = [...document.body.querySelectorAll("*")].filter((node) =>
    ["auto", "scroll"].includes(overflow(node)));
  for (const node of document.body.querySelectorAll("*")) {
    if (!shown(node) || node.offsetWidth <= 1) continue;
    const cuts = ["hidden", "clip"].includes(overflow(node));
    if (cuts && node.scrollWidth > node.clientWidth + 1) about(node, "cut");
    const text = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    const inline = getComputedStyle(node).display === "inline";
    if (!text || inline || scrolled.some((one) => one.contains(node))) continue;
    if (getComputedStyle(node).webkitLineClamp !== "none") continue; // all of it is a press away
    const box = node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter((line) => line.width > 1);
    const spills = ({ left, right, top, bottom }) =>
      right > box.right + 1.5 || left < box.left - 1.5 || (top + bottom) / 2 > box.bottom;
    if (lines.some(spills)) about(node, "spills");
    if (lines.some(({ left, right }) => right > root.clientWidth + 1 || left < -1)) about(node, "off");
  }

  for (const node of document.querySelectorAll(PRESSED)) {
    if (!shown(node) || node.disabled) continue;
    const after = getComputedStyle(node, "::after"); // may spread a link over its whole row
    const spread = after.position === "absolute" && after.content !== "none";
    const pressed = (spread && node.closest("tr, .bar-text")) || node.closest("label") || node;
    const { width, height } = pressed.getBoundingClientRect();
    const inText = node.matches(":is(p, td, li) > a:not([class])");
    if (!inText && Math.min(width, height) < finger - 0.6) about(node, `${width}x${height}`);
  }
  return flaws;
}

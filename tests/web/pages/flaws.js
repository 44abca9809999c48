// What is wrong with a page to look at, in words: anything that leaves the screen sideways,
// text that is cut off, runs out of its box or lies on other text, words that break although
// they would fit, anything to press smaller than a finger.
(finger) => {
  const PRESSED =
    "a[href], button, select, summary, textarea, input:not([type=hidden], .vh), .vh + label";
  const UNSEEN = ".vh, svg, datalist, option, [type=file]"; // a browser draws the last one itself
  const UNREAD = "select, script, style, .address"; // an address may break anywhere
  const FITS = 0.65; // of the width of the screen: a longer word may have to break
  const UNBROKEN = ".btn, .seg"; // no word of these breaks, however long
  const TOUCH = 0.4; // of the height of a line, which has air above and below its letters
  const STUCK = ".foot, thead, .line, .cue"; // these stay in sight while others pass below them
  const root = document.documentElement;
  const flaws = [];
  const about = (node, what) => flaws.push(`${what}: ${node.outerHTML.slice(0, 160)}`);
  const once = (judge, known = new Map()) => (node) => { // each element is judged once: several loops ask
    if (!known.has(node)) known.set(node, judge(node));
    return known.get(node);
  };
  const clipped = once((node) => // for screen readers only
    getComputedStyle(node).clipPath === "inset(50%)" || Boolean(node.parentElement && clipped(node.parentElement)));
  const shown = once((node) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.closest(UNSEEN) && !clipped(node));
  const overflow = (node) => getComputedStyle(node).overflowX;

  const clamped = (node) => // all of the text is a press away
    getComputedStyle(node).webkitLineClamp !== "none" ||
    getComputedStyle(node.parentElement).webkitLineClamp !== "none";

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
    if (clamped(node)) continue;
    const box = node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter((line) => line.width > 1);
    const spills = ({ left, right, top, bottom }) =>
      right > box.right + 1.5 || left < box.left - 1.5 || (top + bottom) / 2 > box.bottom;
    if (lines.some(spills)) about(node, "spills");
    if (lines.some(({ left, right }) => right > root.clientWidth + 1 || left < -1)) about(node, "off");
  }

  const pieces = []; // the lines of text, each with its element
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !shown(node) || node.closest(UNREAD)) continue;
    if (scrolled.some((one) => one.contains(node)) || clamped(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter((box) => box.width > 1);
    for (const box of lines) pieces.push({ node, box });
    if (new Set(lines.map((line) => Math.round(line.top))).size < 2) continue; // no word breaks
    for (const { 0: word, index } of text.data.matchAll(/[^\s\u200b\-\u2010-\u2014/]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const parts = [...range.getClientRects()].filter((part) => part.width > 1);
      const tops = new Set(parts.map((part) => Math.round(part.top)));
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      const fits = node.closest(UNBROKEN) || width < FITS * root.clientWidth;
      if (tops.size > 1 && fits) about(node, `breaks ${word}`);
    }
  }
  pieces.sort((one, other) => one.box.top - other.box.top);
  const stuck = (node) => node.closest(STUCK);
  pieces.forEach(({ node, box }, at) => {
    for (const below of pieces.slice(at + 1)) {
      if (below.box.top > box.bottom - TOUCH) break;
      if (below.node === node || stuck(below.node) !== stuck(node)) continue;
      const across = Math.min(box.right, below.box.right) - Math.max(box.left, below.box.left);
      const down = Math.min(box.bottom, below.box.bottom) - below.box.top;
      if (across > 1 && down > TOUCH * Math.min(box.height, below.box.height)) {
        about(node, `lies on ${below.node.textContent}`);
      }
    }
  });

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

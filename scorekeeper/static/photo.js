// Reads the cards in a photograph; loaded when "Photo" is pressed. The picture is made smaller
// here, sent once, and shown until its cards are taken over; nobody keeps it. The cards are written
// into the field of the form as if they had been tapped, an unsure one with its likeliest reading.
// What is unsure is asked, and each card can be changed with the keys of the pack.

const LONGEST = 1600;
const QUALITY = 0.85;
const RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split(" ");
const HIDDEN = "photographed"; // the class of a form that shows a photograph instead of its fields
const CHOOSING = "choosing";
const CROP = [38, 48];

const home = document.getElementById("photo");
const form = home.closest("form");
const away = home.querySelector(".note-box");
const words = await (await fetch(home.dataset.words)).json();
const rates = JSON.parse(form.dataset.rates ?? "{}");

// The English name of the card of a key: 10H.
function nameOf(key) {
  const suit = key.querySelector("use")?.getAttribute("href").slice(1) ?? "";
  return (RANKS[key.dataset.rank - 1] ?? key.dataset.rank) + suit;
}

const keys = new Map([...form.querySelectorAll("[data-key]")].map((key) => [nameOf(key), key]));
const textOf = (name) => keys.get(name)?.dataset.key ?? name;
const wordsOf = (name) => keys.get(name)?.querySelector(".vh").textContent ?? name;
const priceOf = (name) => rates.cards?.[keys.get(name)?.dataset.rank];
const faceOf = (name) => keys.get(name)?.querySelector(".face").cloneNode(true) ?? name;

let rows = []; // the cards that were read, row by row, and what has become of them
let changing = null; // the card that the next key replaces
let pressed = null; // the input of the button
let field, before; // where the cards go, and what was there before
let running = new AbortController();

// ---- reading ----------------------------------------------------------------------------

export function change(input) {
  const [file] = input.files;
  input.value = ""; // the same file may be chosen again
  pressed = input;
  if (file) read(file);
}

async function read(file) {
  running.abort();
  const { signal } = (running = new AbortController());
  if (!view.isConnected) aim();
  else write(before);
  [rows, changing] = [[], null];
  render();
  try {
    show(words.smaller);
    const picture = await smaller(file);
    if (signal.aborted) return;
    show(words.reading);
    const headers = { "Accept-Language": document.documentElement.lang };
    const asked = fetch(home.dataset.url, { method: "POST", body: picture, headers, signal });
    const answer = await asked.catch(() => Promise.reject(away.textContent.trim()));
    const told = await answer.json();
    if (!answer.ok) return fail(told.detail);
    rows = told.rows.map(({ cards }) => cards.map((card) => ({ ...card, isAsked: card.alternatives.length > 0 })));
    doubt();
    changed();
    title.focus();
  } catch (error) {
    if (!signal.aborted) fail(typeof error === "string" ? error : words.failed);
  }
}

// Asks about the less sure ones of cards that are there twice, if a hand has more than were dealt
// and drawn.
function doubt() {
  const all = rows.flat().sort((one, other) => other.sure - one.sure);
  const twice = all.filter(({ card }, place) => all.findIndex((one) => one.card === card) < place);
  const tooMany = field.dataset.keys === "way" ? all.length - Number(home.dataset.dealt) - 1 : 0;
  for (const card of twice.reverse().slice(0, Math.max(0, tooMany))) card.isAsked = card.isTwice = true;
}

// Draws the picture upright, at most LONGEST wide or high, and returns it as a JPEG.
async function smaller(file) {
  const picture = await createImageBitmap(file).catch(() => Promise.reject(words.kind));
  const factor = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  canvas.width = Math.max(1, Math.round(picture.width * factor));
  canvas.height = Math.max(1, Math.round(picture.height * factor));
  frame.style.width = `min(100%, ${(38 * canvas.width) / canvas.height}vh)`;
  const brush = canvas.getContext("2d");
  brush.fillStyle = "white"; // behind a picture that is transparent
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.imageSmoothingQuality = "high";
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

// ---- the field ----------------------------------------------------------------------------

// Finds the field that the keys write into, for cards with their suits, and opens the view.
function aim() {
  const named = () => form.elements[form.dataset.field];
  if (named().dataset.keys === "way") named().closest("[data-seat]").querySelector("[value=cards]").click();
  field = named();
  before = field.value;
  (form.querySelector(".deck") ?? home).before(home);
  home.append(view);
  form.append(foot);
  form.classList.add(HIDDEN);
}

function write(text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// A meld per line, the only card, or a hand in one line.
function written() {
  const lines = rows.map((row) => row.map(({ card }) => textOf(card)).join(" ")).filter(Boolean);
  if (field.type === "textarea") return [before.trimEnd(), ...lines].filter(Boolean).join("\n");
  if (field.dataset.list === "card" || "one" in field.dataset) return lines.join(" ").split(" ")[0] || before;
  return [before.trim(), ...lines].filter(Boolean).join(" ");
}

function changed() {
  write(written());
  render();
}

function become(card, name) {
  [card.card, card.isAsked, card.isTwice, changing] = [name, false, false, null];
  changed();
}

function drop(card) {
  changing = null;
  rows = rows.map((row) => row.filter((one) => one !== card));
  changed();
  title.focus();
}

function close() {
  running.abort();
  changing = null;
  form.classList.remove(HIDDEN, CHOOSING);
  view.remove();
  foot.remove();
  canvas.width = canvas.height = 1; // lets the picture go
  pressed.focus({ preventScroll: true });
}

// ---- showing --------------------------------------------------------------------------

function make(tag, about = {}, ...children) {
  const node = Object.assign(document.createElement(tag), about);
  node.append(...children);
  return node;
}

const canvas = make("canvas", { role: "img", ariaLabel: words.picture });
const frame = make("div", { className: "frame" }, canvas);
const title = make("h2", { className: "label", tabIndex: -1 });
const bar = make("progress");
const chips = make("div", { className: "read" });
const hint = make("p", { className: "hint", textContent: words.tap });
const tray = make("section", { className: "tray", role: "status" }, title, bar);
const lines = make("ul", { className: "panel" });
const instead = make("p", { className: "hint" });
const view = make("div", { className: "photo-view stack" }, make("figure", {}, frame), tray, chips, hint, lines, instead);
const again = make("button", { className: "btn", type: "button", textContent: words.again, onclick: () => pressed.click() });
const taken = make("button", { className: "btn main", type: "button", onclick: close });
const foot = make("div", { className: "foot photo-foot" }, make("p", { className: "why" }, make("b", { textContent: words.dropped })), make("div", { className: "row" }, again, taken));

const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function show(says) {
  const isRead = rows.flat().length > 0;
  title.textContent = says;
  bar.hidden = isRead || ![words.smaller, words.reading].includes(says);
  for (const part of [chips, hint]) part.hidden = !isRead;
  lines.hidden = !lines.childElementCount;
  taken.textContent = isRead ? words.take : words.close;
  again.disabled = !bar.hidden;
}

function fail(says) {
  rows = [];
  render();
  show(says);
  title.focus();
}

function render() {
  const focused = document.activeElement?.dataset.at;
  const all = rows.flatMap((row, number) => row.map((card, place) => ({ card, place, number })));
  const unsure = all.filter(({ card }) => card.isAsked).length;
  chips.replaceChildren(...rows.filter((row) => row.length).map((row) => make("div", { className: "cards" }, ...row.map(chip))));
  const shown = all.filter(({ card }) => (changing ? card === changing : card.isTwice || card.alternatives.length));
  lines.replaceChildren(...shown.sort((one, other) => Boolean(other.card.isTwice) - Boolean(one.card.isTwice)).map(line));
  hint.textContent = shown.some(({ card }) => card.isTwice) ? fill(words.twice, { n: home.dataset.dealt }) : words.tap;
  frame.querySelectorAll(".ring").forEach((ring) => ring.remove());
  frame.append(...all.filter(({ card }) => card.isAsked || card === changing).map(({ card }) => ring(card)));
  const turns = form.classList.contains(CHOOSING) !== Boolean(changing);
  form.classList.toggle(CHOOSING, Boolean(changing));
  instead.textContent = sumInstead();
  instead.hidden = !instead.textContent;
  show(fill(all.length === 1 ? words.one : words.more, { n: all.length }));
  if (unsure) title.append(", ", make("span", { className: "unsure", textContent: fill(words.check, { n: unsure }) }));
  if (focused) view.querySelector(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  if (turns) (changing ? home.nextElementSibling : chips).scrollIntoView({ block: "nearest" }); // the keys, then the cards again
}

const idOf = (card) => rows.flat().indexOf(card);

function button(at, className, about, ...children) {
  const made = make("button", { type: "button", className, ...about }, ...children);
  made.dataset.at = at;
  return made;
}

function chip(card) {
  const label = fill(card.isAsked ? words.unsure : words.change, { card: wordsOf(card.card) });
  const face = make("span", { className: `card wide${card.isAsked ? " asked" : ""}` }, faceOf(card.card));
  return button(`chip-${idOf(card)}`, "", { ariaLabel: label, ariaPressed: String(card === changing), onclick: () => choose(card) }, face);
}

function choose(card) {
  changing = changing === card ? null : card;
  render();
}

// A card with the piece of the picture that it was read from, and its likeliest readings.
function line({ card, place, number }) {
  const id = idOf(card);
  const picks = [...new Set([...card.alternatives, card.card])].map((name) =>
    button(`pick-${id}-${name}`, "btn pick", { ariaLabel: wordsOf(name), ariaPressed: String(name === card.card), onclick: () => become(card, name) }, faceOf(name)));
  const isOpen = card === changing || card.isTwice;
  const more = button(`other-${id}`, "btn plain", { textContent: isOpen ? words.remove : words.other, onclick: () => (isOpen ? drop(card) : choose(card)) });
  const says = make("p", {}, fill(words.card, { n: place + 1 }), make("small", { textContent: fill(words.row, { n: number + 1 }) }));
  return make("li", { className: "either" }, crop(card), says, ...picks, more);
}

function crop({ box: [left, top, width, height] }) {
  const piece = make("canvas", { width: 2 * CROP[0], height: 2 * CROP[1], ariaHidden: "true" });
  const scale = Math.max((width * canvas.width) / CROP[0], (height * canvas.height) / CROP[1]);
  const [across, down] = CROP.map((side) => side * scale);
  const [x, y] = [(left + width / 2) * canvas.width - across / 2, (top + height / 2) * canvas.height - down / 2];
  piece.getContext("2d").drawImage(canvas, x, y, across, down, 0, 0, piece.width, piece.height);
  return piece;
}

function ring({ box: [left, top, width, height] }) {
  const made = make("i", { className: "ring" });
  for (const [side, share] of Object.entries({ left, top, width, height })) made.style[side] = `${100 * share}%`;
  return made;
}

// What the sum would be with the other reading of the first unsure card.
function sumInstead() {
  if (field.dataset.keys !== "way" || !rates.cards || rates.arranged) return "";
  const byText = new Map([...keys.keys()].map((name) => [textOf(name).toLowerCase(), name]));
  const prices = field.value.split(/\s+/).filter(Boolean).map((text) => priceOf(byText.get(text.toLowerCase())));
  const card = rows.flat().find((one) => one.isAsked && priceOf(one.alternatives[1]) !== priceOf(one.card));
  if (!card || prices.includes(undefined)) return "";
  const points = prices.reduce((sum, one) => sum + one, 0) + priceOf(card.alternatives[1]) - priceOf(card.card);
  return fill(words.instead, { card: wordsOf(card.card), other: wordsOf(card.alternatives[1]), points });
}

// ---- pressing -------------------------------------------------------------------------

// While a card is being changed, the keys replace it instead of adding another one.
form.addEventListener("click", (event) => {
  const key = changing && event.target.closest("[data-key], [data-tool]");
  if (!key) return;
  event.stopPropagation();
  if (key.dataset.tool) return key.dataset.tool === "back" && drop(changing);
  const at = idOf(changing);
  become(changing, nameOf(key));
  view.querySelector(`[data-at="chip-${at}"]`)?.focus({ preventScroll: true });
}, true);

// Letters typed meanwhile go nowhere, since the field is not shown.
document.addEventListener("keydown", (event) => {
  if (!view.isConnected) return;
  event.stopPropagation();
  if (event.key === "Escape" && changing) choose(changing);
}, true);

document.head.append(make("link", { rel: "stylesheet", href: words.style }));

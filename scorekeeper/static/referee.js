// The keyboard of an entry for the referee: the whole pack as keys. A key writes a card into the
// field in use, which shows its cards drawn; pressing one takes it out again. The text stays
// underneath, for a keyboard and for browsers without scripts. The server judges it (live.js).
//
//   data-cards  a field for cards; a textarea takes one meld per line
//   data-one    it takes a single card
//   data-label  what the button of a drawn card says
//
// turn.js sends the event "aim" to choose the field, and receives "pressed" after every key.

const form = document.querySelector("form[data-pack]");
const keyboard = document.getElementById("keyboard");
const deck = keyboard.querySelector(".deck");
const keys = [...deck.querySelectorAll("[data-key]")];
const fields = [...form.querySelectorAll("[data-cards]")];
const trays = new Map();
let field = null; // the keys write into it
let from = null; // a run is being entered: true, then the key of its first card

const lines = (one = field) => one.value.split("\n");
const cardsIn = (text) => text.split(/[\s,;]+/).filter(Boolean);
const isLines = () => field.type === "textarea";
const SIGNS = { "#C": "♣", "#S": "♠", "#H": "♥", "#D": "♦" }; // cards may be typed with these too
const signed = (key) => key.querySelector(".face").textContent.trim() + SIGNS[key.querySelector("use")?.getAttribute("href")];
const faces = new Map(keys.flatMap((key) => [key.dataset.key, signed(key)].map((name) => [name.toUpperCase(), key])));
const keyOf = (card) => faces.get(card.split("=")[0].toUpperCase());

function write(text, one = field) {
  one.value = text;
  one.dispatchEvent(new Event("input", { bubbles: true }));
}

const writeLine = (cards) => write([...lines().slice(0, -1), cards.join(" ")].join("\n"));

function press(key) {
  const run = from?.dataset ? between(from, key) : [key];
  if (from) from = from === true ? key : null;
  const before = "one" in field.dataset ? [] : cardsIn(lines().at(-1));
  writeLine([...before, ...run.map((one) => one.dataset.key)]);
  form.dispatchEvent(new CustomEvent("pressed", { detail: field }));
}

// The cards after the first up to the last; 9 to 5 means 5 to 9 where runs end at the ace.
function between(first, last) {
  const suit = [...first.parentElement.querySelectorAll("[data-key]")].slice(0, 13);
  const [low, high] = [suit.indexOf(first), suit.indexOf(last)];
  if (high < 0 || low < 0 || low === high) return [last];
  if (low < high) return suit.slice(low + 1, high + 1);
  if (high === 0 || limits().corner) return [...suit.slice(low + 1), ...suit.slice(0, high + 1)];
  return suit.slice(high, low);
}

const TOOLS = {
  back() {
    from = null;
    const cards = cardsIn(lines().at(-1));
    if (cards.length) writeLine(cards.slice(0, -1));
    else write(lines().slice(0, -1).join("\n"));
  },
  run() {
    from = from ? null : true;
    mark();
  },
  meld() {
    from = null;
    if (lines().at(-1).trim()) write(`${field.value}\n`);
  },
};

// ---- showing ----------------------------------------------------------------------------

// The packs of the table; on another table's rules the server replaces them.
const limits = () => document.getElementById("limits").dataset;

function aim(one) {
  field = one;
  from = null;
  form.dataset.field = one?.name ?? "";
  for (const [of, tray] of trays) tray.classList.toggle("aimed", of === one);
  mark();
}

// Where all fields are on one page, the keys go to the one in use.
function follow(one) {
  if (one === field) return;
  trays.get(one).after(keyboard);
  if (field) one.closest("label").scrollIntoView();
  aim(one);
}

// Marks the cards in this field, and disables the keys of cards that are used up.
function mark() {
  const { packs, jokers } = limits();
  const held = field ? cardsIn(field.value).map(keyOf) : [];
  for (const key of keys) {
    const count = held.filter((one) => one === key).length;
    key.classList.toggle("held", count > 0);
    key.disabled = !field || (!("one" in field.dataset) && count >= Number(key.dataset.rank === "JK" ? jokers : packs));
  }
  const [run, meld] = ["run", "meld"].map((tool) => deck.querySelector(`[data-tool=${tool}]`));
  run.ariaPressed = String(Boolean(from));
  run.disabled = !field || "one" in field.dataset;
  meld.disabled = !field || !isLines();
}

function draw(one) {
  const rows = lines(one).map((line, row) => {
    const made = document.createElement("span");
    made.append(...cardsIn(line).map((card, place) => chip(one, card, row, place)));
    return made;
  });
  rows.at(-1).append(document.createElement("i")); // the next card goes there
  trays.get(one).replaceChildren(...rows);
}

function chip(one, card, row, place) {
  const [face, as] = card.toUpperCase().split("=").map((name) => faces.get(name));
  const [button, drawn] = ["button", "span"].map((tag) => document.createElement(tag));
  drawn.className = "card wide";
  drawn.append(...(face ? [face, as].filter(Boolean).map((key) => key.querySelector(".face").cloneNode(true)) : [card]));
  const words = face?.querySelector(".vh").textContent ?? card;
  Object.assign(button, { type: "button", ariaLabel: one.dataset.label.replace("{card}", words) });
  button.append(drawn);
  button.addEventListener("click", () => {
    const left = lines(one).map((line, at) => (at === row ? cardsIn(line).filter((_, other) => other !== place).join(" ") : line));
    write(left.join("\n"), one);
    one.focus({ preventScroll: true });
  });
  return button;
}

// ---- pressing ---------------------------------------------------------------------------

deck.addEventListener("click", ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed || pressed.disabled) return;
  if (pressed.dataset.key) press(pressed);
  else TOOLS[pressed.dataset.tool]();
});
form.addEventListener("focusin", ({ target }) => trays.has(target) && (form.elements.cards ? follow : aim)(target));
form.addEventListener("aim", ({ detail }) => aim(detail));
form.addEventListener("input", ({ target }) => {
  if (trays.has(target)) draw(target);
  mark();
});
form.addEventListener("judged", mark);

for (const one of fields) {
  const tray = document.createElement("div");
  tray.className = "chips drawn";
  tray.addEventListener("click", ({ target }) => target.closest("button") || one.focus());
  one.closest("label").after(tray);
  one.inputMode = "none"; // the keys replace the phone's keyboard
  one.classList.add("vh");
  trays.set(one, tray);
  draw(one);
}
for (const button of form.querySelectorAll("[data-check]")) button.hidden = true; // every press is judged
if (form.elements.cards) {
  keyboard.hidden = false;
  follow(form.elements.cards);
}

// WebKit empties the fields of a page that is opened again by the way back.
addEventListener("pageshow", ({ persisted }) => {
  const cards = fields.map(({ value }) => value);
  if (persisted) setTimeout(() => fields.forEach((one, place) => write(cards[place], one)));
});

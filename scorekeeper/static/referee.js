// Offers the whole pack as keys for the fields of the referee. A key writes a card into the field
// used last. The server says what the cards are and what they are worth (live.js).

const form = document.querySelector("form[data-pack]");
const deck = document.getElementById("deck");
const keys = [...deck.querySelectorAll("[data-key]")];
let field = form.elements.cards;

const lines = () => field.value.split("\n");
const cardsIn = (text) => text.split(/[\s,]+/).filter(Boolean);

function write(text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function writeLine(cards) {
  write([...lines().slice(0, -1), cards.join(" ")].join("\n"));
}

const TOOLS = {
  back() {
    const cards = cardsIn(lines().at(-1));
    if (cards.length) writeLine(cards.slice(0, -1));
    else write(lines().slice(0, -1).join("\n"));
  },
  meld() {
    if (lines().at(-1).trim()) write(`${field.value}\n`);
  },
};

// Marks the cards in this field, and disables the keys of cards that are used up.
function mark() {
  form.dataset.field = field.name;
  const { packs, jokers } = document.getElementById("limits").dataset;
  const held = cardsIn(field.value).map((card) => card.split("=")[0].toUpperCase());
  for (const key of keys) {
    const name = key.dataset.key.toUpperCase();
    const count = held.filter((card) => card === name).length;
    key.classList.toggle("held", count > 0);
    key.disabled = count >= Number(name === "JK" ? jokers : packs);
  }
  deck.querySelector("[data-tool=meld]").hidden = field.type !== "textarea";
}

deck.addEventListener("click", ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed || pressed.disabled) return;
  const { key, tool } = pressed.dataset;
  if (key) writeLine([...cardsIn(lines().at(-1)), key]);
  else TOOLS[tool]();
});

form.addEventListener("focusin", ({ target }) => {
  if (!target.matches("[data-keys]")) return;
  field = target;
  mark();
});
for (const event of ["input", "judged"]) form.addEventListener(event, mark);

deck.hidden = false;
form.querySelector(".foot button").hidden = true; // every press is judged
mark();

// Asks about a turn step by step: cards are pressed, first the suit, then the rank, and an answered
// question gives way to the next one. The server judges the answers (live.js).

const form = document.querySelector("form.turn");
const picker = document.getElementById("picker");
const keys = [...picker.querySelectorAll("[data-key]")];
let target = null;

const steps = () => [...form.querySelectorAll("details[name=step]")];
const isShown = (field) => field.getClientRects().length > 0;
const cardsIn = (text) => text.split(/[\s,]+/).filter(Boolean);

function write(text) {
  target.value = text;
  target.dispatchEvent(new Event("input", { bubbles: true }));
}

function aim(field) {
  target?.classList.remove("aimed");
  target = field;
  target?.classList.add("aimed");
  form.dataset.field = target?.name ?? "";
  picker.querySelector("[data-tool=meld]").hidden = target?.type !== "textarea";
  mark();
}

// Marks the cards of the field in use.
function mark() {
  const held = target ? cardsIn(target.value).map((card) => card.split("=")[0].toUpperCase()) : [];
  for (const key of keys) key.classList.toggle("held", held.includes(key.dataset.key.toUpperCase()));
}

// Moves the keys to the open question if it asks for cards.
function settle() {
  const open = steps().find((step) => step.open);
  const fields = open ? [...open.querySelectorAll("[data-cards]")].filter(isShown) : [];
  picker.hidden = !fields.length;
  if (fields.length) open.querySelector(".slot").append(picker);
  picker.classList.toggle("bare", fields.length === 1 && "one" in fields[0].dataset);
  if (!fields.includes(target)) aim(fields.find((field) => !field.value.trim()) ?? fields.at(-1) ?? null);
}

function goOn() {
  const all = steps();
  const next = all.slice(all.findIndex((step) => step.open) + 1).find(isUnanswered);
  for (const step of all) step.open = step === next;
  next?.querySelector("summary").focus({ preventScroll: true });
}

const isUnanswered = (step) => !step.querySelector(".a").childElementCount && !step.querySelector(".a").textContent.trim();

// One card fills the field; then its meld is asked for, or the next question opens.
function filled() {
  const row = target.closest(".move");
  const onto = row?.querySelector("[data-cards]:not([data-one])");
  if (onto) aim(onto);
  else goOn();
}

// A discard completes its question, unless only the players know which of two cards it was.
function askOfTwins() {
  const asked = document.querySelector("#twins .seg:not(:has(:checked))");
  const step = asked?.closest("details");
  if (!step || step.open) return;
  step.open = true;
  settle();
  asked.scrollIntoView({ block: "center" });
}

const TOOLS = {
  back() {
    const before = target.value.trimEnd().split("\n");
    const cards = cardsIn(before.at(-1));
    write([...before.slice(0, -1), cards.slice(0, -1).join(" ")].join("\n"));
  },
  meld() {
    if (target.value.split("\n").at(-1).trim()) write(`${target.value}\n`);
  },
  next: goOn,
};

picker.addEventListener("click", ({ target: pressed }) => {
  const { key, tool } = pressed.closest("button")?.dataset ?? {};
  if (key && "one" in target.dataset) {
    write(key);
    filled();
  } else if (key) {
    const before = target.value.split("\n");
    write([...before.slice(0, -1), [...cardsIn(before.at(-1)), key].join(" ")].join("\n"));
  } else if (tool) {
    TOOLS[tool]();
  }
  mark();
});

form.addEventListener("toggle", settle, true);
form.addEventListener("focusin", ({ target: field }) => {
  if (field.matches("[data-cards]")) aim(field);
});
form.addEventListener("change", ({ target: field }) => {
  if (field.name === "pick_suit") return;
  if (field.name === "preset") location.assign(`?ask=turn&preset=${encodeURIComponent(field.value)}`);
  settle();
  if ("done" in field.dataset && (field.type !== "checkbox" || field.checked)) goOn();
});
form.addEventListener("judged", () => {
  for (const button of form.querySelectorAll("[data-check]")) button.hidden = true;
  settle();
  askOfTwins();
});

// The keys replace a field for one card; with a keyboard, Tab still reaches it.
for (const label of form.querySelectorAll(".held-cards.alone")) {
  const field = label.querySelector(".field");
  const hide = (on) => [label, field].forEach((part) => part.classList.toggle("vh", on));
  field.addEventListener("focus", () => hide(false));
  field.addEventListener("blur", () => hide(true));
  hide(true);
}
for (const field of form.querySelectorAll("[data-cards]")) field.inputMode = "none"; // the keys replace the phone's keyboard
for (const button of form.querySelectorAll("[data-check]")) button.hidden = true; // every press is judged
settle();

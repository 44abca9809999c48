// Asks about a turn step by step: an answered question gives way to the next one. The cards are
// pressed on the keys of the referee (referee.js), and the server judges the answers (live.js).

const form = document.querySelector("form.turn");
const keyboard = document.getElementById("keyboard");

const steps = () => [...form.querySelectorAll("details[name=step]")];
const isShown = (field) => field.getClientRects().length > 0;
const aim = (field) => form.dispatchEvent(new CustomEvent("aim", { detail: field }));

// Moves the keys to the open question if it asks for cards.
function settle() {
  const open = steps().find((step) => step.open);
  const fields = open ? [...open.querySelectorAll("[data-cards]")].filter(isShown) : [];
  keyboard.hidden = !fields.length;
  if (fields.length) open.querySelector(".slot").append(keyboard);
  keyboard.classList.toggle("bare", fields.length === 1 && "one" in fields[0].dataset);
  if (fields.some(({ name }) => name === form.dataset.field)) return;
  aim(fields.find((field) => !field.value.trim()) ?? fields.at(-1) ?? null);
}

function goOn() {
  const all = steps();
  const next = all.slice(all.findIndex((step) => step.open) + 1).find(isUnanswered);
  for (const step of all) step.open = step === next;
  next?.querySelector("summary").focus({ preventScroll: true });
}

const isUnanswered = (step) => !step.querySelector(".a").childElementCount && !step.querySelector(".a").textContent.trim();

// A discard completes its question, unless only the players know which of two cards it was.
function askOfTwins() {
  const asked = document.querySelector("#twins .seg:not(:has(:checked))");
  const step = asked?.closest("details");
  if (!step || step.open) return;
  step.open = true;
  settle();
  asked.scrollIntoView({ block: "center" });
}

// One card fills its field; then its meld is asked for, or the next question opens.
form.addEventListener("pressed", ({ detail: field }) => {
  if (!("one" in field.dataset)) return;
  const onto = field.closest(".move")?.querySelector("[data-cards]:not([data-one])");
  if (onto) aim(onto);
  else goOn();
});
keyboard.querySelector("[data-next]").addEventListener("click", goOn);
form.addEventListener("toggle", settle, true);
form.addEventListener("change", ({ target: field }) => {
  if (field.name === "preset") location.assign(`?ask=turn&preset=${encodeURIComponent(field.value)}`);
  settle();
  if ("done" in field.dataset && (field.type !== "checkbox" || field.checked)) goOn();
});
form.addEventListener("judged", () => {
  for (const button of form.querySelectorAll("[data-check]")) button.hidden = true;
  settle();
  askOfTwins();
});
settle();

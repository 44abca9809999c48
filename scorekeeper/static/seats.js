// The names at the table. Enter goes to the next name; after the last one it presses the button,
// as on any form, or moves the focus there if a name is missing. Known players are offered under
// the name that is being typed. Dragging the handle beside a name changes seats: the names move,
// while the rows with their fields and buttons keep their numbers. Without scripts, buttons do the
// same. The rows may be replaced while the page is open (live.js), so the document listens.

const ROW = "[data-seat]";
const NAME = "[name=name], [name=member]";
const TYPED = "input:not([type=radio], [type=checkbox])";

document.documentElement.classList.add("scripted");

// WebKit empties the fields of a page that is opened again by the way back.
addEventListener("pageshow", ({ persisted }) => {
  const typed = [...document.querySelectorAll(TYPED)].map((field) => [field, field.value]);
  if (persisted) setTimeout(() => typed.forEach(([field, text]) => (field.value = text)));
});

document.addEventListener("pointerdown", (press) => {
  const grip = press.target.closest(".grip");
  if (grip) drag(grip.closest(ROW), grip, press);
});

function drag(row, grip, press) {
  press.preventDefault();
  grip.setPointerCapture(press.pointerId);
  row.classList.add("dragged");
  const move = (event) => (row.style.transform = `translateY(${event.clientY - press.clientY}px)`);
  const drop = (event) => {
    grip.removeEventListener("pointermove", move);
    row.classList.remove("dragged");
    row.style.transform = "";
    if (event.type === "pointerup") sit(row, event.clientY);
  };
  grip.addEventListener("pointermove", move);
  grip.addEventListener("pointerup", drop, { once: true });
  grip.addEventListener("pointercancel", drop, { once: true });
}

// The dragged player takes the seat at that height; those in between move up or down.
function sit(row, height) {
  const rows = [...document.querySelectorAll(ROW)];
  const fields = rows.map((each) => each.querySelector("input"));
  const from = rows.indexOf(row);
  const below = rows.findIndex((each) => height < each.getBoundingClientRect().bottom);
  const to = below < 0 ? rows.length - 1 : below;
  const names = fields.map((field) => field.value);
  names.splice(to, 0, ...names.splice(from, 1));
  fields.forEach((field, seat) => (field.value = names[seat]));
  fields[to].dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("keydown", (press) => {
  if (press.key !== "Enter" || press.isComposing || !press.target.matches(TYPED)) return;
  press.preventDefault();
  const names = [...document.querySelectorAll(NAME)];
  const isName = press.target.matches(NAME);
  const next = isName && names[names.indexOf(press.target) + 1];
  const button = document.querySelector(".foot .main");
  if (isName && !next && names.every((name) => name.value.trim())) button.click();
  else (next || button).focus();
});

// ---- known players -----------------------------------------------------------------------

const seats = () => [...document.querySelectorAll("[name=name]")];
const plain = (name) => name.trim().toLocaleLowerCase();

// Offers those whose name begins as typed and who do not sit yet, below the field.
function offer() {
  const known = document.getElementById("known");
  if (!known) return;
  const field = document.activeElement;
  const here = seats().filter((other) => other !== field).map((other) => plain(other.value));
  const typed = field.name === "name" ? plain(field.value) : "";
  if (field.name === "name") field.closest(ROW).after(known);
  for (const button of known.children) {
    const name = plain(button.textContent);
    button.hidden = here.includes(name) || name === typed || !name.startsWith(typed);
  }
  known.hidden = [...known.children].every((button) => button.hidden);
}

document.addEventListener("focusin", ({ target }) => target.name === "name" && offer());
document.addEventListener("input", ({ target }) => target.name === "name" && offer());
document.addEventListener("judged", offer, true);
document.addEventListener("mousedown", (press) => press.target.closest("#known") && press.preventDefault()); // the keyboard stays open
document.addEventListener("click", (press) => {
  const button = press.target.closest("#known button");
  const typed = document.activeElement?.name === "name" && document.activeElement;
  const field = typed || seats().find((one) => !one.value.trim());
  if (!button || !field) return; // without a free seat the server adds one
  press.preventDefault();
  field.value = button.textContent;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  (seats().find((one) => !one.value.trim()) || document.querySelector(".foot .main")).focus();
  offer();
});
offer();

// The names at the table. Enter goes to the next name; after the last one it presses the button,
// as on any form, or moves the focus there if a name is missing. Dragging the handle beside a
// name changes seats: the names move, while the rows with their fields and buttons keep their
// numbers. Without scripts, the arrows do the same.

const ROW = "[data-seat]";
const NAME = "[name=name], [name=member]";
const TYPED = "input:not([type=radio], [type=checkbox])";
const GRIP = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 9h14M5 15h14"/></svg>';

for (const row of document.querySelectorAll(ROW)) {
  const grip = document.createElement("span");
  grip.className = "grip";
  grip.innerHTML = GRIP;
  row.querySelector("button").before(grip);
  grip.addEventListener("pointerdown", (press) => drag(row, grip, press));
}

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

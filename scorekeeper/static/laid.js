// Two numbers for every player, where what is laid down scores: what they hold and what they have
// laid. "On to the next" (entry.js) goes through all of them.

const form = document.querySelector("form[data-fast]");
const at = (id) => document.getElementById(id);
const seats = [...form.querySelectorAll("[data-seat]")];

// The numbers of a player that are asked for and still empty.
function open(part) {
  const { seat } = part.dataset;
  const ends = form.elements[form.dataset.ender].value === seat;
  if (!ends && at("seat-" + seat).querySelector("[name^=absent]")?.checked) return [];
  const isAsked = { way: !ends, points: form.elements[`way-${seat}`].value !== "cards" };
  return [...part.querySelectorAll("[data-keys]")].filter((one) => isAsked[one.dataset.keys] && !one.value.trim());
}

let goal = null; // the number that is asked for next

function show() {
  const current = form.querySelector("[data-seat].current");
  const place = seats.indexOf(current);
  const own = current && open(current).find((one) => one.name !== form.dataset.field);
  const others = [...seats.slice(place + 1), ...seats.slice(0, Math.max(place, 0))];
  goal = own ?? others.flatMap(open)[0] ?? null;
  at("next").hidden = !current || !goal || form.matches(".asks-way");
  if (goal) at("next").textContent = own ? own.dataset.label : at("next").dataset.words.replace("{player}", () => goal.closest("[data-seat]").dataset.name);
}

function go() {
  const { label, seat = goal.closest("[data-seat]").dataset.seat } = goal.dataset;
  const wanted = goal;
  if (!at(`seat-${seat}`).matches(".current")) at(`cell-${seat}`).click();
  const buttons = [...at(`seat-${seat}`).querySelectorAll(".targets button")];
  if (form.dataset.field !== wanted.name) buttons.find((one) => one.textContent === label)?.click();
  return wanted;
}

form.addEventListener("click", (event) => {
  if (!goal || !event.target.closest("#next")) return;
  event.stopPropagation();
  go();
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !goal || !event.target.matches("input[data-keys]")) return;
  event.preventDefault();
  event.stopPropagation();
  go().focus();
}, true);

new MutationObserver(show).observe(form, { attributeFilter: ["data-field"] });
show();

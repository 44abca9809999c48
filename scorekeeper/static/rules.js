// The form of the rules: searches house rules by their words and systems by their names, moves the
// focus to the field of a value to be typed, and closes the list of systems once one is tapped.

const at = (id) => document.getElementById(id);

const SEARCHES = { "find-rule": findRules, "find-system": findSystems };
for (const [id, search] of Object.entries(SEARCHES)) {
  const field = at(id);
  if (!field) continue;
  if (field.nextElementSibling.matches(".btn")) field.nextElementSibling.hidden = true; // found as one types
  field.hidden = false;
  field.addEventListener("input", search);
  field.addEventListener("change", (event) => event.stopPropagation()); // it changes no rule
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would press the button of the form
    event.stopPropagation();
  });
}
at("find-rule").form.addEventListener("judged", findRules); // live.js may have replaced the rules

const wordsIn = (id) => plain(at(id).value).split(/[^\p{L}\d]+/u);

function findRules() {
  const words = wordsIn("find-rule");
  const sections = [...document.querySelectorAll("#options section")];
  for (const section of sections) {
    const found = [...section.querySelectorAll(".option")].filter((option) => {
      const text = plain(section.querySelector("h3").textContent + option.querySelector("span").textContent);
      option.hidden = !words.every((word) => text.includes(word));
      return !option.hidden;
    });
    section.hidden = !found.length;
  }
  at("no-rule").hidden = sections.some((section) => !section.hidden);
}

// Every system has all its names with it, as the server searches them (wording/systems.py).
function findSystems() {
  const words = wordsIn("find-system");
  const all = [...at("systems").querySelectorAll("[data-names]")];
  for (const one of all) one.hidden = !words.every((word) => one.dataset.names.includes(word));
  const found = all.filter((one) => !one.hidden);
  at("all-systems").checked = found.length < all.length || at("other-systems").querySelector(":checked");
  at("no-system").hidden = found.length;
}

// Accents and capitals make no difference: romme finds Rommé.
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l");
}

document.addEventListener("change", ({ target }) => {
  if (target.value === "other") at(`other-${target.name}`)?.focus();
});

// A tap chooses a system and closes the list; with the arrow keys it stays open.
const systems = document.querySelector(".pick");
let tapped = false;
systems?.addEventListener("pointerdown", ({ target }) => (tapped = Boolean(target.closest("label"))));
systems?.addEventListener("keydown", () => (tapped = false));
systems?.addEventListener("change", ({ target }) => (systems.open &&= !tapped || target.type !== "radio"));

// The form of the rules: searches house rules by their words, moves the focus to the field of a
// value to be typed, and closes the list of systems once one is tapped.

const find = document.getElementById("find-rule");
find.hidden = false;
find.addEventListener("input", search);
find.addEventListener("change", (event) => event.stopPropagation()); // it changes no rule
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // it would press the button of the form
  event.stopPropagation();
});
find.form.addEventListener("judged", search); // live.js may have replaced the rules

function search() {
  const words = plain(find.value).split(/\s+/);
  const sections = [...document.querySelectorAll("#options section")];
  for (const section of sections) {
    const found = [...section.querySelectorAll(".option")].filter((option) => {
      const text = plain(section.querySelector("h3").textContent + option.querySelector("span").textContent);
      option.hidden = !words.every((word) => text.includes(word));
      return !option.hidden;
    });
    section.hidden = !found.length;
  }
  document.getElementById("no-rule").hidden = sections.some((section) => !section.hidden);
}

// Accents and capitals make no difference: romme finds Rommé.
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

document.addEventListener("change", ({ target }) => {
  if (target.value === "other") document.getElementById(`other-${target.name}`)?.focus();
});

// A tap chooses a system and closes the list; with the arrow keys it stays open.
const systems = document.querySelector(".pick");
let tapped = false;
systems?.addEventListener("pointerdown", () => (tapped = true));
systems?.addEventListener("keydown", () => (tapped = false));
systems?.addEventListener("change", () => (systems.open = systems.open && !tapped));

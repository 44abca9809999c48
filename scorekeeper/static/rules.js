// The form of the rules: searches house rules by their words, moves the focus to the field of a
// value to be typed, and closes the list of systems once one is tapped.

const find = document.getElementById("find-rule");
find.hidden = false;
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const section of document.querySelectorAll("#options section")) {
    const found = [...section.querySelectorAll(".option")].filter((option) => {
      const text = (section.querySelector("h3").innerText + option.querySelector("span").innerText).toLowerCase();
      option.hidden = !words.every((word) => text.includes(word));
      return !option.hidden;
    });
    section.hidden = !found.length;
  }
});

document.addEventListener("change", ({ target }) => {
  if (target.value === "other") document.getElementById(`other-${target.name}`)?.focus();
});

// A tap chooses a system and closes the list; with the arrow keys it stays open.
const systems = document.querySelector(".pick");
let tapped = false;
systems?.addEventListener("pointerdown", () => (tapped = true));
systems?.addEventListener("keydown", () => (tapped = false));
systems?.addEventListener("change", () => (systems.open = systems.open && !tapped));

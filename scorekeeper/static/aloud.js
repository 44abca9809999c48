// The switch for reading the score aloud, where the browser can; the board and the scoreboard do it
// (follow.js). Some browsers speak only after a press, so the switch says what it is for.

const aloud = document.getElementById("aloud");
const box = aloud.querySelector("input");

if ("speechSynthesis" in window) {
  aloud.hidden = false;
  box.checked = ifAllowed((memory) => memory.getItem("aloud")) === "yes";
  box.addEventListener("change", () => {
    ifAllowed((memory) => memory.setItem("aloud", box.checked ? "yes" : "no"));
    speechSynthesis.cancel();
    if (!box.checked) return;
    const said = new SpeechSynthesisUtterance(aloud.querySelector("span").firstChild.textContent);
    said.lang = document.documentElement.lang;
    speechSynthesis.speak(said);
  });
}

// The browser may refuse to store anything, or have no room.
function ifAllowed(access) {
  try {
    return access(localStorage);
  } catch {
    return null;
  }
}

// Hands a text to the device's own sharing, or to its clipboard where it has none.
// Without script the text is there to be selected.

for (const button of document.querySelectorAll("[data-send]")) {
  const text = document.getElementById(button.dataset.send);
  button.hidden = !(navigator.share || navigator.clipboard);
  button.addEventListener("click", async () => {
    try {
      if (navigator.share) await navigator.share({ text: text.innerText });
      else await navigator.clipboard.writeText(text.innerText);
      getSelection().selectAllChildren(text);
    } catch {
      getSelection().selectAllChildren(text); // called off, or not allowed: copy it by hand
    }
  });
}

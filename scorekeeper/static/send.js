// Passes a text, with its picture if there is one, to the sharing menu of the device. Without such
// a menu, the text goes to the clipboard and the picture to the downloads. Without scripts, the
// text can be selected.

for (const button of document.querySelectorAll("[data-send]")) {
  const { send, picture, name, done } = button.dataset;
  const text = document.getElementById(send);
  // Fetched beforehand, because browsers share only immediately after the press.
  const fetched = picture && fetch(picture).then(async (answer) => {
    if (!answer.ok) throw new Error(answer.status);
    return new File([await answer.blob()], name, { type: "image/png" });
  }).catch(() => null);

  const share = async () => {
    const words = text.textContent;
    const file = await fetched;
    const parcel = file ? { text: words, files: [file] } : { text: words };
    if (navigator.canShare?.(parcel)) return navigator.share(parcel);
    if (navigator.share) return navigator.share({ text: words });
    if (file) download(file);
    await navigator.clipboard.writeText(words);
    if (done) document.getElementById(done).hidden = false;
  };

  if (button.matches("button")) button.hidden = !(navigator.share || navigator.clipboard);
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      await share();
    } catch (error) {
      if (error.name !== "AbortError") show(text); // not allowed: copy it by hand
    }
  });
}

function show(text) {
  const fold = text.closest("details");
  if (fold) fold.open = true;
  text.scrollIntoView({ block: "center" });
  getSelection().selectAllChildren(text);
}

function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Offers to put the pad on the home screen, in whichever way this browser has: a question of its
// own, or, on an iPhone, the menu "Share". From here on worker.js keeps it for offline.

if (isSecureContext) navigator.serviceWorker?.register("worker.js");

const hint = document.getElementById("install");
const now = document.getElementById("install-now");

addEventListener("beforeinstallprompt", (offer) => {
  offer.preventDefault();
  hint.hidden = now.hidden = false;
  now.onclick = () => offer.prompt();
});
addEventListener("appinstalled", () => (hint.hidden = true));

if (navigator.standalone === false) hint.hidden = document.getElementById("install-ios").hidden = false;

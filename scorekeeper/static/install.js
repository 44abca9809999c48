// Registers worker.js, which keeps pages for offline use, offers to install scorekeeper on the home
// screen (by the browser's own prompt or, on an iPhone, by the menu "Share"), and sends the rounds
// that wait in an outbox.

const worker = document.querySelector("[data-worker]")?.dataset.worker;
const workers = isSecureContext && worker && navigator.serviceWorker;
if (workers) workers.register(worker);
if (workers) workers.ready.then(({ active }) => workers.controller || active.postMessage("claim"));

let kept = []; // nothing, where the browser stores nothing
try {
  kept = Object.keys(localStorage);
} catch {}
if (kept.some((name) => /^(outbox|sending) /.test(name))) import(document.getElementById("outbox").dataset.outbox);

const hint = document.getElementById("install");
const now = document.getElementById("install-now");

addEventListener("beforeinstallprompt", (offer) => {
  offer.preventDefault();
  hint.hidden = now.hidden = false;
  now.onclick = () => offer.prompt();
});
addEventListener("appinstalled", () => (hint.hidden = true));

if (navigator.standalone === false) hint.hidden = document.getElementById("install-ios").hidden = false;

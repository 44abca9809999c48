// Passes a link to the sharing menu of the phone or to the clipboard, and keeps a short code
// valid while this page is open. Without scripts, the page shows the link and its QR code.

const RENEW = 25000;
const PATIENCE = 10000;
const SHOWN = 2500;

// In a frame of another page, the menu may exist and still be forbidden.
const mayShare = navigator.canShare?.({ url: location.href }) ?? Boolean(navigator.share);

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !mayShare;
  button.addEventListener("click", () => {
    const { share: url, title } = button.dataset;
    navigator.share({ url, title }).catch(() => {}); // cancelled
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.hidden = false;
  button.ariaLive = "polite";
  button.classList.toggle("main", !mayShare);
  button.addEventListener("click", async () => {
    await copy(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = words), SHOWN);
  });
}

// There is no clipboard on plain http, and it may be forbidden in a frame of another page; the
// selection can be copied all the same.
async function copy(text) {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {}
  const field = document.createElement("textarea");
  const { activeElement: focused } = document;
  field.className = "vh";
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  focused.focus({ preventScroll: true });
}

// ---- the short code --------------------------------------------------------------------

const form = document.getElementById("codes");
const short = document.getElementById("short");

async function renew() {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), signal: AbortSignal.timeout?.(PATIENCE) });
    if (!answer.ok) throw answer.status;
    form.elements.code.value = await answer.text();
  } catch {
    form.elements.code.value = ""; // a code that may have expired is not shown
  }
  show(form.elements.code.value);
}

function show(code) {
  const drawn = short.querySelector("[data-words]");
  drawn.textContent = code.replace(/(..)(?=.)/g, "$1 ");
  drawn.ariaLabel = drawn.dataset.words.replace("{code}", [...code].join(" "));
  drawn.role = "img";
  const within = (name) => short.parentElement.querySelector(name);
  short.hidden = within("[data-while]").hidden = !code;
  within("[data-scan]").hidden = Boolean(code);
}

function end() {
  const body = new FormData(form);
  body.set("do", "end");
  navigator.sendBeacon(form.action, body);
}

if (form) {
  setInterval(renew, RENEW);
  document.addEventListener("visibilitychange", () => document.hidden || renew());
  addEventListener("pagehide", end);
  addEventListener("pageshow", ({ persisted }) => persisted && renew());
  renew();
}

// Checks a form while it is being filled in: sends it to the server and replaces parts of the
// page with those of the answer. Nothing is computed here; without scripts the button "check"
// does the same. The form receives the event "judged" once the page shows the verdict, and
// "unanswered" if there is none: because the server cannot be reached or does not answer in time,
// or because it refuses the form, then with the status.

const WAIT = 150;
const AGAIN = 3000;
const PATIENCE = 10000;
const LATER = 429; // over the rate limit
const LIFTED = 400;

// Replaces nothing under a finger, nor before its click has reached the element it pressed,
// which takes a while on a busy phone. A finger that only scrolled the page clicks nothing.
export let lifted = Promise.resolve();
addEventListener("pointerdown", () => {
  lifted = new Promise((done) => {
    for (const end of ["click", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true });
    addEventListener("pointerup", () => setTimeout(done, LIFTED), { once: true });
  });
});

for (const form of document.querySelectorAll("form[data-live]")) {
  let timer, running;
  const checkIn = (wait) => {
    stop();
    timer = setTimeout(check, wait);
  };
  const stop = () => {
    clearTimeout(timer);
    running?.abort(); // the answer to older input would undo what is shown now
    running = null;
  };
  form.addEventListener(form.dataset.live, () => checkIn(WAIT));
  form.addEventListener("change", ({ target }) => {
    const typed = target.closest(".held")?.querySelector(".field");
    if (typed && target.type === "radio") typed.inputMode = target.value === "points" ? "tel" : "text";
  });
  form.addEventListener("submit", stop);
  form.addEventListener("answered", ({ detail }) => show(form, detail));

  async function check() {
    const asking = (running = new AbortController());
    const body = new FormData(form);
    body.set("do", "check");
    const late = setTimeout(() => asking.abort(), PATIENCE);
    try {
      const answer = await fetch(location.pathname, { method: "POST", body, signal: asking.signal });
      const { ok, status } = answer;
      if (status >= 500 || status === LATER) throw status;
      if (!ok) return form.dispatchEvent(new CustomEvent("unanswered", { detail: status })); // saving will say why
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      clearTimeout(late);
      for (const one of page.querySelectorAll("[autofocus]")) one.autofocus = false; // the focus stays where the user types
      await lifted;
      if (asking === running) show(form, page);
    } catch {
      if (asking !== running) return; // the input has changed and was sent again
      form.dispatchEvent(new Event("unanswered"));
      checkIn(AGAIN);
    }
  }
}

// The button "Photo" loads its script when it is pressed (photo.js), and says without a connection
// why it cannot work.
const photo = document.getElementById("photo");
const away = (yes) => (photo.firstElementChild.hidden = !yes);
for (const input of document.querySelectorAll(".photo input")) {
  input.onclick = input.onchange = ({ type }) => {
    away(!navigator.onLine);
    if (navigator.onLine) import(photo.dataset.script).then((script) => script[type]?.(input), away);
    return navigator.onLine;
  };
}

function show(form, page) {
  const typing = document.activeElement?.matches("input:not(.vh), textarea") && document.activeElement;
  const focused = document.activeElement?.id;
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (old) keepOpen(old, part);
    if (old && !(typing && old.contains(typing)) && old.outerHTML !== part.outerHTML) {
      old.replaceWith(document.adoptNode(part));
    }
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  form.dispatchEvent(new Event("judged"));
}

// What the reader has unfolded stays so.
export function keepOpen(old, part) {
  const folds = part.querySelectorAll("details.fold");
  old.querySelectorAll("details.fold").forEach((fold, at) => {
    if (fold.open && folds[at]) folds[at].open = true;
  });
}

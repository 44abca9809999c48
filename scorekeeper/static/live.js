// Shows what the server makes of a form while it is being filled in: the form is sent for
// checking, and the parts of the answer take the place of those on the page. Nothing is
// reckoned here; without script the button "check" does the same. The form hears "judged"
// when the page shows what the server says, "unanswered" when the server cannot be reached.

const WAIT = 150;
const AGAIN = 3000;
const LIFTED = 400;

// Nothing is exchanged under a finger, nor before its click has reached what it pressed: on a
// busy phone that takes a while. A finger that only moved the page clicks nothing.
let lifted = Promise.resolve();
addEventListener("pointerdown", () => {
  lifted = new Promise((done) => {
    for (const end of ["click", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true });
    addEventListener("pointerup", () => setTimeout(done, LIFTED), { once: true });
  });
});

for (const form of document.querySelectorAll("form[data-live]")) {
  let timer, running;
  const checkIn = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(check, wait);
  };
  form.addEventListener(form.dataset.live, () => {
    running?.abort(); // an answer to what stood there before would undo what is shown by now
    checkIn(WAIT);
  });
  form.addEventListener("change", ({ target }) => {
    const typed = target.closest(".held")?.querySelector(".field");
    if (typed && target.type === "radio") typed.inputMode = target.value === "points" ? "tel" : "text";
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    running?.abort();
  });
  form.addEventListener("answered", ({ detail }) => show(form, detail));

  async function check() {
    running?.abort();
    const asking = (running = new AbortController());
    const body = new FormData(form);
    body.set("do", "check");
    try {
      const answer = await fetch(location.pathname, { method: "POST", body, signal: asking.signal });
      if (answer.status >= 500) throw answer.status;
      if (!answer.ok) return; // saving says why
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const one of page.querySelectorAll("[autofocus]")) one.autofocus = false; // typing goes on
      await lifted;
      if (!asking.signal.aborted) show(form, page);
    } catch {
      if (asking.signal.aborted) return; // typed on: the next press asked again
      form.dispatchEvent(new Event("unanswered"));
      checkIn(AGAIN);
    }
  }
}

function show(form, page) {
  const typing = document.activeElement?.matches("input:not(.vh), textarea") && document.activeElement;
  const focused = document.activeElement?.id;
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (old && !(typing && old.contains(typing)) && old.outerHTML !== part.outerHTML) {
      old.replaceWith(document.adoptNode(part));
    }
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  form.dispatchEvent(new Event("judged"));
}

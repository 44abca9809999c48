// Shows what the server makes of a form while it is being filled in: the form is sent for
// checking, and the parts of the answer take the place of those on the page. Nothing is
// reckoned here; without script the button "check" does the same.

const WAIT = 250;

for (const form of document.querySelectorAll("form[data-live]")) {
  let timer, running;
  form.addEventListener(form.dataset.live, () => {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  });
  form.addEventListener("change", ({ target }) => {
    const typed = target.closest(".held")?.querySelector(".field");
    if (typed && target.type === "radio") typed.inputMode = target.value === "points" ? "tel" : "text";
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    running?.abort();
  });

  async function check() {
    running?.abort();
    running = new AbortController();
    const body = new FormData(form);
    body.set("do", "check");
    try {
      const answer = await fetch(location.pathname, { method: "POST", body, signal: running.signal });
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // No connection, or typed on: the next press asks again, and saving says what is wrong.
    }
  }
}

function show(page) {
  const typing = document.activeElement?.matches("input:not(.vh), textarea") && document.activeElement;
  const focused = document.activeElement?.id;
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = document.getElementById(part.id);
    if (old && !(typing && old.contains(typing)) && old.outerHTML !== part.outerHTML) {
      old.replaceWith(document.adoptNode(part));
    }
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

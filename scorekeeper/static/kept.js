// What the browser keeps until the server has it. A round being typed is a draft: every
// press is kept, and it is there again after a reload. A round that was sent waits until it
// is acknowledged and is repeated with its key, so that it counts once. Works on plain http.

const PATIENCE = 10000;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const ASKS_FOR_PEN = 2500;
const NOT_OURS = [403, 404];
const LATER = [429]; // too much was saved: as without a connection

const sign = document.getElementById("kept");
const form = document.querySelector("form[data-kept]");
const path = (!form && unsentPath()) || sign.dataset.path;
const [DRAFT, SENDING] = [`draft ${path}`, `sending ${path}`];

let wait = FIRST_WAIT;
let timer, running, unkept, asking;

// ---- the browser's memory ---------------------------------------------------------------

function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

// On the board: whichever page of this game a round is still waiting to be sent from.
function unsentPath() {
  const begin = `sending ${sign.dataset.path}`;
  return Object.keys(localStorage).find((name) => name.startsWith(begin))?.slice("sending ".length);
}

function keep(name, what) {
  try {
    localStorage.setItem(name, JSON.stringify(what));
    return true;
  } catch {
    return false; // no room, or not allowed: then this page is all the memory there is
  }
}

function forget(...names) {
  unkept = null;
  for (const name of names) localStorage.removeItem(name);
}

const sending = () => kept(SENDING) ?? unkept;

// ---- the draft --------------------------------------------------------------------------

const OURS = ["csrf_token", "version", "notation", "do"];
const asks = () => document.querySelector("#both .ask"); // whether two entries are one round

function keepDraft() {
  if (sending() || asks()) return;
  const fields = [...new FormData(form)].filter(([name]) => name === "version" || !OURS.includes(name));
  const says = document.getElementById("why").textContent.trim();
  const { kept: number, basis } = form.dataset;
  const done = keep(DRAFT, { number, basis, fields, says });
  document.getElementById("saved").hidden = !done;
}

function restore({ number, basis, fields }) {
  for (const control of form.elements) {
    if (!control.name || OURS.includes(control.name) || control.type === "submit") continue;
    const given = fields.filter(([name]) => name === control.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(control.type)) control.checked = given.includes(control.value);
    else if (given.length) control.value = given[0];
  }
  if (basis !== form.dataset.basis) {
    show("moved", number);
    form.elements.version.value = Object.fromEntries(fields).version; // saving asks what it is
    Object.assign(form.dataset, { kept: number, basis });
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

// ---- sending ----------------------------------------------------------------------------

function post(event) {
  if (event.submitter?.value !== "save") return;
  event.preventDefault();
  if (sending()) return;
  const fields = [...new FormData(form), ["do", "save"]];
  unkept = { number: form.dataset.kept, fields };
  keep(SENDING, unkept);
  send();
}

async function send() {
  clearTimeout(timer);
  if (running) return;
  const round = sending();
  if (!round) return;
  running = true;
  if (form) form.inert = true;
  try {
    const answer = await fetch(path, {
      method: "POST",
      body: new URLSearchParams(round.fields),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.redirected && answer.ok) acknowledged(answer.url);
    else if (answer.status === 400) await renew(round);
    else if (form && NOT_OURS.includes(answer.status)) lost();
    else if (answer.status < 500 && !LATER.includes(answer.status)) refused(await answer.text());
    else throw answer.status;
  } catch {
    show("unsent", round.number);
    timer = setTimeout(send, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  } finally {
    running = false;
  }
}

function acknowledged(url) {
  const { version } = Object.fromEntries(sending().fields); // the change is no news to this phone
  localStorage.setItem(`own-${path.match(/\/g\/(\w+)/)[1]}`, Number(version) + 1);
  forget(DRAFT, SENDING);
  if (form) location.assign(`${url}#next`);
  else location.reload();
}

// The browser was closed meanwhile and its form is no longer ours: take a new token.
async function renew(round) {
  const page = await fetch(path, { cache: "no-store" });
  if (!page.ok) return refused(await page.text());
  const token = parsed(await page.text()).querySelector("[name=csrf_token]").value;
  const others = round.fields.filter(([name]) => name !== "csrf_token");
  unkept = { ...round, fields: [...others, ["csrf_token", token]] };
  keep(SENDING, unkept);
  throw "again";
}

// Said why, and nothing is lost: the round is a draft again.
function refused(html) {
  const round = sending();
  forget(SENDING);
  if (!form) return keep(DRAFT, { ...round, says: "" }) && showBoard();
  form.inert = false;
  show();
  const page = parsed(html);
  const now = page.querySelector("form[data-kept]");
  if (!now) return show("refused");
  for (const name of ["version", "key"]) form.elements[name].value = now.elements[name].value;
  form.dataset.kept = now.dataset.kept;
  if (!page.querySelector("#both .ask")) form.dataset.basis = now.dataset.basis;
  form.dispatchEvent(new CustomEvent("answered", { detail: page }));
  keepDraft();
  scrollTo(0, 0);
  asks()?.focus();
}

// The pen was handed to another phone: told at once, not only when saving. What was typed
// stays in sight, to be read out.
async function askForPen() {
  if (document.hidden || running || form.inert) return;
  try {
    const { status } = await fetch(path, { method: "HEAD", cache: "no-store" });
    if (NOT_OURS.includes(status)) lost();
  } catch {} // without a connection: said by the next press
}

function lost() {
  forget(SENDING);
  clearInterval(asking);
  form.inert = true;
  show("gone");
  scrollTo(0, 0);
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// ---- what the page says about it --------------------------------------------------------

function show(state = "", number = "") {
  for (const banner of sign.children) {
    banner.hidden = banner.dataset.state !== state;
    const words = banner.querySelector("[data-words]");
    if (words) words.textContent = words.dataset.words.replace("{number}", number);
  }
}

function showBoard() {
  const draft = kept(DRAFT);
  show(draft ? "draft" : "", draft?.number);
  const says = sign.querySelector("[data-says]");
  if (draft && says) says.textContent = draft.says;
}

if (form) {
  const draft = kept(DRAFT);
  if (draft) restore(draft);
  form.addEventListener("input", keepDraft);
  form.addEventListener("submit", post);
  form.addEventListener("judged", () => {
    if (kept(DRAFT)) keepDraft();
    if (!sign.querySelector("[data-state=offline]").hidden) show();
  });
  form.addEventListener("unanswered", () => sending() || show("offline"));
  document.getElementById("saved").hidden = !draft;
  asking = setInterval(askForPen, ASKS_FOR_PEN);
} else {
  showBoard();
}
document.addEventListener("click", ({ target }) => {
  const discards = target.closest("[data-discard]");
  if (!discards) return;
  forget(DRAFT);
  if (!discards.href) location.assign(path);
});
addEventListener("online", send);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  send();
  if (form) askForPen();
});
send();

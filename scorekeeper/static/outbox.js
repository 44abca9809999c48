// Keeps rounds in the browser until the server has them. A round being typed is a draft: every
// press is stored, and a reload restores it. A saved round goes into the outbox of its game. The
// outbox is sent in order, each round with an idempotency key, so that it counts once however
// often it is sent. A refused round stops the outbox and is shown in its form again. This works
// on plain http too. follow.js receives the event "sent" when the outbox is empty again.

const PATIENCE = 10000;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const ASKS_FOR_PEN = 2500;
const NOT_OURS = [403, 404];
const LATER = [429]; // over the rate limit: treated like a missing connection

const sign = document.getElementById("outbox");
const form = document.querySelector("form[data-draft]");
const { path, board } = sign.dataset;
const DRAFT = `draft ${path}`;
const OUTBOX = `outbox ${board} `;
const isNew = form && !form.dataset.basis.includes("."); // not a correction

let wait = FIRST_WAIT;
let timer, running, renewed, token, asking;
let pending; // the module that draws waiting rounds
let cut = !navigator.onLine; // the last request was not answered
let wentOn = false; // the form is at the next round
let gone = false; // somebody else has the pen
let own = null; // the round of the outbox that this form has just sent
let held = null; // the refused round of the outbox that this form shows

// ---- the browser's memory ---------------------------------------------------------------

const unkept = new Map(); // used if the browser's storage is full or not allowed

function kept(name) {
  try {
    return unkept.get(name) ?? JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(name, what) {
  try {
    localStorage.setItem(name, JSON.stringify(what));
    return unkept.delete(name) || true;
  } catch {
    unkept.set(name, what);
    return false;
  }
}

function forget(name) {
  unkept.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {} // not allowed: nothing was stored
}

function names() {
  try {
    return [...Object.keys(localStorage), ...unkept.keys()];
  } catch {
    return [...unkept.keys()];
  }
}

// Every round is a separate item, so that two tabs never overwrite each other's rounds.
function waiting() {
  const ours = names().filter((name) => name.startsWith(OUTBOX));
  return ours.sort().map((name) => ({ name, ...kept(name) }));
}

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join("");
const versionOf = ({ fields }) => Number(fields.find(([name]) => name === "version")[1]);
const put = ({ name, ...round }) => keep(name, round);

function at(round, version) {
  const others = round.fields.filter(([name]) => name !== "version");
  return { ...round, fields: [...others, ["version", String(version)]] };
}

function nextName() {
  const last = waiting().at(-1)?.name.slice(OUTBOX.length);
  return `${OUTBOX}${String(1 + (parseInt(last, 10) || 0)).padStart(6, "0")} ${random()}`;
}

// ---- the draft --------------------------------------------------------------------------

const OURS = ["csrf_token", "version", "notation", "do", "key"];
const asks = () => document.querySelector("#both .ask"); // the question whether two entries are the same round

function keepDraft() {
  if (own || asks()) return;
  const fields = [...new FormData(form)].filter(([name]) => held || name === "version" || !OURS.includes(name));
  const says = document.getElementById("why").textContent.trim();
  const { draft: number, basis } = form.dataset;
  const done = held ? put({ ...kept(held), name: held, fields }) : keep(DRAFT, { number, basis, fields, says });
  document.getElementById("saved").hidden = !done;
}

function fill({ fields }) {
  for (const control of form.elements) {
    if (!control.name || OURS.includes(control.name) || control.type === "submit") continue;
    const given = fields.filter(([name]) => name === control.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(control.type)) control.checked = given.includes(control.value);
    else if (given.length) control.value = given[0];
  }
}

function restore(draft) {
  fill(draft);
  if (draft.basis !== form.dataset.basis) {
    show("moved", draft.number);
    form.elements.version.value = versionOf(draft); // saving asks whether it is the same round
    Object.assign(form.dataset, { draft: draft.number, basis: draft.basis });
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

// ---- the form of the next round ---------------------------------------------------------

const served = form && { version: Number(form.elements.version.value), number: Number(form.dataset.draft) };
const blank = form && [...document.querySelectorAll("[data-part]")].map((part) => part.cloneNode(true));

// A form opened while rounds are waiting is for the round after them.
function goBehind() {
  const ahead = waiting().filter((round) => round.path === path && versionOf(round) >= served.version);
  const last = waiting().at(-1);
  form.elements.version.value = Math.max(served.version, last ? versionOf(last) + 1 : 0);
  if (isNew) named(served.number + ahead.length);
}

function named(number) {
  Object.assign(form.dataset, { draft: number, basis: number });
  document.querySelector(".bar h1").textContent = form.dataset.title.replace("{number}", number);
  document.querySelector("#line > :first-child").textContent = number;
}

// Where no other page opens offline, this form takes the next round.
function beginNext() {
  form.reset();
  for (const part of blank) document.getElementById(part.id)?.replaceWith(part.cloneNode(true));
  delete form.dataset.score;
  goBehind();
  wentOn = true;
  form.inert = false;
  document.getElementById("saved").hidden = true;
  form.dispatchEvent(new Event("begun"));
  scrollTo(0, 0);
}

// ---- sending ----------------------------------------------------------------------------

function post(event) {
  if (event.submitter?.value !== "save") return;
  event.preventDefault();
  if (own) return;
  own = held ?? nextName();
  const fields = [...new FormData(form)].filter(([name]) => name !== "key");
  const score = JSON.parse(form.dataset.score ?? "null");
  put({ name: own, path, number: form.dataset.draft, score, fields: [...fields, ["key", random()], ["do", "save"]] });
  forget(DRAFT);
  form.inert = true;
  document.getElementById("save").textContent = form.dataset.sending;
  changed();
  if (!navigator.onLine || waiting()[0].refused) carryOn();
  send();
}

async function send() {
  clearTimeout(timer);
  if (running || gone || !waiting().length) return;
  running = true;
  try {
    for (let round; (round = waiting()[0]) && !round.refused && !gone; ) await deliver(round);
    wait = FIRST_WAIT;
    if (!waiting().length) sent();
  } catch (why) {
    reached(false);
    changed(why);
    timer = setTimeout(send, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    carryOn();
  } finally {
    running = false;
  }
}

async function deliver(round) {
  const body = new URLSearchParams(round.fields);
  if (token) body.set("csrf_token", token);
  const answer = await fetch(round.path, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) });
  const { status, url } = answer;
  reached(true);
  if (answer.redirected && answer.ok && new URL(url).pathname === board) return acknowledged(round, url);
  if (status === 400 && !renewed) return renew(round);
  if (NOT_OURS.includes(status)) return lost();
  if (status >= 500 || LATER.includes(status)) throw status;
  refused(round, await answer.text());
}

// The rounds behind this one in the outbox were entered after it.
function acknowledged(round, url) {
  const version = versionOf(round) + 1;
  keep(`own-${board.match(/\w+$/)}`, version); // this phone's own change
  const next = waiting()[1];
  if (next && versionOf(next) < version) put(at(next, version));
  forget(round.name);
  renewed = false;
  if (round.name === own) location.assign(`${url}#next`);
  else changed();
}

// The browser was closed in between, so the token of its form has expired: take a new one.
async function renew(round) {
  renewed = true;
  const page = await fetch(round.path, { cache: "no-store" });
  if (NOT_OURS.includes(page.status)) return lost();
  token = parsed(await page.text()).querySelector("[name=csrf_token]").value;
}

// Keeps a refused round: if this form sent it, as its draft, otherwise in the outbox until
// somebody looks at it.
function refused(round, html) {
  put({ ...round, refused: true });
  if (round.name !== own) return changed();
  if (held || waiting().length > 1) held = own;
  else forget(own);
  own = null;
  keepDraft();
  form.inert = false;
  show();
  const page = parsed(html);
  const now = page.querySelector("form[data-draft]");
  if (!now) return show("refused");
  form.elements.version.value = now.elements.version.value;
  if (!held) form.dataset.draft = now.dataset.draft;
  if (!page.querySelector("#both .ask")) form.dataset.basis = now.dataset.basis;
  form.dispatchEvent(new CustomEvent("answered", { detail: page }));
  keepDraft();
  scrollTo(0, 0);
  asks()?.focus();
}

// The round waits in the outbox, and the form goes on to the next one.
async function carryOn() {
  const leaves = own && (await isKept(board));
  if (!own || !(leaves || isNew)) return;
  own = held = null;
  if (leaves) location.assign(`${board}#waits`);
  else beginNext();
}

async function isKept(page) {
  return navigator.serviceWorker?.controller && (await caches.match(page));
}

// Shows a refused round in its form; the server says again what is wrong with it.
function lookAt(round) {
  held = own = round.name;
  fill(round);
  form.elements.version.value = versionOf(round);
  if (isNew) named(round.number);
  put({ ...round, refused: false });
  form.inert = true;
}

function discard() {
  forget(DRAFT);
  if (!held) return;
  const behind = waiting().filter(({ name }) => name > held);
  if (!asks()) for (const round of behind) put(at(round, versionOf(round) - 1));
  forget(held);
}

// The pen was handed to another phone: says so at once, not only when saving. The input stays
// visible, so that it can be read out.
async function askForPen() {
  if (document.hidden || running || form.inert) return;
  try {
    const { status } = await fetch(path, { method: "HEAD", cache: "no-store" });
    if (NOT_OURS.includes(status)) lost();
  } catch {} // no connection: the next press says so
}

function lost() {
  gone = true;
  clearInterval(asking);
  show("gone");
  scrollTo(0, 0);
  if (form) form.inert = true;
  fetch(board, { cache: "no-store" }).catch(() => {}); // makes worker.js drop its copy
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// ---- messages --------------------------------------------------------

function show(state = "", number = "") {
  for (const banner of sign.children) {
    banner.hidden = banner.dataset.state !== state;
    for (const words of banner.querySelectorAll("[data-words]")) {
      words.textContent = words.dataset.words.replace("{number}", number);
    }
  }
}

function reached(yes) {
  cut = !yes;
}

// Shows the state of the outbox: a refused round, sending, or waiting for a connection.
function changed(why) {
  const queue = waiting();
  if (sign.dataset.pending && (queue.length || pending)) tellPad(queue);
  if (gone) return;
  if (queue[0]?.refused && queue[0].name !== held) return show("stopped", queue[0].number);
  if (queue.length && (cut || why)) return showUnsent(queue.length, why);
  if (!form) showDraft();
  else if (shows("unsent") || shows("stopped")) show();
}

// Loads the module that draws waiting rounds on the pad when the first one waits.
async function tellPad(queue) {
  pending ??= import(sign.dataset.pending).catch(() => null); // the banner is enough
  (await pending)?.draw(queue);
}

const shows = (state) => !sign.querySelector(`[data-state=${state}]`).hidden;

function showUnsent(n, why) {
  show("unsent");
  const [word, words] = sign.querySelectorAll("[data-state=unsent] [data-one]");
  word.textContent = typeof why === "number" ? word.dataset.more : word.dataset.one;
  words.textContent = n === 1 ? words.dataset.one : words.dataset.more.replace("{n}", n);
  sign.querySelector(".stays").hidden = Boolean(navigator.serviceWorker?.controller);
}

function showDraft() {
  const draft = kept(DRAFT);
  show(draft ? "draft" : "", draft?.number);
  if (draft) sign.querySelector("[data-says]").textContent = draft.says;
}

function sent() {
  if (wentOn && !kept(DRAFT)) location.assign(`${board}#next`);
  if (form) return;
  history.replaceState(null, "", `${location.pathname}${location.search}#next`);
  document.dispatchEvent(new Event("sent"));
}

// ---- events ------------------------------------------------------------------------

if (form) {
  goBehind();
  const [first] = waiting();
  const draft = kept(DRAFT);
  if (first?.refused && first.path === path) lookAt(first);
  else if (draft) restore(draft);
  form.addEventListener("input", () => {
    delete form.dataset.score; // it belongs to the previous input
    keepDraft();
  });
  form.addEventListener("counted", () => kept(DRAFT) && keepDraft());
  form.addEventListener("submit", post);
  form.addEventListener("judged", () => {
    reached(true);
    const { score } = document.getElementById("line").dataset;
    if (score) form.dataset.score = score;
    if (held || kept(DRAFT)) keepDraft();
    if (shows("offline")) show();
    send();
  });
  form.addEventListener("unanswered", () => {
    reached(false);
    if (waiting().length) changed();
    else show("offline");
  });
  document.getElementById("saved").hidden = !draft;
  asking = setInterval(askForPen, ASKS_FOR_PEN);
}
document.addEventListener("click", (event) => {
  const discards = event.target.closest("[data-discard]");
  if (discards) discard();
  if (discards && !discards.href) return location.assign(path);
  stay(event, event.target.closest("a[href]:not([href^='#'])"));
});
document.addEventListener("submit", (event) => event.target === form || stay(event, true));

// On plain http no other page opens offline, so stay on this one.
function stay(event, leaves) {
  if (!leaves || event.defaultPrevented || navigator.serviceWorker?.controller) return;
  if (navigator.onLine && !cut) return;
  event.preventDefault();
  show("stays");
  scrollTo(0, 0);
}

document.addEventListener("reached", ({ detail }) => reached(detail));
addEventListener("online", send);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  send();
  if (form) askForPen();
});
changed();
send();

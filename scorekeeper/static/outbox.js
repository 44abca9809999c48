// Keeps rounds in the browser until the server has them. A round being typed is a draft: every
// press is stored, and a reload restores it. A saved round goes into the outbox of its game. The
// outbox is sent in order, each round with an idempotency key, so that it counts once however
// often it is sent. A refused round stops the outbox and is shown in its form again. This works
// on plain http too. follow.js receives the event "sent" when the outbox is empty again.
//
// A waiting round can be changed and withdrawn (waiting.js). Once it was sent, only the server
// knows whether it has the round: it keeps its key, and is forgotten only when the server has
// answered. Home belongs to no game and sends the rounds of all games.

const PATIENCE = 10000;
const [FIRST_WAIT, LONGEST_WAIT] = [1000, 15000];
const MOST_RENEWALS = 3;
const ASKS_FOR_PEN = 2500;
const [NOT_OURS, LATER] = [[403, 404], 429]; // LATER: over the rate limit: treated like a missing connection

const sign = document.getElementById("outbox");
const form = document.querySelector("form[data-draft]");
const saved = document.getElementById("saved");
const { path, board } = sign.dataset;
const DRAFT = `draft ${path}`;
const OUTBOX = board ? `outbox ${board} ` : "outbox ";
const isNew = form && !form.dataset.basis.includes("."); // not a correction
const isInside = frameElement?.className === "framed"; // in a frame of the board, which does the sending (inside.js)

let [wait, renewals] = [FIRST_WAIT, 0];
let timer, running, token, asking, isAsking;
let cut = !navigator.onLine; // the last request was not answered
let wentOn = false; // the form is at the next round
const gone = new Set(); // the boards whose pen somebody else has
let arrived = null; // the number of a withdrawn round that the server had
let own = null; // the round of the outbox that this form has just sent
let held = null; // the refused round of the outbox that this form shows
let openInside; // opens the form in a frame of this board

// ---- the browser's memory ---------------------------------------------------------------

const unkept = new Map(); // used if the storage of the browser is full or not allowed

function ifAllowed(access) {
  try {
    return access(localStorage);
  } catch {
    return null;
  }
}

const kept = (name) => unkept.get(name) ?? ifAllowed((memory) => JSON.parse(memory.getItem(name)));
const names = () => [...new Set(Object.keys(ifAllowed((memory) => memory) ?? {}).concat(...unkept.keys()))];

function keep(name, what) {
  const done = ifAllowed((memory) => memory.setItem(name, JSON.stringify(what)) ?? true);
  if (done) unkept.delete(name);
  else unkept.set(name, what);
  return done;
}

function forget(name) {
  unkept.delete(name);
  ifAllowed((memory) => memory.removeItem(name));
}

// Every round is a separate item, so that two tabs never overwrite each other's rounds.
function waiting() {
  return names().filter((name) => name.startsWith(OUTBOX)).sort().map((name) => ({ name, ...kept(name) }));
}

const random = () => crypto.getRandomValues(new Uint32Array(4)).join("");
const fieldsOf = ({ fields }) => new URLSearchParams(fields);
const versionOf = (round) => Number(fieldsOf(round).get("version"));
const boardOf = ({ name }) => name.split(" ")[1];
const stops = ({ refused, changing }) => refused || changing;
const put = ({ name, ...round }) => keep(name, round);

const at = (round, version) => ({ ...round, fields: round.fields.map(([name, value]) => [name, name === "version" ? version : value]) });

const behind = (round) => waiting().filter((one) => boardOf(one) === boardOf(round) && one.name > round.name);

function nextName() {
  const last = waiting().at(-1)?.name.slice(OUTBOX.length);
  return `${OUTBOX}${String(1 + (parseInt(last) || 0)).padStart(6, "0")} ${random()}`;
}

// ---- the draft --------------------------------------------------------------------------

const OURS = ["csrf_token", "version", "notation", "do"];
const asks = () => document.querySelector("#both .ask"); // the question whether two entries are the same round

function keepDraft() {
  if (own || asks()) return;
  const round = held && kept(held);
  const refused = round && !round.changing;
  const fields = [...new FormData(form)].filter(([name]) => refused || name === "version" || !OURS.includes(name));
  const { draft: number, basis } = form.dataset;
  const cells = [...document.querySelectorAll("#line > a")].map(pointsIn);
  const draft = { number, basis, fields, cells, notation: form.elements.notation.value };
  const done = round ? put({ ...round, name: held, [refused ? "fields" : "changed"]: fields }) : keep(DRAFT, draft);
  saved.hidden = !done;
}

// The points by seat for the board (drafted.js), null where they are missing.
const pointsIn = (cell) => (cell.dataset.missing ? null : (cell.querySelector(cell.matches(".out") ? "i" : "b")?.textContent ?? ""));

function fill(round) {
  for (const control of form.elements) {
    if (!control.name || OURS.includes(control.name) || control.type === "submit") continue;
    const given = fieldsOf(round).getAll(control.name);
    if (["radio", "checkbox"].includes(control.type)) control.checked = given.includes(control.value);
    else if (given.length) control.value = given[0];
  }
}

function restore(draft) {
  if (draft.notation && draft.notation !== form.elements.notation.value && !location.search.includes("notation")) {
    own = DRAFT; // stores nothing until the page can read the cards
    return location.replace(`${location.search || "?"}&notation=${draft.notation}`);
  }
  fill(draft);
  if (draft.basis !== form.dataset.basis) {
    script("waiting").then((list) => list?.recognise(draft, DRAFT, box, goOn));
    show("moved", draft.number);
    form.elements.version.value = versionOf(draft) || served.version; // saving asks whether it is the same round
    Object.assign(form.dataset, { draft: draft.number, basis: draft.basis });
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

// ---- the form of the next round ---------------------------------------------------------

const served = form && { version: Number(form.elements.version.value), number: Number(form.dataset.draft) };
const blank = form && [...document.querySelectorAll("[data-part]")].map((part) => part.cloneNode(true));

// A form opened while rounds are waiting is for the round after them, or shows one of them.
function goBehind(shown, known = shown ?? kept(DRAFT)) {
  const sent = cut && kept(`next ${path}`); // the board had sent rounds that a page from the cache lacks (pending.js)
  if (sent?.version > served.version) Object.assign(served, sent);
  const ahead = waiting().filter((round) => round.path === path && !round.withdrawn && versionOf(round) >= served.version && !(round.name >= shown?.name));
  const last = waiting().at(-1);
  form.elements.version.value = Math.max(served.version, last ? versionOf(last) + 1 : 0);
  form.elements.key.value = random();
  if (!isNew) return;
  named(served.number + ahead.length);
  if (sign.dataset.standing) script("standing").then((one) => one?.follow(form, ahead, known, served));
}

function named(number) {
  Object.assign(form.dataset, { draft: number, basis: number });
  document.querySelector(".bar h1").textContent = form.dataset.title.replace("{number}", number);
  document.querySelector("#line > :first-child").textContent = number;
}

// The form begins the next round, or shows a waiting one to be changed.
function begin(round) {
  const draft = kept(DRAFT);
  own = null;
  held = round?.name ?? null;
  form.reset();
  if (isNew) for (const one of form.elements[form.dataset.ender]) one.checked = false; // the board had named one
  for (const part of blank) document.getElementById(part.id)?.replaceWith(part.cloneNode(true));
  delete form.dataset.score;
  form.inert = false;
  goBehind(round);
  if (round) showRound({ ...round, fields: round.changed ?? round.fields });
  saved.hidden = !draft || Boolean(round);
  form.dispatchEvent(new Event("begun"));
  if (round) form.dispatchEvent(new Event("input", { bubbles: true }));
  else if (draft) restore(draft);
  changed();
  scrollTo(0, 0);
}

function showRound(round) {
  fill(round);
  form.elements.version.value = versionOf(round);
  if (isNew) named(round.number);
}

const goOn = () => (isAlone() ? begin() : location.assign(path));

// On plain http no other page opens offline, and none knows what could not be stored: stay on this one.
const isBound = () => unkept.size || !navigator.serviceWorker?.controller;
const isAlone = () => isInside || (isBound() && (cut || !navigator.onLine));

// Opens another page if that is possible, or the form in the frame of this board.
const visit = (address) => (isAlone() ? openInside?.(address) : (location.assign(address), true));

// ---- sending ----------------------------------------------------------------------------

function post(event) {
  if (event.submitter?.value !== "save") return;
  event.preventDefault();
  if (own) return;
  own = held ?? nextName();
  const before = held && kept(held);
  const tried = Boolean(before?.changing) && before.tried !== false;
  const version = before?.changing ? fieldsOf(before).get("version") : form.elements.version.value;
  const ours = [["version", version], ["do", "save"]];
  const fields = [...new FormData(form)].filter(([name]) => !ours.some(([other]) => other === name));
  const score = JSON.parse(form.dataset.score ?? "null");
  const to = new URL(event.submitter.formAction).pathname; // one answer to the question corrects the other entry
  const number = to.match(/round\/(\d+)/)?.[1] ?? form.dataset.draft;
  put({ name: own, path: to, number, score, tried, fields: [...fields, ...ours] });
  if (!held) forget(DRAFT);
  if (isInside) return handOver();
  form.inert = true;
  document.getElementById("save").textContent = form.dataset.sending;
  changed();
  if (!navigator.onLine || stops(waiting()[0])) carryOn();
  send();
}

// Gives the round to the board around this frame, which may have no other way to learn of it.
function handOver() {
  const round = { name: own, ...kept(own) };
  begin();
  parent.document.dispatchEvent(new CustomEvent("entered", { detail: round }));
}

async function send() {
  clearTimeout(timer);
  if (isInside || running || !due()) return;
  running = true;
  const before = waiting().length;
  try {
    for (let round; (round = due()); ) await deliver(round);
    wait = FIRST_WAIT;
    if (!waiting().length || (!board && waiting().length < before)) sent();
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

// The first round of a game whose outbox is not stopped.
function due() {
  const stopped = new Set(gone);
  return waiting().find((round) => {
    if (stops(round)) stopped.add(boardOf(round));
    return !stopped.has(boardOf(round));
  });
}

const ask = (address, how) => fetch(address, { cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE), ...how });

async function deliver(round) {
  put({ ...round, tried: round.tried !== false || navigator.onLine });
  const body = fieldsOf(round);
  if (round.withdrawn) body.set("version", "0"); // no game has it: an earlier attempt is recognised by its key, and nothing new is recorded
  if (token) body.set("csrf_token", token);
  const answer = await ask(round.path, { method: "POST", body });
  const { status, url } = answer;
  reached(true);
  if (answer.ok && new URL(url).pathname === boardOf(round)) return acknowledged(round, url); // WebKit does not say that a service worker redirected
  if (NOT_OURS.includes(status)) return lost(round);
  if (status === 400 && renewals++ < MOST_RENEWALS) return (token = await (await script("waiting")).tokenOf(round, ask)) ?? lost(round);
  if (status >= 500 || status === LATER) throw status;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!round.withdrawn) return refused(round, page);
  if ((await script("waiting")).hasArrived(round, status, page, box)) return acknowledged(round, url);
  changed();
}

// The rounds behind this one in the outbox were entered after it.
async function acknowledged(round, url) {
  const version = versionOf(round) + 1;
  keep(`own-${boardOf(round).match(/\w+$/)}`, version); // a change of this phone is no news to it
  const [next] = behind(round);
  if (next && versionOf(next) < version) put(at(next, version));
  const now = kept(round.name);
  if (isNew && round.path === path) Object.assign(served, { version, number: served.number + 1 });
  if (now?.withdrawn) arrived = (await script("waiting")).arrive(round, board && !form, box);
  if (!now?.changing) forget(round.name); // saving it will tell
  renewals = 0;
  if (round.name === own) location.assign(`${url}#next`);
  else changed();
}

// Keeps a refused round: as the draft of the form that sent it, or in the outbox until
// somebody looks at it.
async function refused(round, page) {
  const { changing, withdrawn } = kept(round.name) ?? {};
  if (changing || withdrawn) return changed();
  const isStored = put({ ...round, tried: true, refused: true, twice: Boolean(page.querySelector("#both .ask")) });
  if (round.name !== own) return changed();
  const list = await script("waiting");
  if (isStored && list?.leadsAway(round, page, box)) return;
  if (held || waiting().length > 1) held = own;
  else forget(own);
  own = null;
  form.elements.key.value = random(); // nothing was recorded under the old one
  keepDraft();
  show();
  await list?.explain(form, page, { held, show, to: round.path });
  form.inert = false;
  keepDraft();
  scrollTo(0, 0);
  asks()?.focus();
}

// The round waits in the outbox, and the form goes on to the next one, or the board does the sending.
async function carryOn() {
  const leaves = own && !isBound() && (await caches.match(board));
  if (!kept(own) || !(leaves || isNew)) return;
  own = held = null;
  wentOn = !leaves;
  if (!leaves) return begin();
  clearTimeout(timer);
  location.assign(`${board}#waits`);
}

// Shows a refused round in its form; the server says again what is wrong with it.
function lookAt(round) {
  held = own = round.name;
  showRound(round);
  put({ ...round, refused: false });
  form.inert = true;
}

async function discard() {
  if (held) (await script("waiting"))?.discard({ name: held, ...kept(held) }, box);
  else forget(DRAFT);
}

// The pen was handed to another phone: says so at once, not only when saving. The input stays
// visible, so that it can be read out.
async function askForPen() {
  if (isInside || document.hidden || running || form.inert || isAsking) return;
  isAsking = true;
  try {
    const { status } = await ask(path, { method: "HEAD" });
    if (NOT_OURS.includes(status)) lost({ name: OUTBOX });
    else if (cut && status < 500) heard(true);
  } catch {} // no connection: the next press says so
  isAsking = false;
}

function lost(round) {
  gone.add(boardOf(round));
  clearInterval(asking);
  show("gone");
  scrollTo(0, 0);
  if (form) form.inert = true;
  else changed();
  ask(boardOf(round)).catch(() => {}); // makes worker.js drop its copy
}

// ---- messages --------------------------------------------------------

function show(state = "", number = "", entry = path) {
  for (const banner of sign.children) {
    banner.hidden = banner.dataset.state !== state;
    if (entry && !banner.hidden) banner.querySelector("a[href]")?.setAttribute("href", entry);
    for (const words of banner.querySelectorAll("[data-words]")) {
      words.textContent = words.dataset.words.replace("{number}", number);
    }
  }
}

const reached = (yes) => (cut = !yes);
const heard = (yes) => (reached(yes), form && changed()); // the board says what waits until it is sent

// Shows the state of the outbox: a refused round, sending, or waiting for a connection.
function changed(why) {
  const queue = waiting().filter((one) => !gone.has(boardOf(one)));
  const left = queue.filter((one) => !one.withdrawn);
  if (sign.dataset.pending && (left.length || fetched.pending || kept(`next ${path}`))) tell("pending", left);
  if (sign.dataset.drafted && (kept(DRAFT) || fetched.drafted)) tell("drafted", kept(DRAFT));
  if (form && gone.size) return;
  const [open, stopped, asked] = ["changing", "refused", "withdrawn"].map((state) => queue.find((one) => one[state] && one.name !== held));
  if (stopped) return show(stopped.twice ? "twice" : "stopped", stopped.number, stopped.path);
  if (open && !form) return show("draft", open.number, open.path);
  if (left.length && (cut || why)) return showUnsent(left, why);
  if (form && cut) return show("offline");
  if (form) return ["unsent", "stopped", "twice", "offline"].some(shows) && show();
  if (asked) return show("withdrawn", asked.number);
  if (gone.size) return script("waiting").then((list) => list?.giveUp(gone, box));
  show(...(arrived ? ["arrived", arrived] : []));
}

const shows = (state) => !sign.querySelector(`[data-state=${state}]`).hidden;

function showUnsent(rounds, why) {
  const n = rounds.length;
  show("unsent");
  tell("waiting", rounds);
  const [word, words] = sign.querySelectorAll("[data-state=unsent] [data-one]");
  word.textContent = typeof why === "number" ? word.dataset.more : word.dataset.one;
  words.textContent = n === 1 ? words.dataset.one : words.dataset.more.replace("{n}", n);
  sign.querySelector(".stays").hidden = !isBound();
}

// Loads the modules that draw and list waiting rounds when they are needed.
const fetched = {};
const script = (name) => (fetched[name] ??= import(sign.dataset[name]).catch(() => (fetched[name] = null)));
const tell = async (name, rounds) => (await script(name))?.draw(rounds, box);
const box = { at, begin, behind, changed, forget, keep, kept, put, random, script, send, settle, show, versionOf, visit, waiting };

// The form is for the round after those that still wait, and goes on if the one it sent is withdrawn.
function settle(name) {
  if (name === own) begin();
  else if (form && name === held) goOn();
  else if (form && !held && !own) goBehind();
}

function sent() {
  if (wentOn && !kept(DRAFT)) location.assign(`${board}#next`);
  if (form) return;
  if (!board) return location.reload();
  history.replaceState(null, "", "#next");
  document.dispatchEvent(new Event("sent"));
}

// ---- events ------------------------------------------------------------------------

const opened = () => waiting().find((round) => round.changing && round.path === path);

if (names().some((name) => name.startsWith("sending "))) await script("waiting").then((list) => list?.adopt(names(), box));
if (form) {
  const stopped = waiting().find((round) => stops(round) && round.path === path);
  goBehind(stopped);
  const draft = kept(DRAFT);
  if (isInside) script("waiting"); // while there is a connection
  else if (stopped?.refused) lookAt(stopped);
  else if (stopped) document.addEventListener("DOMContentLoaded", () => begin(opened())); // entry.js listens by then
  else if (draft) restore(draft);
  form.addEventListener("opened", ({ detail }) => {
    Object.assign(served, detail); // as the board knows it
    reached(false); // otherwise the board opens a page
    begin(opened());
  });
  form.addEventListener("input", () => {
    delete form.dataset.score; // it belongs to the previous input
    script("waiting"); // while there is a connection
    keepDraft();
  });
  form.addEventListener("counted", () => kept(DRAFT) && keepDraft());
  form.addEventListener("submit", post);
  form.addEventListener("judged", () => {
    reached(true);
    const { score } = document.getElementById("line").dataset;
    if (score) form.dataset.score = score;
    if (held || kept(DRAFT)) keepDraft();
    changed();
    send();
  });
  form.addEventListener("unanswered", ({ detail }) => detail || heard(false)); // a refusal is an answer
  document.getElementById("cut").addEventListener("click", () => sign.scrollIntoView());
  saved.hidden = !draft;
  asking = setInterval(askForPen, ASKS_FOR_PEN);
}
document.addEventListener("click", (event) => {
  const discards = event.target.closest("[data-discard]");
  const done = discards && discard();
  if (discards && !discards.href) return done.then(goOn);
  const link = event.target.closest("a[href]:not([href^='#'])");
  if (link) stay(event, link.href);
});
document.addEventListener("submit", (event) => event.target === form || stay(event));

function stay(event, address = "") {
  if (event.defaultPrevented || !isAlone()) return;
  event.preventDefault();
  if (visit(address)) return;
  show("stays");
  scrollTo(0, 0);
}

if (board && !form) {
  if (!isSecureContext) script("inside").then((frame) => (openInside = frame?.keep(path, box)));
  arrived = kept(`arrived ${board}`); // shown once
  forget(`arrived ${board}`);
}
document.addEventListener("reached", ({ detail }) => heard(detail));
addEventListener("online", send);
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted || !form) changed();
  else if (isAlone() || unkept.size) setTimeout(begin, 0, opened()); // after WebKit has emptied the fields
  else location.reload(); // to what is stored
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  send();
  if (form) askForPen();
});
changed();
send();

// Follows the game: asks every few seconds whether anything has changed, replaces the changed
// parts of the page and says what happened. A hidden page does not ask. Nothing is computed
// here; without scripts, reloading the page shows the same.

const WAIT = 2500;
const PATIENCE = 8000;
const SHOWN = 10000;

const [, house, game, view] = location.pathname.match(/^(.*)\/g\/(\w+)\/?(\w*)/);
const seen = `seen-${game}`;
const at = (id) => document.getElementById(id);
let { version } = at("news").dataset;
let tag = `"${at("news").dataset.tag}"`;
let since = "";
// A board from the cache of worker.js carries the time at which it was last seen.
let heard = at("heard").dateTime ? new Date(at("heard").dateTime) : new Date();
let timer, telling;
// Nothing is replaced under a finger; a television has none.
const { live } = at("gone").dataset;
const hands = async () => live && import(live).catch(() => null);

// A long pad that was opened completely stays open. A change of this phone is no news to it.
const [all, own, but] = ["all", "own", "but"].map((name) => new URLSearchParams(location.search).get(name));
history.replaceState(null, "", address({ all }) + location.hash);
const worker = document.querySelector("[data-worker]")?.dataset.worker;
const workers = isSecureContext && worker && navigator.serviceWorker;
if (workers) workers.register(worker);
if (workers) workers.ready.then(({ active }) => workers.controller || active.postMessage("claim"));

document.addEventListener("visibilitychange", () => (document.hidden ? leave() : arrive()));
addEventListener("pagehide", leave);
addEventListener("online", ask);
document.addEventListener("sent", ask);
const before = seenBefore();
if (!view && before && before < Number(version)) compareWith(before);
if (location.hash) addEventListener("load", () => setTimeout(() => at("asks")?.focus({ preventScroll: true }))); // the next thing to do
reveal();
arrive();

// The browser may refuse to store anything, or have no room.
function ifAllowed(access) {
  try {
    return access(localStorage);
  } catch {
    return null;
  }
}

function kept(name) {
  return ifAllowed((memory) => memory.getItem(name));
}

function seenBefore() {
  const [known, sent] = [seen, `own-${game}`].map((name) => Number(kept(name)));
  return [Number(own), sent].includes(known + 1) ? known + 1 : known;
}

// Scrolls the newest round into view, and the last act below it.
function reveal() {
  for (const part of [newest(), at("act")]) part?.scrollIntoView({ block: "nearest" });
}

function newest() {
  return [...at("pad").querySelectorAll("tbody > tr")].at(-1);
}

function isInSight(line) {
  const { top, bottom, right } = line.getBoundingClientRect();
  const foot = at("foot")?.getBoundingClientRect();
  const floor = foot?.left < right ? foot.top : innerHeight; // on a wide screen the foot is beside the pad
  return top < floor && bottom > 0;
}

function arrive() {
  if (tag) timer = setTimeout(ask, WAIT);
  else ask();
}

function leave() {
  clearTimeout(timer);
  if (view) return;
  ifAllowed((memory) => memory.setItem(seen, version));
  compareWith(version);
}

// Lets the board mark the rounds changed after that version.
function compareWith(known) {
  [since, tag] = [known, ""];
}

async function ask() {
  clearTimeout(timer);
  if (document.hidden) return;
  const hand = await hands();
  try {
    const answer = await fetch(address({ all, since, but: since && but }), {
      cache: "no-store",
      headers: tag ? { "If-None-Match": tag } : {},
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    if (answer.status === 403 || answer.status === 404) return refused();
    if (answer.status !== 304 && !answer.ok) throw answer.status;
    const html = answer.ok && (await answer.text());
    await hand?.lifted;
    if (html) show(html, answer.headers.get("ETag"));
    reached(true);
  } catch {
    reached(false);
  }
  timer = setTimeout(ask, WAIT);
}

function address(wishes) {
  const asked = String(new URLSearchParams(Object.entries(wishes).filter(([, wish]) => wish)));
  return location.pathname + (asked && `?${asked}`);
}

function reached(yes) {
  document.dispatchEvent(new CustomEvent("reached", { detail: yes }));
  if (yes) heard = new Date();
  const today = heard.toDateString() === new Date().toDateString();
  const day = today ? "" : `${heard.toLocaleDateString(document.documentElement.lang)}, `;
  at("heard").textContent = day + heard.toTimeString().slice(0, 5);
  at("offline").hidden = yes;
}

function show(html, newTag) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const stays = newest() && isInSight(newest());
  for (const sheet of page.querySelectorAll("link[rel=stylesheet]")) { // a seventh player has one more
    if (!document.querySelector(`link[href="${sheet.getAttribute("href")}"]`)) document.head.append(sheet);
  }
  for (const part of page.querySelectorAll("[data-part]")) exchange(at(part.id), part);
  document.dispatchEvent(new Event("shown"));
  if (stays) reveal();
  tag = newTag;
  const now = at("news");
  if (now.dataset.version === version) return;
  version = now.dataset.version;
  tell(now);
}

// Keeps the keyboard focus on the control that had it.
function exchange(old, part) {
  if (!old || old.outerHTML === part.outerHTML) return;
  const controls = (of) => [...of.querySelectorAll("a, button, input, summary")];
  const place = controls(old).indexOf(document.activeElement);
  old.replaceWith(document.adoptNode(part));
  if (place >= 0) controls(part)[place]?.focus();
}

function tell(news) {
  const [what, standing] = [...news.children].map((line) => line.textContent);
  at("cue").textContent = what;
  clearTimeout(telling);
  telling = setTimeout(() => (at("cue").textContent = ""), SHOWN);
  if (speaks()) say(`${what}. ${standing}`);
}

// The link was replaced: nothing can be changed here any more, and polling stops.
function refused() {
  at("gone").hidden = false;
  for (const acts of document.querySelectorAll("[data-acts], #watch")) acts.remove();
}

// Reads the score aloud, if the browser can and somebody has asked for it.
function speaks() {
  return kept("aloud") === "yes";
}

function say(words) {
  const said = new SpeechSynthesisUtterance(words.replaceAll("\u2212", "minus "));
  said.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

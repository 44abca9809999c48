// Follows a tournament: counts the clock down, asks every few seconds whether anything has
// changed and shows the new page, folds finished tables on a phone, and turns the pages of the
// ranks on a television. Without scripts, reloading the page shows the same.

const PHONE = matchMedia("(max-width: 899px)");
const WAIT = 4000;
const PATIENCE = 8000;
const TURN = 8000;
const CONTROLS = "a, button, input, summary";
const hands = import(document.querySelector("main").dataset.live).catch(() => null);
let tag = "";
let turned = 0;
let isAsking = false;
let ahead = 0; // how far the clock of the server is ahead of this device's, which may be wrong

addEventListener("visibilitychange", () => document.hidden || ask());
setInterval(tick, 1000);
setInterval(() => document.hidden || ask(), WAIT);
setInterval(turn, TURN);
ask(); // the time at the server is known before the clock ticks
turn();
fold([]);

function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.round((new Date(clock.dataset.ends) - Date.now() - ahead) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const bar = clock.parentElement.querySelector("progress");
    if (bar) bar.value = bar.max - left;
  }
}

// Shows one page of the ranks after the other.
function turn() {
  const list = document.querySelector("[data-rows]");
  if (!list) return;
  const rows = [...list.querySelectorAll("li")];
  const most = Number(list.dataset.rows);
  const first = (turned++ * most) % (Math.ceil(rows.length / most) * most || 1);
  rows.forEach((row, place) => (row.hidden = rows.length > most && (place < first || place >= first + most)));
}

// On a phone, finished tables are one line each; those that somebody has opened stay open.
function fold(opened) {
  for (const table of document.querySelectorAll("details.tbl")) table.open = !PHONE.matches || opened.includes(table.id);
}

async function ask() {
  const page = isAsking ? null : await answered();
  if (!page) return;
  const hand = await hands;
  await hand?.lifted;
  const [now, then] = [document, page].map((one) => one.querySelector("[data-version]"));
  // A refusal stays until it was read, and the next press names the version that was seen.
  if (!then || now.dataset.version === then.dataset.version || document.querySelector(".note-box.bad")) return;
  hand?.keepOpen(now, then);
  exchange(page);
}

// The page as it is now, if it is another one. One request at a time: a browser has six connections.
async function answered() {
  isAsking = true;
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(location.href, { headers, signal: AbortSignal.timeout?.(PATIENCE) });
    const told = Date.parse(answer.headers.get("Date")) - Date.now();
    if (Math.abs(told - ahead) > 2000) ahead = told; // it is told in whole seconds
    if (answer.status !== 200) return null;
    const html = await answer.text();
    tag = answer.headers.get("ETag") ?? "";
    return new DOMParser().parseFromString(html, "text/html");
  } catch {
    return null; // no network: the page stays as it is and asks again
  } finally {
    isAsking = false;
  }
}

// Shows the page in place of this one; the focus stays on its control, and that in its place.
function exchange(page) {
  const opened = [...document.querySelectorAll("details.tbl[open]")].map((table) => table.id);
  const { activeElement: focused, body } = document;
  const alike = () => [...document.querySelectorAll(CONTROLS)].filter((one) => nameOf(one) === nameOf(focused));
  const place = alike().indexOf(focused);
  const [top, height] = [focused.getBoundingClientRect().top, scrollY];
  body.className = page.body.className;
  for (const part of ["main", "body > header"]) document.querySelector(part)?.replaceWith(...page.querySelectorAll(part));
  turned = 0;
  tick();
  turn();
  fold(opened);
  scrollTo(0, height);
  const again = place >= 0 && (alike()[place] ?? alike()[0]);
  if (!again) return;
  again.focus({ preventScroll: true });
  scrollBy(0, again.getBoundingClientRect().top - top);
}

// What a control is called on every version of the page.
const nameOf = (one) => one.getAttribute("href") ?? one.closest("details.tbl")?.id ?? one.textContent;

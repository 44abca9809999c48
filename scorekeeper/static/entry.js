// The fast way to enter a round, on top of the form that works without scripts: one player at a
// time, with large keys. Keys only write into the fields of the form. The server says what a
// hand is worth, what is missing and what is wrong (live.js).
//
//   data-seat   the part of the form about one player, whose name is in data-name
//   data-keys   a field that keys write into: "way" (in the player's way of entry), "cards", "points" (laid.js)
//   data-list   how a field lists cards: empty for one row, "lines" for a meld per line, "card" for
//               a single one, "moves" for a line per card with its meld, as 9S 2.1
//   data-pad    a keypad: "points", "ranks", "cards", or "onto" for the melds that take a card

const form = document.querySelector("form[data-fast]");
const at = (id) => document.getElementById(id);
const { ender, packs, jokers, corner } = form.dataset;
const seats = [...form.querySelectorAll("[data-seat]")];
const pads = [...form.querySelectorAll("[data-pad]")];
const keys = [...form.querySelectorAll("[data-key]")];
const faces = new Map(keys.map((key) => [key.dataset.key.toLowerCase(), key]));

const turned = form.querySelector("[data-keys]:not([data-seat] *)"); // the upcard in Oklahoma
const ways = new Map(); // what was entered, by way of entry
let seat = null; // the player being entered
let field = null; // the field that the keys write into
let from = null; // a run is being entered: true, then the key of its first card
let moving = null; // the key of the card to be laid on a meld
let again = false; // the field held points when it was opened: the first digit replaces them
let before = null; // the answers of a draft that named somebody else than the board did
let chooses = "choose" in form.dataset; // how to enter is asked until something answers it
let saves = false; // Enter was pressed before the verdict arrived

// ---- the fields in use -----------------------------------------------------------

const CONDITIONS =
  ".ender, .others, .in-points, .in-cards, .not-in-points, .not-in-cards, .ender-in-cards, .held";

// The stylesheet hides fields that do not apply to the answers so far. Reading styles is slow,
// so what it hides is remembered until an answer changes; text is no answer.
const asked = new Map();

function isAsked(node) {
  if (!asked.has(node)) asked.set(node, isShown(node));
  return asked.get(node);
}

function isShown(node) {
  for (let part = node.closest(CONDITIONS); part; part = part.parentElement?.closest(CONDITIONS)) {
    if (getComputedStyle(part).display === "none") return false;
  }
  return true;
}

const checked = (name) => form.querySelector(`[name="${name}"]:checked`);
const chosen = (name) => checked(name)?.value;
const wayOf = (part) => chosen(`way-${part.dataset.seat}`);
const keyed = (part) => [...part.querySelectorAll("[data-keys]")];
const padOf = (one) => (one.dataset.keys === "way" ? wayOf(one.closest("[data-seat]")) : one.dataset.keys);
const held = (part) => keyed(part).find((one) => one.dataset.keys === "way");
const endedBy = (part) => chosen(ender) === part.dataset.seat;

function targets(part) {
  const asked = keyed(part).filter((one) => isAsked(one) && (one.dataset.list !== "moves" || canMove(one)));
  const counted = asked.filter((one) => padOf(one) !== "cards");
  return counted.length ? counted : asked;
}

// A card is laid off on a meld of the table, or exchanged for the joker in it.
const goesOnto = (one, meld) =>
  ("wild" in meld.dataset || !("wild" in one.dataset)) &&
  (meld.dataset.owner !== one.closest("[data-seat]").dataset.seat || !("others" in one.dataset));
const canMove = (one) => one.value.trim() || melds().some((meld) => goesOnto(one, meld));
const melds = () => [...form.querySelectorAll("[data-onto]")];

function isMissing(part) {
  const one = held(part);
  if (!one || one.value.trim() || !isAsked(one)) return false;
  if (endedBy(part) && chosen("how") === "gin") return false;
  return !endedBy(part) || Boolean(at(`cell-${part.dataset.seat}`)?.dataset.missing);
}

// The players in the order of the columns, beginning after one of them.
function after(part) {
  const place = seats.indexOf(part);
  return [...seats.slice(place + 1), ...seats.slice(0, place + 1)];
}

const nextMissing = (part) => after(part).find((one) => one !== part && isMissing(one));
// Begins with the upcard, if one is asked for, then after the player who ended the round.
function begin() {
  const first = seats[chosen(ender)] ?? (chosen(ender) && seats.at(-1)); // if nobody did, with the first player
  if (first && turned && !turned.value.trim()) open(null, turned);
  else open(first && (nextMissing(first) ?? after(first).find((one) => isAsked(held(one))) ?? after(first)[0]));
}

const isPlayed = () => chosen("outcome") === form.dataset.outcome;
// ---- writing --------------------------------------------------------------------------

const cardsIn = (text) => text.split(/[\s,;]+/).filter(Boolean);
const named = (token) => token.split("=")[0].toLowerCase();
const isLines = () => field.dataset.list === "lines";
const isMoves = () => field.dataset.list === "moves";
const moves = () => field.value.split("\n").filter((line) => line.trim());

const lastLine = () => (isLines() ? field.value.split("\n").at(-1) : field.value);

function write(text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function writeLine(cards) {
  write([...(isLines() ? field.value.split("\n").slice(0, -1) : []), cards.join(" ")].join("\n"));
}

function press(key) {
  if (isMoves()) return look(key);
  const cards = field.dataset.list === "card" ? [] : cardsIn(lastLine());
  const run = from?.dataset ? between(from, key) : [key];
  if (from) from = from === true ? key : null;
  writeLine([...cards, ...run.map((one) => one.dataset.key)]);
  if (field === turned) begin();
}

// Choosing the meld for a card; with a keyboard, the focus moves to the melds and back.
function look(key) {
  const before = moving;
  moving = key;
  render();
  (key ? melds().find((meld) => !meld.hidden) : before)?.focus();
}

function lay(onto) {
  const move = `${moving.dataset.key} ${onto}`;
  look(null);
  write([...moves(), move].join("\n"));
}

// The cards after the first up to the last; 9 to 5 means 5 to 9 where runs end at the ace.
function between(first, last) {
  const suit = [...first.parentElement.querySelectorAll("[data-key]")].slice(0, 13);
  const [low, high] = [suit.indexOf(first), suit.indexOf(last)];
  if (high < 0 || low < 0 || low === high) return [last];
  if (low < high) return suit.slice(low + 1, high + 1);
  if (high === 0 || corner) return [...suit.slice(low + 1), ...suit.slice(0, high + 1)];
  return suit.slice(high, low);
}

const TOOLS = {
  back() {
    from = null;
    if (moving) return look(null);
    if (isMoves()) return write(moves().slice(0, -1).join("\n"));
    if (padOf(field) === "points") return write(field.value.slice(0, -1));
    if (isLines() && !lastLine().trim()) return write(field.value.replace(/\n?[^\n]*$/, ""));
    writeLine(cardsIn(lastLine()).slice(0, -1));
  },
  run() {
    from = from ? null : true;
    render();
  },
  meld() {
    from = null;
    if (lastLine().trim()) write(`${field.value}\n`);
  },
};

function type(digit) {
  if (digit === "+" && !/\d$/.test(field.value)) return;
  write(again && digit !== "+" ? digit : field.value + digit);
}

// ---- showing --------------------------------------------------------------------------

function open(part, where) {
  seat = part;
  from = moving = null;
  field = where ?? (part && targets(part)[0]);
  again = Boolean(field?.value) && padOf(field) === "points";
  render();
  requestAnimationFrame(scrollToLine); // the layout is known then
}

// The whole pack comes before what stands above it, where the line stays in sight anyway.
function scrollToLine() {
  if (!seat || form.offsetTop + form.offsetHeight <= innerHeight) scrollTo(0, 0);
  else if (form.dataset.now === "cards") scrollTo(0, document.documentElement.scrollHeight);
  else at("line").scrollIntoView();
}

function render() {
  if (seat && !targets(seat).includes(field)) field = targets(seat)[0];
  if (!isPlayed()) [seat, field] = [null, null];
  if (!field || !isMoves()) moving = null;
  chooses &&= !seats.some((part) => held(part)?.value.trim());
  const asks = chooses && field?.dataset.keys === "way";
  const pad = moving ? "onto" : field && !asks ? padOf(field) : "";
  form.dataset.now = moving ? "cards" : pad;
  form.classList.toggle("seated", !!seat);
  form.classList.toggle("asks-way", asks);
  form.classList.toggle("at-ender", !!seat && endedBy(seat));
  form.classList.toggle("asking", isPlayed() && (!chosen(ender) || isAt(":focus-visible")));
  showWinner();
  for (const part of seats) {
    part.classList.toggle("current", part === seat);
    at(`cell-${part.dataset.seat}`).ariaCurrent = part === seat ? "true" : null;
  }
  for (const one of pads) one.hidden = one.dataset.pad !== pad;
  if (seat) {
    showTargets(seat.querySelector(".targets"));
    showChips(seat.querySelector(".chips"), pad);
  }
  if (pad === "onto") showMelds();
  else if (pad && pad !== "points") markKeys();
  form.dataset.list = field?.dataset.list ?? "";
  form.dataset.field = field?.name ?? "";
  for (const one of keyed(form)) one.classList.toggle("again", again && one === field);
  showRefusal();
  for (const one of form.querySelectorAll("[data-tool=run]")) {
    one.ariaPressed = String(Boolean(from));
    one.disabled = /moves|card/.test(field?.dataset.list); // these take one card at a time
  }
  for (const one of form.querySelectorAll("[data-tool=meld]")) one.disabled = !field || !isLines();
  showNext();
}

// With a keyboard, the arrows go from name to name; the page moves on with the focus.
const isAt = (state) => form.querySelector(`.whos ${state}`);
form.querySelector(".whos").addEventListener("focusout", () => setTimeout(render));

function showWinner() {
  const [one, [words, other]] = [checked(ender), at("won").children];
  at("won").hidden = !one;
  form.classList.toggle("instead", Boolean(before));
  if (!one) return;
  words.textContent = one.dataset.won ?? words.dataset[before ? "instead" : "words"].replace("{player}", () => seats[one.value].dataset.name).replace("{before}", () => before?.name);
  other.textContent = other.dataset[before ? "undo" : "words"];
}

// Fills a row; the focus stays at its place.
function fill(row, ...parts) {
  const place = [...row.children].indexOf(document.activeElement);
  row.replaceChildren(...parts);
  [...row.querySelectorAll("button")].slice(0, place + 1).at(-1)?.focus();
}

function showTargets(row) {
  const choice = targets(seat);
  row.hidden = choice.length < 2;
  fill(row, ...choice.map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = one.dataset.label;
    button.ariaPressed = String(one === field);
    button.onclick = () => open(seat, one);
    return button;
  }));
}

function showChips(row, pad) {
  row.hidden = !pad || pad === "points";
  if (row.hidden) return;
  const caret = document.createElement("i");
  const shown = isMoves() ? moves() : cardsIn(lastLine());
  fill(row, ...shown.map((one, place) => chip(row, shown, one, place)), caret);
  requestAnimationFrame(() => (row.scrollLeft = row.scrollWidth));
}

function chip(row, shown, one, place) {
  const [card, onto] = isMoves() ? one.trim().split(/\s+(?=\S+$)/) : [one];
  const face = faces.get(named(card));
  const button = document.createElement("button");
  const drawn = document.createElement("span");
  button.type = "button";
  drawn.className = "card wide";
  drawn.append(face ? face.querySelector(".face").cloneNode(true) : card);
  button.append(drawn);
  if (onto) button.append(` → ${at(`onto-${onto}`)?.querySelector("small").textContent ?? onto}`);
  button.ariaLabel = row.dataset.remove.replace("{card}", face?.querySelector(".vh").textContent ?? card);
  button.onclick = () => {
    const left = shown.filter((_, other) => other !== place);
    if (isMoves()) write(left.join("\n"));
    else writeLine(left);
  };
  return button;
}

// The melds that the card may go to, in place of the keys.
function showMelds() {
  const card = faces.get(named(moving.dataset.key)).querySelector(".vh").textContent;
  at("onto-what").textContent = at("onto-what").dataset.words.replace("{card}", card);
  for (const meld of melds()) meld.hidden = !goesOnto(field, meld);
}

// Counts each card here and everywhere; keys of cards that are used up are disabled.
function markKeys() {
  const here = tally(cardsIn(field.value));
  const gone = tally(
    keyed(form)
      .filter((one) => padOf(one) !== "points" && !("uncounted" in one.dataset) && isAsked(one))
      .flatMap((one) => cardsIn(one.value)),
  );
  for (const key of keys) {
    const counts = key.parentElement.dataset.pad === "ranks";
    const name = counts ? key.dataset.rank : key.dataset.key.toLowerCase();
    const [held, used] = counts ? [here.ranks, gone.ranks] : [here.cards, gone.cards];
    const most = key.dataset.rank === "JK" ? jokers : counts ? 4 * packs : packs;
    const number = held.get(name) ?? 0;
    key.classList.toggle("held", number > 0);
    key.disabled = (used.get(name) ?? 0) >= Number(most);
    key.querySelector(".count")?.remove();
    if (!number) continue;
    const count = document.createElement("span");
    count.className = "count";
    count.textContent = number;
    key.append(count);
  }
}

function tally(names) {
  const [cards, ranks] = [new Map(), new Map()];
  const add = (to, name) => to.set(name, (to.get(name) ?? 0) + 1);
  for (const name of names.map(named)) {
    add(cards, name);
    if (faces.has(name)) add(ranks, faces.get(name).dataset.rank);
  }
  return { cards, ranks };
}

// Shows refusals in the foot, where they move no key; those about this player come first.
function showRefusal() {
  const said = [...at("why").querySelectorAll(".said")];
  const own = said.find((one) => seat && one.dataset.of.endsWith(`-${seat.dataset.seat}`));
  for (const one of said) one.hidden = one !== (own ?? said[0]);
  const told = [...at("why").querySelectorAll(".said, .warned")];
  const cut = told.some((one) => one.scrollHeight > one.clientHeight + 1);
  at("tell").hidden = !cut && !form.classList.contains("told");
}

at("tell").addEventListener("click", () => {
  at("tell").ariaExpanded = String(form.classList.toggle("told"));
  showRefusal();
});

// "On to the next" goes around the table and then gives way to "Save".
function showNext() {
  const next = (form.dataset.now || !field) && seat && nextMissing(seat);
  at("next").hidden = !next;
  if (next) at("next").textContent = at("next").dataset.words.replace("{player}", () => next.dataset.name);
}

// ---- pressing -------------------------------------------------------------------------

form.addEventListener("click", (event) => {
  if (form.matches(".asks-way") && event.target.name?.startsWith("way-")) render((chooses = false));
  const pressed = event.target.closest("button, a");
  if (!pressed || pressed.disabled) return;
  const { key, digit, tool, onto } = pressed.dataset;
  if (key) press(pressed);
  else if (onto) lay(onto);
  else if (digit) type(digit);
  else if (tool) TOOLS[tool]();
  else if (pressed.id === "next") goOn(!event.detail);
  else if (pressed.id === "other") callOff();
  else if (pressed.id.startsWith("cell-")) {
    event.preventDefault();
    open(seats[pressed.id.slice(5)]);
  }
});

form.addEventListener("input", (event) => {
  const { name = "" } = event.target;
  again = saves = false;
  if (!event.target.matches("[data-keys]")) asked.clear();
  if (name === "how") endedWith(event.target.value);
  else if (event.target.matches("[data-seat] .held *") && chosen("how")) knocks(event.target);
  if (name === ender) answered();
  else if (name.startsWith("way-")) changeWay(event.target);
  else render();
});

// Each way of entry keeps its own text, so that players can return to it. Players who have
// entered nothing yet switch to the same way.
function changeWay({ value: way }) {
  const one = held(seat);
  const texts = ways.get(one) ?? {};
  texts[form.dataset.now] = one.value;
  one.value = texts[way] ?? "";
  ways.set(one, texts);
  for (const part of seats) if (!held(part)?.value.trim()) at(`way-${part.dataset.seat}-${way}`).checked = true;
  open(seat);
}

// How the round ended belongs to the player who ended it.
function answered() {
  before = null;
  for (const one of [at("how-knock"), form.elements.hand_romme]) if (one) one.checked = one.type === "radio";
  begin();
}

function callOff() {
  if (before) before.own.value = before.value;
  if (before) return before.answers.forEach((answer) => answer.click());
  const one = checked(ender);
  one.checked = false;
  one.dispatchEvent(new Event("input", { bubbles: true }));
}

// The board names who ended the round, whatever an older draft says (count.js).
function call(one) {
  const old = checked(ender);
  if (!one || one === old) return;
  if (!seats[old?.value] || !seats[one.value]) return one.click();
  const own = held(seats[one.value]);
  import(form.dataset.count).then(({ replace }) => {
    before = replace(form, { old, one, own, name: seats[old.value].dataset.name });
    render();
  }, () => one.click());
}

// A player with gin has nothing left, and the keys go on; one with something left has knocked.
function endedWith(how) {
  const part = how === "gin" && seats[chosen(ender)];
  if (part) held(part).value = "";
  if (part && part === seat) begin();
}

function knocks(one) {
  const part = one.closest("[data-seat]");
  if (endedBy(part) && held(part).value.trim() > "0") at("how-knock").checked = true;
}

// Goes on to the next player or to the end; with a keyboard the focus follows.
function goOn(focused) {
  const next = seat && nextMissing(seat);
  if (next) {
    open(next);
    if (focused) focusField();
  } else if (!at("save").disabled) at("save").click();
  else saves = isPlayed() && Boolean(chosen(ender)) && !seats.some(isMissing);
}

const focusField = () => (field?.focus(), again && field.select());

// Typing goes into the open field wherever the focus is; Enter goes on.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || form.inert) return;
  if (["Enter", " "].includes(key) && target.matches(".asks-way [name^=way-]")) {
    event.preventDefault();
    target.click(); // also where it is checked already
  } else if (key === "Enter" && target.matches("input[data-keys], [type=radio]")) {
    event.preventDefault();
    isAt(":focus") ? focusField() : goOn(true);
  } else if (field && /^[\p{L}\d+]$|^Backspace$/u.test(key) && !target.matches("input:not(.vh), textarea, select")) {
    focusField(); // the browser types it there
  }
});

// Prepares the form for the next round.
form.addEventListener("begun", () => {
  ways.clear();
  asked.clear();
  begin();
});

form.addEventListener("judged", () => {
  render();
  if (saves && !at("save").disabled) at("save").click();
});

// Without an answer the round cannot be judged, so it may be saved for later.
form.addEventListener("unanswered", () => {
  at("save").disabled = isPlayed() && (!chosen(ender) || seats.some(isMissing));
});

for (const row of form.querySelectorAll(".chips")) row.addEventListener("click", ({ target }) => target.closest("button") || field.focus());

const more = at("more");
more.hidden = false;
more.addEventListener("click", () => {
  more.ariaExpanded = String(form.classList.toggle("opened"));
  scrollTo(0, 0);
});

// Needed from the first press on, and by a draft: immediate counting, and a screen that stays on.
const onFirst = () => [form.dataset.count, form.dataset.awake].forEach((script) => import(script).catch(() => {}));
if (frameElement?.className === "framed" || !at("saved").hidden) onFirst(); // in a frame of the board, to be used without a connection (inside.js)
else form.addEventListener("input", onFirst, { once: true });
if (top === self && matchMedia("(min-width: 76em) and (min-height: 30em)").matches) import(form.dataset.beside).catch(() => {});

for (const fold of form.querySelectorAll("[data-seat] details")) fold.open = true;
form.classList.add("fast");
if (turned) {
  turned.inputMode = "none"; // the keys below replace the phone's keyboard
  turned.addEventListener("focus", () => field === turned || open(null, turned));
}
form.addEventListener("named", ({ detail }) => call(at(`ender-${detail}`)));
begin();
call(at(`ender-${new URLSearchParams(location.search).get("ender")}`));
history.replaceState(history.state, "", location.pathname); // a reload keeps what was answered since

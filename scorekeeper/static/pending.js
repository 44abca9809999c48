// Draws the rounds waiting in the outbox as lines of the pad, in order, with the totals and ranks
// that result. A round whose points only the server can compute shows none, and no totals are
// shown after it. A round that was sent stays until the server's pad replaces this one.
// Where players go out, it says who is out, also to the form of the next round.

const at = (id) => document.getElementById(id);
const { path, board, tally } = at("outbox").dataset;
const { after, ending, final, mayReturn, of, places, total, totalBack } = await import(tally);
const [NEXT, OWN] = [`next ${path}`, `own-${board.match(/\w+$/)}`];
let box; // what outbox.js lends
let drawn = null; // the rounds below the pad: those that were sent, then those that wait
let clean = null; // the pad without them

document.addEventListener("shown", () => drawn && draw()); // follow.js has replaced the pad

const versionOf = ({ fields }) => Number(fields.find(([name]) => name === "version")[1]);

export function draw(waiting = drawn.filter(({ name }) => box.kept(name)), lent = box) {
  box = lent;
  const pad = at("pad");
  const isMissing = (one) => one.path === path && versionOf(one) >= Number(at("news").dataset.version);
  const isSent = (one) => !box.kept(one.name) && versionOf(one) < box.kept(OWN);
  const sent = (drawn ?? box.kept(NEXT)?.sent ?? []).filter(isSent).filter(isMissing);
  drawn = [...sent, ...waiting.filter(isMissing)];
  for (const old of document.querySelectorAll(".pad .waits")) old.remove();
  at("ended").hidden = true;
  const rounds = at("asks") ? drawn : []; // follow.js has taken away what writes: nothing here will be recorded
  if (!pad.dataset.sheet) return;
  if (sent.length) box.keep(NEXT, beforeWaiting()); // for pages from the cache
  else box.forget(NEXT);
  const sheet = JSON.parse(pad.dataset.sheet);
  if (!rounds.length) return restore(pad, sheet);
  if (clean?.pad !== pad) clean = { pad, html: pad.innerHTML };
  let { now } = sheet;
  for (const [place, { score }] of rounds.entries()) {
    const before = now;
    now = now && score && after(now, sheet.rows + 1 + place, score);
    write(sheet, sheet.rows + 1 + place, score, { before, now });
  }
  if (now) writeHeads(sheet, now);
  writeNext(sheet, rounds);
  if (now && ending(now)) writeEnd(sheet, now);
  reveal(box);
  at("act").hidden = true; // it was not the last act
}

// The state in which the first of the waiting rounds finds the game: after those that were sent,
// which this pad does not have yet.
export function beforeWaiting() {
  const sheet = JSON.parse(at("pad").dataset.sheet);
  const sent = (drawn ?? []).filter(({ name }) => !box.kept(name));
  const now = sent.reduce((before, { score }, place) => before && score && after(before, sheet.rows + 1 + place, score), sheet.now);
  const version = sent.length ? box.kept(OWN) : Number(at("news").dataset.version);
  return { version, number: sheet.rows + 1 + sent.length, now, sent };
}

// Shows the pad without waiting rounds again: all were withdrawn.
function restore(pad, sheet) {
  if (clean?.pad !== pad) return;
  pad.innerHTML = clean.html;
  clean = null;
  if (!at("asks")) return;
  writeNumber(sheet.rows + 1);
  at("act").hidden = false;
}

// The form of the round after those that wait shows the row of the plan that comes then, and asks
// nothing of who is out by then, unless they come back, as its draft or the round it shows may say.
export function follow(form, rounds, shown, served) {
  let now = "now" in served ? served.now : JSON.parse(form.dataset.standing);
  for (const { number, score } of rounds) now = now && score && after(now, Number(number), score);
  if (!now) return;
  plan(form, now);
  if (now.out) ask(form, now, shown?.changed ?? shown?.fields ?? []);
}

function plan(form, { counted, laid }) {
  const shown = form.querySelector("[data-plan]");
  if (!shown) return;
  const { rows, words } = JSON.parse(shown.dataset.plan);
  const row = (played) => Math.min(played + 1, rows.length);
  for (const [seat, line] of [...shown.children].entries()) {
    const own = row(laid ? laid[seat] : counted);
    const player = at(`cell-${seat}`).querySelector(".who").textContent;
    line.textContent = laid ? said(words, { player, row: own, contract: rows[own - 1] }) : rows[own - 1];
  }
}

function ask(form, now, fields) {
  const was = form.innerHTML.length;
  let returns = false;
  for (const part of form.querySelectorAll("[data-seat]")) {
    const { seat } = part.dataset;
    const isOut = Boolean(now.out[seat]);
    const asks = [part, part.querySelector(".held"), at(`ender-${seat}`), form.querySelector(`[for=ender-${seat}]`)];
    for (const one of asks) one?.classList.toggle(`gone-${seat}`, isOut);
    at(`cell-${seat}`).classList.toggle("gone", isOut);
    const field = form.elements[`out-${seat}`];
    if (!isOut) field?.remove();
    else if (!field) part.prepend(Object.assign(document.createElement("input"), { type: "hidden", name: `out-${seat}`, value: "yes" }));
    if (!mayReturn(now, seat)) at(`back-${seat}`)?.remove();
    else if (offer(form.querySelector(".back template"), part.dataset, totalBack(now), fields)) returns = true;
  }
  for (const back of form.querySelectorAll(".back")) back.hidden = !back.querySelector("[id]");
  if (form.innerHTML.length !== was) form.dispatchEvent(new Event("begun")); // others are asked now
  if (returns) form.dispatchEvent(new Event("input", { bubbles: true }));
}

// Asks whether a player comes back. Returns whether the fields have answered this before it was asked.
function offer({ content, dataset, parentElement }, { seat, name: player }, n, fields) {
  const known = at(`back-${seat}`);
  const one = known ?? parentElement.appendChild(content.firstElementChild.cloneNode(true));
  const [words, answer] = one.querySelectorAll("span, input");
  one.id = `back-${seat}`;
  words.textContent = said(dataset.words, { player, n });
  answer.name = `rejoin-${seat}`;
  answer.onchange = () => at(`cell-${seat}`).classList.toggle("gone", !answer.checked);
  const returns = !known && fields.some(([name]) => name === answer.name);
  if (returns) answer.checked = true;
  answer.onchange();
  return returns;
}

// ---- drawing ----------------------------------------------------------------------------

function number(amount, { thousands }, signed) {
  const digits = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, thousands);
  return (amount < 0 ? "\u2212" : signed && amount > 0 ? "+" : "") + digits;
}

const said = (words, facts) => words.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
const made = (tag, about, ...within) => {
  const one = Object.assign(document.createElement(tag), about);
  one.append(...within);
  return one;
};

// Opening the board shows the newest round; afterwards the page stays where its reader is.
let revealed = false;
async function reveal(box) {
  if (revealed) return;
  revealed = true;
  await box?.script("waiting"); // its button makes the message higher, and the pad lower
  [...at("pad").querySelectorAll("tbody > tr")].at(-1).scrollIntoView({ block: "nearest" });
}

const columnsOf = ({ games, sides }) => (games.length ? games.flatMap((game) => sides.map((side) => `${game}, ${side}`)) : sides);

function write(sheet, nr, score, states) {
  const lines = at("waits").content.cloneNode(true);
  const [line] = lines.children;
  line.firstElementChild.textContent = nr;
  for (const [column, name] of columnsOf(sheet).entries()) {
    const cell = line.insertCell();
    cell.dataset.of = name;
    if (sheet.now.gin?.three) writeGame(cell, sheet, column, states);
    else writeCell(cell, sheet, column, { nr, score, now: states.now });
  }
  at("next").parentElement.before(made("tbody", {}, lines));
}

function writeCell(cell, sheet, side, { nr, score, now }) {
  const shown = (tally) => number(of(sheet.now.measure, tally), sheet, sheet.now.measure === "net");
  const own = score?.points[side];
  const add = (tag, text) => cell.appendChild(made(tag, {}, text));
  if (score?.mark?.[0] === side) add("em", score.mark[1]);
  const isGone = !own && now?.out?.[side];
  if (!isGone) add("b", own ? (score.silent && side !== score.winner ? "" : shown(own)) : "–");
  cell.className = isGone ? "gone" : !own ? "away" : now?.out?.[side] === nr ? "fell" : "";
  if (!now || isGone) return;
  add("small", shown(now.tallies[side]));
  if (sheet.both && own?.[1] && own[1] !== of(sheet.now.measure, own)) cell.lastChild.prepend(made("i", {}, number(own[1], sheet, true)), " ");
}

// Of three games, a round writes the new total wherever it counts.
function writeGame(cell, sheet, column, { before, now }) {
  const [game, side] = [Math.floor(column / 2), column % 2];
  const isEntered = now && now.columns[game].entries[side] > before.columns[game].entries[side];
  cell.append(made("b", {}, isEntered ? number(now.columns[game].points[side], sheet) : ""));
}

function writeHeads(sheet, now) {
  const heads = [...at("pad").querySelectorAll("thead tr:last-child th")];
  if (now.gin?.three) writeGames(sheet, now, heads);
  else for (const [side, rank] of places(now).entries()) writeHead(sheet, now, heads[side], { side, rank });
}

function writeHead(sheet, now, head, { side, rank }) {
  const { words } = sheet;
  const [tally, out, leads] = [now.tallies[side], now.out?.[side], rank === 1];
  head.querySelector(".total").textContent = number(of(now.measure, tally), sheet, now.measure === "net");
  const also = head.querySelector(".also");
  if (also && sheet.both) also.firstChild.data = `${number(tally[1], sheet, true)} `;
  else if (also && now.laid) also.textContent = said(words.laid, { n: now.laid[side] });
  if (now.columns) writeBoxes(sheet, head, now.columns[0].boxes[side]);
  head.className = `${leads ? "leads " : ""}${out ? "gone " : ""}rank-${rank}`;
  let place = head.querySelector(".place");
  if (!place && rank) place = head.appendChild(made("span", { className: "place" }));
  const left = now.out && (out ? said(words.went, { n: out }) : said(words.left, { n: number(now.limit - total(now, tally), sheet) }));
  if (place) place.textContent = leads && ending(now) ? words.won : left || (leads ? words.leads : sheet.places[rank - 1]);
  const name = at("asks").querySelectorAll(".names > *")[side];
  if (now.out && name?.href) name.hidden = Boolean(out);
}

// The heads of three games, and who has won those that are over.
function writeGames(sheet, now, heads) {
  const { words } = sheet;
  const states = now.columns.map(({ points, winner }) => (winner === null ? said(words.to_go, { n: number(now.limit - Math.max(...points), sheet) }) : words.over));
  for (const [place, head] of heads.entries()) {
    const [game, side] = [Math.floor(place / 2), place % 2];
    const { points, boxes } = now.columns[game];
    head.querySelector(".total").textContent = number(points[side], sheet);
    head.className = `${points[side] > points[1 - side] ? "leads " : ""}rank-0`;
    head.querySelector(".also").textContent = `${sheet.games[game]}, ${states[game]}`;
    writeBoxes(sheet, head, boxes[side]);
  }
  for (const [game, state] of at("pad").querySelectorAll("thead .games small").entries()) state.textContent = states[game];
  at("pad").querySelector("tbody .games")?.remove();
  if (now.columns.every(({ winner }) => winner === null)) return;
  const results = now.columns.map((column) => made("td", { colSpan: 2 }, ...resultOf(sheet, now, column)));
  at("next").before(made("tr", { className: "games" }, made("td", { className: "nr" }), ...results));
}

function resultOf(sheet, now, column) {
  if (column.winner === null) return [" ", made("small")];
  const count = final(now, column);
  const [own, other] = [count[column.winner], count[1 - column.winner]];
  const [name, more] = [sheet.sides[column.winner], number(own - other, sheet, true)];
  return [`${name} ${more} `, made("small", {}, said(sheet.words.count, { own: number(own, sheet), other: number(other, sheet) }))];
}

function writeBoxes(sheet, head, n) {
  head.querySelector(".boxes")?.remove();
  if (!n) return;
  const boxes = made("span", { className: "boxes", role: "img", ariaLabel: said(sheet.words.boxes, { n }) });
  boxes.append(...Array.from({ length: n }, () => made("i")));
  head.querySelector(".total").after(boxes);
}

// The dealer is shown only while nobody is absent. The seats are clockwise.
function writeNext(sheet, rounds) {
  const next = at("next");
  const { present: seats, turns, dealer: first, deals, begins } = sheet.deal;
  const areHere = ({ points }) => points.filter(Boolean).length === seats.length && seats.every((seat) => points[seat]);
  const goes = rounds.every(({ score }) => turns && score && areHere(score));
  const leftOf = (seat) => seats[(seats.indexOf(seat) + 1) % seats.length];
  const after = (dealer, { winner }) => (turns === "left" || dealer === winner ? leftOf(dealer) : dealer);
  next.querySelector("td").hidden = !goes;
  for (const words of next.querySelectorAll(".left")) words.remove(); // they count without the rounds that wait
  if (goes) {
    const dealer = rounds.reduce((seat, { score }) => after(seat, score), first);
    next.querySelector("strong").textContent = deals[dealer];
    next.querySelector("span").textContent = begins[leftOf(dealer)];
  }
  writeNumber(sheet.rows + 1 + rounds.length);
}

// A game that is over asks for no further round.
function writeEnd(sheet, now) {
  at("ended").hidden = false;
  const first = places(now).flatMap((rank, side) => (rank === 1 ? [side] : []));
  const names = first.map((side) => sheet.sides[side]);
  const { all, wins } = sheet.words;
  const players = names.length < 2 ? names.join() : all[first.at(-1)].replace("{others}", () => names.slice(0, -1).join(", "));
  at("ended").querySelector("b").textContent = said(wins[Number(names.length > 1 || sheet.teams)], { players });
}

function writeNumber(nr) {
  const [enter, round] = [at("next").querySelector("a"), at("asks").querySelector("small")];
  enter.textContent = nr;
  enter.ariaLabel = enter.dataset.words.replace("{number}", nr);
  round.textContent = round.dataset.words.replace("{number}", nr);
}

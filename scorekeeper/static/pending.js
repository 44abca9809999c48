// Draws the rounds waiting in the outbox as lines of the pad, in order, with the totals and ranks
// that result. A round whose points only the server can compute shows none, and no totals are
// shown after it. A round that was sent stays until the server's pad replaces this one.
// Where players go out, it says who is out, also to the form of the next round.

const at = (id) => document.getElementById(id);
let outbox = [];
let clean = null; // the pad without them

document.addEventListener("shown", () => draw()); // follow.js has replaced the pad

const versionOf = ({ fields }) => Number(fields.find(([name]) => name === "version")[1]);

export function draw(rounds = outbox, box) {
  const pad = at("pad");
  const recorded = Number(box?.kept(`own-${pad.dataset.entry.match(/\w+(?=\/round$)/)}`)); // the version of the last one
  const sent = box ? outbox.filter((one) => versionOf(one) < recorded && !rounds.some(({ name }) => name === one.name)) : [];
  for (const old of document.querySelectorAll(".pad .waits")) old.remove();
  rounds = outbox = [...sent, ...rounds].filter((one) => one.path === pad.dataset.entry && versionOf(one) >= Number(at("news").dataset.version));
  if (!pad.dataset.sheet) return;
  const sheet = JSON.parse(pad.dataset.sheet);
  if (!rounds.length) return restore(pad, sheet);
  if (clean?.pad !== pad) clean = { pad, html: pad.innerHTML };
  let [now, { counted }] = [{ ...sheet.pool, tallies: sheet.tallies }, sheet];
  for (const [place, { score }] of rounds.entries()) {
    now = now && score && after(now, sheet.rows + 1 + place, score);
    counted += Boolean(score?.points.some(Boolean));
    write(sheet, sheet.rows + 1 + place, score, now);
  }
  if (now) writeHeads(sheet, now, sheet.share * counted);
  writeNext(sheet, rounds);
  reveal(box);
  at("act").hidden = true; // it was not the last act
}

// Shows the pad without waiting rounds again: all were withdrawn.
function restore(pad, sheet) {
  if (clean?.pad !== pad) return;
  pad.innerHTML = clean.html;
  clean = null;
  writeNumber(sheet.rows + 1);
  at("act").hidden = false;
}

// ---- computing --------------------------------------------------------------------------

// Totals after a round, and who is out, as in domain/game/elimination.py. Who was out and has
// played has come back, with the highest total of those left. `out` has the round by side, or 0.
function after(now, number, score) {
  if (!now.out) return { ...now, tallies: added(now.tallies, score) };
  const isBack = now.out.map((round, side) => Boolean(round && score.points[side]));
  const start = totalBack(now);
  const before = now.tallies.map((one, side) => (isBack[side] ? [one[0] + start - total(now, one), ...one.slice(1)] : one));
  const tallies = added(before, score);
  const out = now.out.map((round, side) => (round && !isBack[side] ? round : isMet(now, total(now, tallies[side])) ? number : 0));
  return { ...now, tallies, out, entries: now.entries.map((times, side) => times + isBack[side]), last: number };
}

const total = ({ net }, [minus, plus]) => minus - (net ? plus : 0);
const isMet = ({ limit, over }, points) => points > limit || (!over && points === limit);
const totalsLeft = (now) => now.tallies.flatMap((one, side) => (now.out[side] ? [] : [total(now, one)]));
const totalBack = (now) => Math.max(...totalsLeft(now)) + now.more;

function mayReturn(now, side) {
  const [left, start] = [totalsLeft(now), totalBack(now)];
  const isInTime = now.out[side] && now.out[side] === now.last && left.length > 1;
  const isOften = now.most && now.entries[side] >= now.most;
  const isHigh = (now.up_to !== null && Math.max(...left) > now.up_to) || isMet(now, start);
  return now.more !== null && isInTime && !isOften && !isHigh;
}

// The form of the round after those that wait asks nothing of who is out by then, unless they come back.
export function follow(form, rounds) {
  let now = JSON.parse(form.dataset.pool);
  for (const { number, score } of rounds) now = now && score && after(now, Number(number), score);
  if (!now) return;
  const was = form.innerHTML.length;
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
    else offer(form.querySelector(".back template"), seat, part.dataset.name, totalBack(now));
  }
  for (const back of form.querySelectorAll(".back")) back.hidden = !back.querySelector("[id]");
  if (form.innerHTML.length !== was) form.dispatchEvent(new Event("begun")); // others are asked now
}

// Asks whether a player comes back.
function offer({ content, dataset, parentElement }, seat, player, n) {
  const one = at(`back-${seat}`) ?? parentElement.appendChild(content.firstElementChild.cloneNode(true));
  const [words, answer] = one.querySelectorAll("span, input");
  one.id = `back-${seat}`;
  words.textContent = dataset.words.replace("{player}", player).replace("{n}", n);
  answer.name = `rejoin-${seat}`;
  answer.onchange = () => at(`cell-${seat}`).classList.toggle("gone", !answer.checked);
}

// A tally of a side: minus, plus, rounds won, rounds played.
function added(tallies, { points, winner }) {
  return tallies.map(([minus, plus, won, played], side) => {
    if (!points[side]) return [minus, plus, won, played];
    const [more, gained, reduction] = points[side];
    return [minus + more - Math.min(minus, reduction), plus + gained, won + (winner === side), played + 1];
  });
}

const MEASURES = { minus: ([minus]) => minus, plus: ([, plus]) => plus, net: ([minus, plus]) => plus - minus };

// Who is out, or played fewer rounds than `least`, comes after all others.
function placesOf({ tallies, out }, measure, least) {
  const worth = (tally) => (measure === "minus" ? -tally[0] : MEASURES[measure](tally));
  const isFirst = (tally) => (out ? !out[tallies.indexOf(tally)] : tally[3] >= least);
  const better = (one, other) => isFirst(one) - isFirst(other) || worth(one) - worth(other) || one[2] - other[2];
  return tallies.map((own) => own[3] && 1 + tallies.filter((other) => other[3] && better(other, own) > 0).length);
}

// ---- drawing ----------------------------------------------------------------------------

function number(amount, { thousands }, signed) {
  const digits = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, thousands);
  return (amount < 0 ? "\u2212" : signed && amount > 0 ? "+" : "") + digits;
}

// Opening the board shows the newest round; afterwards the page stays where its reader is.
let revealed = false;
async function reveal(box) {
  if (revealed) return;
  revealed = true;
  await box?.script("waiting"); // its button makes the message higher, and the pad lower
  [...at("pad").querySelectorAll("tbody > tr")].at(-1).scrollIntoView({ block: "nearest" });
}

function write(sheet, nr, score, now) {
  const lines = at("waits").content.cloneNode(true);
  const [line] = lines.children;
  const shown = (tally) => number(MEASURES[sheet.measure](tally), sheet, sheet.measure === "net");
  line.firstElementChild.textContent = nr;
  for (const side of sheet.tallies.keys()) {
    const cell = line.insertCell();
    const own = score?.points[side];
    const add = (tag, text) => cell.appendChild(document.createElement(tag)).append(text);
    if (score?.mark?.[0] === side) add("em", score.mark[1]);
    const isGone = !own && now?.out?.[side];
    if (!isGone) add("b", own ? (score.silent && side !== score.winner ? "" : shown(own)) : "–");
    cell.className = isGone ? "gone" : !own ? "away" : now?.out?.[side] === nr ? "fell" : "";
    if (!now || isGone) continue;
    add("small", shown(now.tallies[side]));
    if (sheet.both && own?.[1] && own[1] !== MEASURES[sheet.measure](own)) cell.lastChild.prepend(Object.assign(document.createElement("i"), { textContent: number(own[1], sheet, true) }), " ");
  }
  const round = document.createElement("tbody");
  round.append(lines);
  at("next").parentElement.before(round);
}

function writeHeads(sheet, now, least) {
  const { tallies, out } = now;
  const places = placesOf(now, sheet.measure, least);
  for (const [side, head] of [...at("pad").querySelectorAll("thead th")].entries()) {
    head.querySelector(".total").textContent = number(MEASURES[sheet.measure](tallies[side]), sheet, sheet.measure === "net");
    const also = head.querySelector(".also");
    if (also) also.firstChild.data = `${number(tallies[side][1], sheet, true)} `;
    head.className = `${places[side] === 1 ? "leads " : ""}${out?.[side] ? "gone " : ""}rank-${places[side] || 0}`;
    let place = head.querySelector(".place");
    if (!place && places[side]) place = head.appendChild(Object.assign(document.createElement("span"), { className: "place" }));
    const left = out && (out[side] ? now.went.replace("{number}", out[side]) : now.left.replace("{n}", number(now.limit - total(now, tallies[side]), sheet)));
    if (place) place.textContent = left || (places[side] === 1 ? sheet.leads : sheet.places[places[side] - 1]);
    const name = at("asks").querySelectorAll(".names > *")[side];
    if (out && name?.href) name.hidden = Boolean(out[side]);
  }
}

// The dealer is shown only while nobody is absent.
function writeNext(sheet, rounds) {
  const nr = sheet.rows + 1 + rounds.length;
  const next = at("next");
  const seats = sheet.deal.present;
  const here = (points) => points.flatMap((one, side) => (one ? [side] : []));
  const goes = rounds.every(({ score }) => sheet.deal.turns && score && String(here(score.points)) === String(seats));
  const dealer = seats.indexOf(sheet.deal.dealer) + rounds.length;
  const seat = (place) => seats[place % seats.length];
  next.querySelector("td").hidden = !goes;
  for (const words of next.querySelectorAll(".left")) words.remove(); // they count without the rounds that wait
  if (goes) {
    next.querySelector("strong").textContent = sheet.deal.deals[seat(dealer)];
    next.querySelector("span").textContent = sheet.deal.begins[seat(dealer + 1)];
  }
  writeNumber(nr);
}

function writeNumber(nr) {
  const [enter, round] = [at("next").querySelector("a"), at("asks").querySelector("small")];
  enter.textContent = nr;
  enter.ariaLabel = enter.dataset.words.replace("{number}", nr);
  round.textContent = round.dataset.words.replace("{number}", nr);
}

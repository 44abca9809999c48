// Draws the rounds waiting in the outbox as lines of the pad, in order, with the totals and ranks
// that result. A round whose points only the server can compute shows none, and no totals are
// shown after it. A round that was sent stays until the server's pad replaces this one.

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
  let { tallies, counted } = sheet;
  for (const [place, { score }] of rounds.entries()) {
    tallies = tallies && score && added(tallies, score);
    counted += Boolean(score?.points.some(Boolean));
    write(sheet, sheet.rows + 1 + place, score, tallies);
  }
  if (tallies) writeHeads(sheet, tallies, sheet.share * counted);
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

// A tally of a side: minus, plus, rounds won, rounds played.
function added(tallies, { points, winner }) {
  return tallies.map(([minus, plus, won, played], side) => {
    if (!points[side]) return [minus, plus, won, played];
    const [more, gained, reduction] = points[side];
    return [minus + more - Math.min(minus, reduction), plus + gained, won + (winner === side), played + 1];
  });
}

const MEASURES = { minus: ([minus]) => minus, plus: ([, plus]) => plus, net: ([minus, plus]) => plus - minus };

// Who played fewer rounds than `least` comes after those who did not, unless everybody did.
function placesOf(tallies, measure, least) {
  const worth = (tally) => (measure === "minus" ? -tally[0] : MEASURES[measure](tally));
  const enough = (tally) => tally[3] >= least;
  const better = (one, other) => enough(one) - enough(other) || worth(one) - worth(other) || one[2] - other[2];
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

function write(sheet, nr, score, tallies) {
  const lines = at("waits").content.cloneNode(true);
  const [line] = lines.children;
  const shown = (tally) => number(MEASURES[sheet.measure](tally), sheet, sheet.measure === "net");
  line.firstElementChild.textContent = nr;
  for (const side of sheet.tallies.keys()) {
    const cell = line.insertCell();
    const own = score?.points[side];
    const add = (tag, text) => cell.appendChild(document.createElement(tag)).append(text);
    if (score?.mark?.[0] === side) add("em", score.mark[1]);
    add("b", own ? (score.silent && side !== score.winner ? "" : shown(own)) : "–");
    if (!own) cell.className = "away";
    if (!tallies) continue;
    add("small", shown(tallies[side]));
    if (sheet.both && own?.[1] && own[1] !== MEASURES[sheet.measure](own)) cell.lastChild.prepend(Object.assign(document.createElement("i"), { textContent: number(own[1], sheet, true) }), " ");
  }
  const round = document.createElement("tbody");
  round.append(lines);
  at("next").parentElement.before(round);
}

function writeHeads(sheet, tallies, least) {
  const places = placesOf(tallies, sheet.measure, least);
  for (const [side, head] of [...at("pad").querySelectorAll("thead th")].entries()) {
    head.querySelector(".total").textContent = number(MEASURES[sheet.measure](tallies[side]), sheet, sheet.measure === "net");
    const also = head.querySelector(".also");
    if (also) also.firstChild.data = `${number(tallies[side][1], sheet, true)} `;
    if (sheet.pool) continue; // the server says who is out, and what is left
    head.className = `${places[side] === 1 ? "leads " : ""}rank-${places[side] || 0}`;
    let place = head.querySelector(".place");
    if (!place && places[side]) place = head.appendChild(Object.assign(document.createElement("span"), { className: "place" }));
    if (place) place.textContent = places[side] === 1 ? sheet.leads : sheet.places[places[side] - 1];
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

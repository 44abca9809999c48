// An evening that came inside a link, behind the "#": drawn as it was, without Python and without a
// server. Nothing is computed here. Of several links of one evening the newest is shown.

import { formats, say } from "./words.js";

const FORMAT = 1;
const REMEMBERED = 12; // evenings of others, those seen last
const at = (id) => document.getElementById(id);

// Draws the evening; `leave` opens the reader's own evenings.
export async function showEvening(text, leave) {
  await draw(text, leave).catch(() => broken(leave));
}

async function draw(text, leave) {
  const given = await read(text);
  if (given[0] !== FORMAT) throw new Error("another format");
  const [known, isNewer] = newest(given, text);
  const [, , , language, time, title, system, heads, rows, under, games = []] = isNewer ? await read(known) : given;
  const [head, pad] = [bar(title, system), table(heads, rows, under, games)];
  head.lang = pad.lang = language; // the rest is in the reader's
  at("shown").append(
    head,
    ...(isNewer ? [note(say("browser.evening.newer"))] : []),
    one("div", "pad-sheet", {}, stamp(time), pad),
    note(say("browser.evening.picture")),
    one("div", "foot", {}, one("p", "lead", {}, say("browser.evening.reading")), own(leave)),
  );
  document.title = title;
  at("shown").hidden = false;
}

async function read(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(plain).text());
}

// Returns the newest text of this evening that was seen here, and whether it is newer than this one.
// Where nothing can be stored, every link is shown as it is.
function newest([, game, version], text) {
  try {
    const seen = JSON.parse(localStorage.getItem("seen evenings") ?? "[]");
    const [, before = 0, known] = seen.find(([other]) => other === game) ?? [];
    if (before > version) return [known, true];
    const others = seen.filter(([other]) => other !== game);
    localStorage.setItem("seen evenings", JSON.stringify([[game, version, text], ...others].slice(0, REMEMBERED)));
  } catch {} // no storage, or no room in it
  return [text, false];
}

function broken(leave) {
  at("shown").hidden = false;
  at("shown").append(bar("scorekeeper", ""), note(`${say("browser.link.word")} ${say("browser.link.line")}`), one("div", "foot", {}, own(leave)));
}

// ---- parts of the page ---------------------------------------------------------------

function one(tag, name, facts, ...inside) {
  const made = Object.assign(document.createElement(tag), facts);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

const bar = (title, under) => one("header", "bar", {}, one("div", "bar-text", {}, one("h1", "", {}, title), one("p", "", {}, under)));
const note = (words) => one("div", "note-box", {}, one("div", "", {}, words));

function own(leave) {
  const button = one("button", "btn main big", { type: "button" }, say("browser.evening.own"));
  button.onclick = leave;
  return button;
}

function stamp(time) {
  const then = new Date(time);
  const shown = new Intl.DateTimeFormat(formats(), { dateStyle: "short", timeStyle: "short" }).format(then);
  const minutes = Math.max(0, Math.round((Date.now() - then) / 60_000));
  const age = minutes < 120 ? say("browser.evening.age", { n: minutes }) : "";
  return one("div", "stamp", {}, one("b", "", {}, say("browser.evening.as_of", { time: shown })), one("span", "", {}, age));
}

// The pad in the parts and classes of a board (_board.html). Of several games side by side each has
// a title above the columns of its players.
function table(heads, rows, under, games) {
  const names = heads.map(([name], at) => [games[Math.floor((at * games.length) / heads.length)]?.[0], name].filter(Boolean).join(", "));
  const rounds = rows.map((row) => one("tbody", "", {}, ...line(row, names)));
  const [number, first, ...others] = under; // the number of the next round, none if the game is over
  const next = one("tr", "next", {}, one("th", "nr", { scope: "row" }, number));
  next.append(one("td", "", { colSpan: heads.length }, one("strong", "", {}, first), ...others.map((words) => one("span", "", {}, words))));
  const head = one("tr", "", {}, one("td", "nr", {}), ...heads.map(column));
  return one("table", size(heads, games), {}, one("thead", "", {}, ...titles(games, heads.length), head), ...rounds, one("tbody", "", {}, next));
}

function size(heads, games) {
  const totals = heads.map(([, total]) => total);
  const isNet = heads.length > 3 && totals.some((total) => /^[+−]/.test(total));
  const fits = { many: heads.length > 4, crowd: heads.length > 6, long: totals.some(({ length }) => length > 3), net: isNet, holly: games.length };
  return ["pad", ...Object.keys(fits).filter((name) => fits[name])].join(" ");
}

function titles(games, columns) {
  const drawn = games.map(([name, state]) => one("th", "", { scope: "colgroup", colSpan: columns / games.length }, `${name} `, one("small", "", {}, state)));
  return games.length ? [one("tr", "games", {}, one("td", "nr", {}), ...drawn)] : [];
}

function column([name, total, place, leads, laid]) {
  const shown = Object.entries({ name, total, also: laid, place }).filter(([, text]) => text);
  return one("th", leads ? "leads" : "", { scope: "col" }, ...shown.map(([part, text]) => one("span", part, {}, text)));
}

function line([number, struck, cells, notes], names) {
  const nr = one("th", "nr", { scope: "row", rowSpan: notes.length ? 2 : 1 }, String(number));
  const drawn = one("tr", struck ? "struck" : "", {}, nr, ...cells.map((given, at) => cell(given, names[at])));
  if (!notes.length) return [drawn];
  drawn.classList.add("marked");
  return [drawn, one("tr", "note", {}, one("td", "", { colSpan: names.length }, notes.join(". ")))];
}

function cell([points, after, mark], name) {
  const made = one("td", points === null ? "away" : "", {});
  made.dataset.of = name;
  if (mark) made.append(one("em", "", {}, mark));
  made.append(one("b", "", {}, points ?? "–"));
  if (after) made.append(one("small", "", {}, after));
  return made;
}

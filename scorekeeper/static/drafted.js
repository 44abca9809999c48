// Shows on the board the round that is being entered (outbox.js): its numbers in pencil in place of
// the next deal, the players who are missing, and one button that continues it in place of the
// question. The draft holds seats and numbers; the words are those of the page.

const at = (id) => document.getElementById(id);
let shown = null;

document.addEventListener("shown", () => draw(shown)); // follow.js has replaced the pad

// Who ended the round, who is out and the way of entry alone are no draft: the board goes on asking.
const ANSWERS = /^(version|key|winner|knocker|how|outcome|hand_romme|accept_irregular|(way|absent|out)-\d+)$/;
const isBegun = ({ fields }) => fields.some(([name, value]) => (ANSWERS.test(name) ? /void|cancelled/.test(value) : value.trim()));
const enderOf = ({ fields }) => fields.find(([name, value]) => /winner|knocker/.test(name) && value)?.[1];

export function draw(draft, box) {
  shown = draft = draft && isBegun(draft) ? draft : null;
  for (const old of document.querySelectorAll(".pad .draft")) old.remove();
  const [next, goOn] = [at("next"), at("go-on")];
  if (!next || !goOn) return;
  const isNext = draft?.cells && String(draft.number) === next.querySelector("th").textContent;
  next.hidden = Boolean(isNext);
  at("asks").hidden = Boolean(draft);
  goOn.hidden = !draft;
  if (!draft) return;
  if (!isNext) box?.script("waiting").then((list) => list?.recognise(draft, `draft ${at("pad").dataset.entry}`, box, box.changed));
  goOn.textContent = goOn.dataset.words.replace("{number}", draft.number);
  if (next.hidden) write(draft, next);
}

function write({ number, cells, ...draft }, next) {
  const { content, dataset: words } = at("drafted");
  const lines = content.cloneNode(true);
  const [line, note] = lines.children;
  const ender = Number(enderOf(draft) ?? -1);
  line.firstElementChild.textContent = number;
  const columns = at("pad").querySelectorAll("thead tr:last-child th").length;
  const together = cells.length !== columns && line.insertCell(); // two players share a column, or have three
  if (together) Object.assign(together, { colSpan: columns, className: "of-all" });
  for (const [seat, points] of cells.entries()) {
    const cell = together ? together.appendChild(document.createElement("p")) : line.insertCell();
    if (together) cell.append(at("asks").lastElementChild.children[seat].firstChild?.data ?? "", " ");
    const add = (tag, text) => Object.assign(cell.appendChild(document.createElement(tag)), { textContent: text });
    if (seat === ender) add("em", words.out);
    if (points) add("b", "").append(Object.assign(document.createElement("u"), { textContent: points }));
    else if (at("asks").lastElementChild.children[seat].hidden) cell.className = "gone";
    else if (points !== null) add("b", seat === ender ? "0" : "\u2013");
    else add("span", words.missing).className = "open";
  }
  const missing = [...cells.keys()].filter((seat) => cells[seat] === null);
  const names = missing.map((seat) => at("asks").lastElementChild.children[seat].textContent);
  const others = names.slice(0, -1).join(", ");
  const all = names.length < 2 ? names.join() : JSON.parse(at("asks").dataset.all)[missing.at(-1)].replace("{others}", () => others);
  const says = note.querySelector("[data-words]");
  says.textContent = names.length ? says.dataset.words.replace("{players}", () => all) : "";
  next.before(lines);
}

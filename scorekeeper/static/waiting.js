// What is done with a round of the outbox by hand: those that wait are listed, on request, to be
// changed and withdrawn, and one that was refused is explained. `box` is what outbox.js lends.

const PATIENCE = 3000;
const [NOT_OURS, JUDGED] = [[403, 404], [409, 422]];
const list = document.getElementById("unsent");
const opener = document.querySelector("[data-unsent]");

opener.hidden = false;
opener.addEventListener("click", () => {
  list.hidden = !list.hidden;
  opener.ariaExpanded = String(!list.hidden);
});

export function draw(rounds, box, shownIn = list, made = item) {
  const shown = JSON.stringify(rounds.map(({ name, number, score }) => [name, number, score]));
  if (shownIn.dataset.shown === shown) return; // nothing is exchanged under a finger
  shownIn.dataset.shown = shown;
  const buttons = () => [...shownIn.querySelectorAll("button")];
  const place = buttons().indexOf(document.activeElement);
  shownIn.replaceChildren(...rounds.map((round) => made(round, box)));
  if (place >= 0) (buttons()[place] ?? buttons().at(-1) ?? opener).focus();
}

function item({ name, number, score }, box) {
  const one = document.getElementById("unsent-one").content.firstElementChild.cloneNode(true);
  const [title, points] = one.querySelectorAll("b, span");
  title.textContent = title.dataset.title.replace("{number}", number);
  points.textContent = score ? written(score.points) : "";
  for (const button of one.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const round = box.waiting().find((other) => other.name === name); // as it is by now
      if (round) ACTS[button.value](round, box);
      else box.changed();
    });
  }
  return one;
}

// Rounds of games whose pen somebody else has are listed to be read out, and kept until they are
// discarded: this phone may get the pen again.
export function giveUp(boards, box) {
  const rounds = box.waiting().filter(({ name }) => boards.has(name.split(" ")[1]));
  for (const { name, withdrawn } of rounds) if (withdrawn) box.forget(name);
  const left = rounds.filter(({ withdrawn }) => !withdrawn);
  draw(left, box, document.getElementById("lost"), lost);
  if (left.length) box.show("gone");
  else box.show();
}

function lost(round, box) {
  const one = item(round, box);
  const [change, button] = one.querySelectorAll("button");
  change.remove();
  button.value = "discard";
  button.textContent = document.getElementById("lost").dataset.label;
  return one;
}

// Signs are needed only where some win points and others lose them.
function written(points) {
  const signed = [0, 1].every((kind) => points.some((own) => own?.[kind]));
  const text = (net) => (signed && net ? (net < 0 ? "\u2212" : "+") : "") + Math.abs(net);
  return points.map((own) => (own ? text(own[1] - own[0]) : "\u2013")).join(", ");
}

const ACTS = {
  // Nothing is sent from this round on until it is saved again, or put back as it was.
  change(round, { begin, put, show, visit }) {
    const isStored = put({ ...round, changing: true }); // otherwise only this page knows
    if (round.path === location.pathname) return begin(round);
    if (isStored && visit(round.path)) return;
    put(round);
    show("stays");
  },

  // A round that was sent is kept with less than before, for which a full storage has room too.
  withdraw(round, box) {
    const { name, path, number, fields } = round;
    if (round.tried === false) takeOut(round, box);
    else {
      box.put({ name, path, number, fields, withdrawn: true });
      renumber(round, -1, box);
    }
    box.settle(round.name);
    box.changed();
    box.send();
  },
};

ACTS.discard = ({ name }, box) => {
  box.forget(name);
  box.changed();
};

// A change is given up, or a round that was refused, maybe because the server has it.
export function discard(round, box) {
  if (document.querySelector("#both .ask, [data-recorded]")) box.forget(round.name);
  else if (round.changing) box.put({ ...round, changing: false, changed: undefined });
  else takeOut(round, box);
}

// Version 1.0 stored a round that it was sending under the path of its form.
export function adopt(names, { forget, keep, kept, random }) {
  for (const name of names.filter((one) => one.startsWith("sending "))) {
    const path = name.slice("sending ".length);
    const round = { path, score: null, tried: true, ...kept(name) };
    if (keep(`outbox ${path.match(/^.*\/g\/\w+/)[0]} 000000 ${random()}`, round)) forget(name);
  }
}

// A browser that ended suddenly may have kept the draft of a round and not that it was sent. The
// server leads from the key of a round that it has to the board.
export async function recognise({ fields }, name, { forget }, recognised) {
  const key = fields.find(([field]) => field === "key")?.[1];
  const [board] = name.match(/\S*\/g\/\w+/);
  const answer = key && (await fetch(`${board}/round?key=${key}`, { method: "HEAD" }).catch(() => null));
  if (!answer || new URL(answer.url).pathname !== board) return;
  forget(name);
  recognised();
}

// The token of this form was made with another key, or before this phone had a secret: take a new
// one, or none if this phone may not write any more.
export async function tokenOf({ path }, ask) {
  const answer = await ask(path);
  if (NOT_OURS.includes(answer.status)) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("[name=csrf_token]").value;
}

// Opens the own form of a refused round: in that of the next round it would be recorded again. If
// a corrected round has another number now, because a missed round was entered before it, the
// input becomes the draft of the form with the new number.
export function leadsAway({ name, path, fields }, page, { at, forget, keep }) {
  const now = page.querySelector("form[data-draft]");
  const moved = now?.getAttribute("action");
  const to = moved ?? path;
  if (to === location.pathname) return false;
  if (moved) {
    const { version, notation } = now.elements;
    const draft = { number: now.dataset.draft, basis: "", notation: notation.value, ...at({ fields }, version.value) };
    if (!keep(`draft ${to}`, draft)) return false;
    forget(name);
  }
  location.assign(to);
  return true;
}

// Shows in the form why the server refused its round. The page of another round is not shown: with
// its version, the form would record one more round without a question.
export async function explain(form, page, { held, show, to }) {
  const now = page.querySelector("form[data-draft]");
  if (!now || now.hasAttribute("action") || to !== location.pathname) return show("refused");
  await styled(page.querySelector("#both link"));
  form.elements.version.value = now.elements.version.value;
  if (!held) form.dataset.draft = now.dataset.draft;
  if (!page.querySelector("#both .ask")) form.dataset.basis = now.dataset.basis;
  form.dispatchEvent(new CustomEvent("answered", { detail: page }));
}

// Two entries of a round are shown once their stylesheet has arrived, or if it does not.
function styled(sheet) {
  return sheet && new Promise((done) => {
    sheet.onload = sheet.onerror = done;
    setTimeout(done, PATIENCE);
    document.head.append(sheet);
  });
}

// Whether the server has recorded a round that was withdrawn since, maybe under its key as it was
// before a change. If it has judged that there is none, nothing is left of the round.
export function hasArrived(round, status, page, box) {
  if (page.querySelector("[data-recorded]")) return true;
  if (!JUDGED.includes(status)) throw status;
  takeOut(round, box);
  return false;
}

const isCounted = ({ path }) => path.endsWith("/round"); // no correction

// Takes out a round that will not be recorded: later rounds expect a version that is lower by one.
function takeOut(round, box) {
  const { at, behind, forget, put, settle, versionOf } = box;
  for (const one of behind(round)) put(at(one, versionOf(one) - 1));
  if (!round.withdrawn) renumber(round, -1, box);
  forget(round.name);
  settle();
}

// Renumbers the rounds and the draft after a round: by -1 when it is withdrawn, since the form does
// not count it any more, and by 1 if it had arrived after all.
function renumber(round, by, { behind, keep, kept, put }) {
  if (!isCounted(round)) return;
  const moved = (number) => Number(number) + by;
  for (const one of behind(round).filter(isCounted)) put({ ...one, number: moved(one.number) });
  const place = `draft ${round.path}`;
  const draft = kept(place);
  if (draft && moved(draft.basis) >= Number(round.number) + Math.max(by, 0)) keep(place, { ...draft, number: moved(draft.number), basis: `${moved(draft.basis)}` });
}

// The server has a round that was withdrawn. Returns its number if its board is open, which says
// so; otherwise the board will.
export function arrive(round, isOpen, box) {
  renumber(round, 1, box);
  return isOpen ? round.number : box.keep(`arrived ${round.name.split(" ")[1]}`, round.number) && null;
}

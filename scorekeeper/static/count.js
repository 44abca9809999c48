// Counts while a round is entered, at once and without a connection: the points of cards, the
// players still missing, the line of the round. The rates come from the server
// (domain/scoring/rates.py). Its verdict follows and replaces these numbers (live.js); whatever
// depends on an arrangement or a check is left to it.

const SUM = /^\s*\d{1,4}(\s*\+\s*\d{1,4})*\s*$/;
const NONE = /^[-–−—]$/;

// Reads what a player has left from the text of one way of entry: the points and the numbers
// that they are the sum of; null if nothing is entered, undefined if only the server can tell.
export function left(rates, way, text, rankOf, ends = false) {
  if (!text.trim()) return null;
  if (way === "points") return SUM.test(text) ? total(text.split("+").map(Number)) : undefined;
  if (way === "cards" && rates.arranged && !(ends && rates.line)) return undefined;
  const cards = NONE.test(text.trim()) ? [] : text.split(/[\s,;]+/).filter(Boolean);
  const values = cards.map((card) => rates.cards[rankOf(card)]);
  return values.includes(undefined) ? undefined : total(values);
}

const total = (parts) => ({ points: parts.reduce((sum, one) => sum + one, 0), parts });

// Returns the points of a round by seat: minus, plus and reduction; null for an absent player.
// `held` is what each player has left, undefined where only the server can tell.
export function score(rates, { winner, held, away, handRomme }) {
  if (!rates.line || held.some((one, seat) => one === undefined && !away[seat])) return null;
  const factor = handRomme ? rates.factor : 1;
  const rest = held[winner] ?? 0;
  if (rest > rates.max_rest || away[winner]) return null;
  const others = held.map((one, seat) => (seat === winner || away[seat] ? 0 : (one ?? 0) * (rates.collects ? 1 : factor)));
  const gained = rates.collects || rates.gains ? others.reduce((sum, one) => sum + one, 0) : 0;
  const own = [rates.collects ? 0 : rest, gained, rates.collects ? 0 : rates.reduction * factor];
  return held.map((_, seat) => (away[seat] ? null : seat === winner ? own : [rates.collects ? 0 : others[seat], 0, 0]));
}

// ---- in the form ------------------------------------------------------------------------

const form = document.querySelector("form[data-rates]");

if (form) {
  const rates = JSON.parse(form.dataset.rates);
  const words = JSON.parse(form.dataset.said);
  const ranks = new Map([...form.querySelectorAll("[data-key]")].map((key) => [key.dataset.key.toLowerCase(), key.dataset.rank]));
  const rankOf = (card) => ranks.get(card.split("=")[0].toLowerCase());
  const seats = [...form.querySelectorAll("[data-seat]")];
  const at = (id) => document.getElementById(id);
  const of = (name) => form.elements[name];

  const knocks = form.dataset.outcome === "knock"; // the player who knocks has points left too

  const count = () => {
    if (of("outcome").value !== form.dataset.outcome) return;
    const hasGin = knocks && of("how")?.value === "gin";
    const chosen = of(form.dataset.ender).value;
    const winner = chosen === "" ? null : Number(chosen);
    const entries = seats.map((_, seat) => read(seat, seat === winner));
    const isAsked = (seat) => seat !== winner || (knocks && !hasGin);
    const missing = entries.flatMap(({ held, away }, seat) => (held === null && !away && isAsked(seat) ? [seat] : []));
    const away = entries.map((one) => one.away);
    const held = entries.map((one) => (one.held ? one.held.points : one.held));
    const handRomme = Boolean(of("hand_romme")?.checked);
    const points = winner === null ? null : score(rates, { winner, held, away, handRomme });
    entries.forEach(showSum);
    if (rates.line && (winner === null || points)) showLine({ winner, missing, points, held });
    showState({ winner, missing, points, held });
    if (points && !missing.length) {
      form.dataset.score = JSON.stringify({ points, winner, mark: [winner, words.out], silent: rates.collects });
    }
    form.dispatchEvent(new Event("counted"));
  };

  // The fields that the form currently asks a player for.
  const read = (seat, ends) => {
    const way = of(`way-${seat}`).value;
    const text = of(`hand-${seat}`).value;
    if (!ends && of(`absent-${seat}`)?.checked) return { away: true, held: undefined };
    if (ends && !form.dataset.enderHolds.split(" ").includes(way)) return { away: false, held: null };
    return { away: false, held: left(rates, way, text, rankOf, ends), plain: way === "points" && !text.includes("+"), summed: way !== "points" };
  };

  const showSum = ({ held, plain, summed }, seat) => {
    const working = at(`working-${seat}`);
    working.querySelector(".reckon")?.remove();
    if (!held || plain) return;
    const line = document.createElement("p");
    const output = document.createElement("output");
    const sum = document.createElement("span");
    line.className = "reckon";
    sum.textContent = summed ? held.parts.join(" + ") : "";
    output.textContent = written(held.points);
    line.append(sum, " ", output);
    working.prepend(line);
  };

  const written = (number, signed) => {
    const digits = String(Math.abs(number)).replace(/\B(?=(\d{3})+$)/g, words.thousands);
    return (number < 0 ? "\u2212" : signed && number > 0 ? "+" : "") + digits;
  };

  const showLine = ({ winner, missing, points, held }) => {
    for (const seat of seats.keys()) {
      const cell = at(`cell-${seat}`);
      const isOut = seat === winner;
      const isMissing = missing.includes(seat);
      cell.classList.toggle("out", isOut);
      if (isMissing) cell.dataset.missing = "yes";
      else delete cell.dataset.missing;
      const shown = points?.[seat] && inCell(points, seat, held[seat]);
      const text = isOut ? [words.out, shown && shown !== "0" ? shown : ""].filter(Boolean).join(" ") : isMissing ? words.missing : (shown ?? "–");
      const mark = document.createElement(isOut || (!isMissing && shown) ? "b" : "span");
      if (mark.tagName === "SPAN") mark.className = "open";
      mark.textContent = text;
      cell.replaceChildren(cell.querySelector(".who"), mark);
    }
  };

  // The points that the winner collects are shown at the players they come from.
  const inCell = (points, seat, held) => {
    const [minus, plus] = points[seat];
    if (rates.collects && !plus) return written(held ?? 0);
    const amount = { minus, plus, net: plus - minus }[rates.measure];
    return written(amount, rates.measure === "net");
  };

  const showState = ({ winner, missing, points, held }) => {
    const state = at("why").querySelector(".state");
    const bold = document.createElement("b");
    if (winner === null) bold.textContent = words.who;
    else if (missing.length) bold.textContent = words.is_missing.replace("{players}", allOf(missing.map((seat) => seats[seat].dataset.name)));
    else if (points) bold.textContent = words.fits;
    else return;
    const counts = (seat) => typeof held[seat] === "number" && points[seat] && seat !== winner;
    const entered = points && missing.length ? [...seats.keys()].filter(counts) : [];
    const { points: sum, parts } = total(entered.map((seat) => (rates.collects ? held[seat] : points[seat][0])));
    const soFar = parts.length > 1 ? words.so_far.replace("{sum}", `${parts.join(" + ")} = ${sum}`) : "";
    state.replaceChildren(bold, " ", soFar);
  };

  const allOf = (names) => {
    if (names.length < 2) return names[0];
    return words.and.replace("{a}", names.slice(0, -1).join(", ")).replace("{b}", names.at(-1));
  };

  form.addEventListener("input", count);
  count();
}

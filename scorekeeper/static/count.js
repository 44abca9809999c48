// Counts while a round is entered, at once and without a connection: the points of cards, the
// players still missing, the line of the round, the result of a knock (knocks.js). The rates come
// from the server (domain/rounds/scoring/rates.py). Its verdict follows and replaces these numbers
// (live.js); whatever depends on an arrangement or a check is left to it.

const SUM = /^\s*\d{1,4}(\s*\+\s*\d{1,4})*\s*$/;
const NONE = /^[-–−—]$/;

// Reads what a player has left from the text of one way of entry: the points and the numbers
// that they are the sum of; null if nothing is entered, undefined if only the server can tell.
export function left(rates, way, text, rankOf, ends = false, prices = rates.cards) {
  if (!text.trim()) return null;
  if (way === "points") return SUM.test(text) ? total(text.split("+").map(Number)) : undefined;
  if (way === "cards" && rates.arranged && !(ends && rates.line)) return undefined;
  const cards = NONE.test(text.trim()) ? [] : text.split(/[\s,;]+/).filter(Boolean);
  const values = cards.map((card) => prices[rankOf(card)]);
  return values.includes(undefined) ? undefined : total(values);
}

const total = (parts) => ({ points: parts.reduce((sum, one) => sum + one, 0), parts });

// Reads what a player pays whatever the hand: for having left the round, or for having laid nothing;
// null if the hand counts, undefined while it is not said whether anything was laid.
export function priced(rates, { drop, hasLaid }) {
  if (drop) return total([rates.drops[drop]]);
  if (!rates.not_laid || hasLaid === true) return null;
  return hasLaid === false ? total([rates.not_laid]) : undefined;
}

// Returns the points of a round by seat: minus, plus and reduction; null for an absent player.
// `held` is what each player has left, or pays for having dropped out, and `laid` what they have
// laid; undefined where only the server can tell.
export function score(rates, { winner, held, away, handRomme, oneRun, laid = [], dropped = [] }) {
  const isOpen = (one, seat) => one === undefined && !away[seat];
  if (!rates.line || held.some(isOpen) || (rates.melded && laid.some(isOpen))) return null;
  const factor = handRomme ? rates.factor : 1;
  const rest = held[winner] ?? 0;
  if (rest > rates.max_rest || away[winner]) return null;
  if (rates.melded) return held.map((one, seat) => (away[seat] ? null : [one ?? 0, laid[seat], 0]));
  const most = (points, seat) => (rates.cap && !dropped[seat] ? Math.min(points, rates.cap) : points);
  const others = held.map((one, seat) => (seat === winner || away[seat] ? 0 : most((one ?? 0) * factor, seat)));
  const gained = rates.collects || rates.gains ? others.reduce((sum, one) => sum + one, 0) : 0;
  const isAtOnce = rates.arranged ? !rest : handRomme;
  const bonus = (oneRun ? rates.one_run : isAtOnce && !rates.collects && rates.bonus) || 0;
  const own = [rates.collects ? 0 : rest, gained + bonus, rates.collects ? 0 : rates.reduction * factor];
  return held.map((_, seat) => (away[seat] ? null : seat === winner ? own : [rates.collects ? 0 : others[seat], 0, 0]));
}

// Lets the name that was pressed on the board replace that of an older draft. The numbers of the
// others stay; the winner's own number and how the round ended can be brought back.
export function replace(form, { old, one, own, name }) {
  const isOn = (mark) => mark?.checked;
  const marks = [form.querySelector("#how-gin"), form.elements.hand_romme, form.elements.one_run].filter(isOn);
  const typed = [...form.querySelectorAll("[data-keys=way]")].some(({ value }) => value.trim());
  const { value } = own;
  if (form.dataset.outcome === "out") own.value = "";
  one.click();
  return typed ? { name, own, value, answers: [old, ...marks] } : null;
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
  const knock = knocks && (await import(form.dataset.knocks).catch(() => null));
  const number = form.dataset.draft;

  const count = () => {
    if (of("outcome").value !== form.dataset.outcome) return;
    const hasGin = knocks && of("how")?.value === "gin";
    const chosen = of(form.dataset.ender).value;
    const winner = chosen === "" ? null : Number(chosen);
    const entries = seats.map((_, seat) => read(seat, winner));
    const isAsked = (seat) => seat !== winner || (knocks && !hasGin);
    const missing = entries.flatMap(({ held, away }, seat) => (held === null && !away && isAsked(seat) ? [seat] : []));
    const away = entries.map((one) => one.away);
    const held = entries.map((one) => (one.held ? one.held.points : one.held));
    if (hasGin && winner !== null) held[winner] ??= 0;
    const isOn = (name) => Boolean(of(name)?.checked);
    const [laid, dropped] = ["laid", "dropped"].map((name) => entries.map((one) => one[name]));
    const round = { winner, held, away, laid, dropped, handRomme: isOn("hand_romme"), oneRun: isOn("one_run") };
    const scored = winner === null ? null : knocks ? scoreKnock(round, missing) : scoreOut(round);
    const points = scored?.points;
    const times = round.handRomme ? rates.factor : 1;
    entries.forEach((entry, seat) => showSum(entry, seat, seat === winner ? 1 : times));
    const isTold = rates.gin ? held.every((one, seat) => one !== undefined || away[seat]) : points;
    const out = hasGin ? words.marks.gin : round.handRomme ? words.hand_romme : words.out;
    if (winner === null || isTold) showLine({ winner, missing, points, held, out });
    showState({ winner, missing, points, held });
    if (points && !missing.length) {
      const { winner: side, mark } = scored;
      const laid = entries.map((entry, seat) => seat === winner || entry.hasLaid === true);
      const back = [...seats.keys()].filter((seat) => isOn(`rejoin-${seat}`));
      const wins = round.oneRun && rates.one_run_wins;
      form.dataset.score = JSON.stringify({ points, winner: side, mark: [mark[0], words.marks[mark[1]]], silent: rates.collects, boxes: scored.boxes, laid, back, wins });
    }
    if (rates.gin && isTold) showResult(missing.length ? null : scored);
    form.dispatchEvent(new Event("counted"));
  };

  const scoreOut = (round) => {
    const points = score(rates, round);
    return points && { points, winner: round.winner, mark: [round.winner, "out"] };
  };

  // A round with a call (Hirschn!, the glass) is left to the server.
  const CALLS = "[name=hirschn_caller], [name^=glass_by]";
  const scoreKnock = (round, missing) => {
    const isCalled = [...form.querySelectorAll(CALLS)].some((one) => one.value);
    if (!knock || missing.length || isCalled || round.held.some((one, seat) => one === undefined && !round.away[seat])) return null;
    const joker = Boolean(of(`joker_discarded-${round.winner}`)?.checked);
    return knock.score(rates, { ...round, joker, big: Boolean(of("big_gin")?.checked), upcard: rankOf(of("oklahoma_card")?.value.trim() ?? "") });
  };

  // The fields that the form currently asks a player for.
  const read = (seat, winner) => {
    const ends = seat === winner;
    const defends = rates.gin && winner !== null && (rates.gin.teams ? seat % 2 !== winner % 2 : !ends);
    const way = of(`way-${seat}`).value;
    const text = of(`hand-${seat}`).value;
    const isOut = of(`out-${seat}`) && !of(`rejoin-${seat}`)?.checked;
    if ((!ends || rates.gin) && (isOut || of(`absent-${seat}`)?.checked)) return { away: true, held: undefined };
    if (ends && !form.dataset.enderHolds.split(" ").includes(way)) return { away: false, held: null };
    const drop = ends ? "" : of(`drop-${seat}`)?.value;
    const hasLaid = ends || laidSaid(of(`laid-${seat}`));
    const price = priced(rates, { drop, hasLaid });
    if (price !== null) return { held: price, hasLaid, plain: true, dropped: Boolean(drop) };
    let held = left(rates, way, text, rankOf, ends, defends ? rates.gin.defenders : rates.cards);
    if (held && defends && way === "points") held = withAces(seat, held);
    const cards = way === "cards" && rates.arranged ? text.split(/[\s,;]+/).filter(Boolean).length : 0;
    if (rates.cap && way === "points" && held?.points > rates.cap) held = undefined;
    const laid = rates.melded && way !== "cards" ? left(rates, "points", of(`laid_points-${seat}`).value)?.points : undefined;
    return { away: false, held, hasLaid, laid, cards, plain: way === "points" && !text.includes("+"), summed: way !== "points" };
  };

  // Whether a player has laid: a switch, or a question that may not be answered yet.
  const laidSaid = (field) => (field?.type === "checkbox" ? field.checked : { yes: true, no: false }[field?.value]);

  // With Tedesco the declared aces of a defender count more.
  const withAces = (seat, held) => {
    const aces = Number(of(`aces-${seat}`)?.value ?? 0);
    const possible = Math.min(4, Math.floor(held.points / rates.cards[1]));
    return aces >= 0 && aces <= possible ? { ...held, points: held.points + rates.gin.dearer * aces } : undefined;
  };

  const showSum = ({ held, cards, plain, summed }, seat, times) => {
    const working = at(`working-${seat}`);
    working.querySelector(".reckon")?.remove();
    if (held === undefined && cards && cards < words.dealt) {
      const line = Object.assign(document.createElement("p"), { className: "reckon count" });
      line.textContent = words.cards_of.replace("{entered}", cards);
      working.prepend(line);
    }
    if (!held || (plain && times === 1)) return;
    const line = document.createElement("p");
    const output = document.createElement("output");
    const sum = document.createElement("span");
    line.className = "reckon";
    const text = held.parts.join(" + ");
    sum.textContent = times > 1 ? `${held.parts.length > 1 ? `(${text})` : text} × ${times}` : summed ? text : "";
    output.textContent = written(times * held.points);
    line.append(sum, " ", output);
    working.prepend(line);
  };

  const written = (number, signed) => {
    const digits = String(Math.abs(number)).replace(/\B(?=(\d{3})+$)/g, words.thousands);
    return (number < 0 ? "\u2212" : signed && number > 0 ? "+" : "") + digits;
  };

  const showLine = ({ winner, missing, points, held, out }) => {
    for (const seat of seats.keys()) {
      const cell = at(`cell-${seat}`);
      const isMissing = missing.includes(seat);
      const isOut = seat === winner && !(knocks && isMissing);
      cell.classList.toggle("out", seat === winner);
      cell.classList.toggle("hand", isOut && out === words.hand_romme);
      if (isMissing) cell.dataset.missing = "yes";
      else delete cell.dataset.missing;
      const shown = rates.gin ? typeof held[seat] === "number" && written(held[seat]) : points?.[seat] && inCell(points, seat, held[seat]);
      const rest = shown && (shown !== "0" || (knocks && out === words.out)) ? shown : "";
      const text = isOut ? out : isMissing ? words.missing : (shown || "–");
      const mark = document.createElement(isOut || (!isMissing && shown) ? "b" : "span");
      if (mark.tagName === "SPAN") mark.className = "open";
      mark.textContent = text;
      if (isOut && rest) mark.append(" ", Object.assign(document.createElement("i"), { textContent: rest }));
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
    else if (missing.length) bold.textContent = words.is_missing.replace("{players}", () => allOf(missing));
    else if (points) bold.textContent = words.fits;
    else return;
    const counts = (seat) => typeof held[seat] === "number" && points[seat] && seat !== winner;
    const entered = points && missing.length ? [...seats.keys()].filter(counts) : [];
    const { points: sum, parts } = total(entered.map((seat) => (rates.collects ? held[seat] : points[seat][0])));
    const soFar = parts.length > 1 ? words.so_far.replace("{sum}", `${parts.join(" + ")} = ${sum}`) : "";
    state.replaceChildren(bold, " ", soFar);
  };

  // Shows the result of a round of gin: how it ended, its points, the new totals. While other
  // rounds wait to be sent, the totals are not known here.
  const showResult = (scored) => {
    const add = (to, tag, ...text) => to.appendChild(Object.assign(document.createElement(tag), { textContent: text.join("") }));
    const part = at("result");
    part.replaceChildren();
    if (!scored) return;
    const { points, winner, mark, parts } = scored;
    const title = add(part, "h2", words.marks[mark[1]], ": ");
    add(title, "span", words.sides[winner]);
    for (const [, amount] of parts) title.append(" ", Object.assign(document.createElement("b"), { textContent: written(amount, true) }));
    const sum = add(part, "p");
    for (const [reason, amount] of parts) {
      const one = add(sum, "span");
      add(one, "b", written(amount));
      one.append(" ", words.parts[reason]);
    }
    if (form.dataset.draft !== number) return;
    const totals = add(part, "p");
    totals.className = "totals";
    for (const [side, name] of words.sides.entries()) {
      if (!points[side]) continue; // who sits out
      const [before, gained] = [words.totals[side], points[side][1]];
      const shown = (amount) => written(amount, rates.measure === "net");
      const one = add(totals, "span", gained ? `${name} ${shown(before)} + ${written(gained)} = ` : `${words.stays.replace("{player}", () => name)} `);
      add(one, "b", shown(before + gained));
    }
  };

  const allOf = (missing) => {
    const names = missing.map((seat) => seats[seat].dataset.name);
    if (names.length < 2) return names[0];
    return words.and[missing.at(-1)].replace("{others}", () => names.slice(0, -1).join(", "));
  };

  form.addEventListener("input", ({ target }) => {
    if (target.name === form.dataset.ender && of("one_run")) of("one_run").checked = false; // it belongs to the winner
    count();
  });
  count();
}

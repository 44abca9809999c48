// Scores a round of gin or Knock Rummy from the points that everybody has left, as
// domain/rounds/scoring/gin.py and knock.py do on the server. Returns null if the rules refuse the
// round. Points are minus, plus and the reduction, by side.

export const score = (rates, round) => (rates.gin ? gin(rates.gin, round) : knock(rates.knock, round));

// ---- gin --------------------------------------------------------------------------------

// Of more than two players without teams, all but two are away.
function gin(rates, { winner: knocker, held, away, joker, upcard, big }) {
  const limit = rates.limits[rates.oklahoma ? upcard : "JK"];
  const sideOf = (seat) => (rates.teams ? seat % 2 : seat);
  const playing = [...held.keys()].filter((seat) => !away[seat]);
  const sides = [...new Set(playing.map(sideOf))];
  if (limit === undefined || !rates.counted || sides.length !== 2 || away[knocker] || playing.some((seat) => held[seat] === null) || held[knocker] > limit) return null;
  const side = sideOf(knocker);
  const other = sides.find((one) => one !== side);
  const sum = (wanted) => playing.reduce((all, seat) => all + (sideOf(seat) === wanted ? held[seat] : 0), 0);
  const [own, others] = [sum(side), sum(other)];
  const left = joker ? others * rates.joker_factor : others;
  const hasGin = own === 0;
  const winner = hasGin || own < left ? side : other;
  const [mark, bonus] = ended();
  const parts = [["difference", Math.abs(left - own)], ...(mark === "knock" ? [] : [[mark, bonus]]), ["box", rates.box * rates.boxes[mark]]].filter(([, points]) => points);
  const all = parts.reduce((gained, [, each]) => gained + each, 0);
  const points = Array.from(rates.teams ? sides : held, (_, one) => (sides.includes(one) ? [0, one === winner ? all : 0, 0] : null));
  return { points, winner, mark: [mark === "undercut" ? winner : side, mark], parts, boxes: rates.boxes[mark] };

  function ended() {
    if (winner !== side) return ["undercut", rates.undercut];
    if (!rates.teams && !(hasGin && big)) return hasGin ? ["gin", rates.gin] : ["knock", 0];
    if (hasGin) return ["big_gin", rates.big_gin];
    return held[knocker] === 0 ? ["small_gin", rates.small_gin] : ["knock", 0];
  }
}

// ---- Knock Rummy ------------------------------------------------------------------------

// The points of an absent player are null.
function knock(rates, { winner: knocker, held, away }) {
  const present = held.flatMap((_, seat) => (away[seat] ? [] : [seat]));
  if (away[knocker] || present.length < 2 || present.some((seat) => held[seat] === null)) return null;
  if (rates.limit !== null && held[knocker] > rates.limit) return null;
  const clockwise = [...new Set([...rates.order, ...held.keys()])];
  const place = clockwise.indexOf(knocker) + 1;
  const fromLeft = (seats) => [...clockwise.slice(place), ...clockwise.slice(0, place)].filter((seat) => seats.includes(seat));
  const least = Math.min(...present.map((seat) => held[seat]));
  const rummy = held[knocker] === 0;
  const tied = fromLeft(present.filter((seat) => held[seat] === least && seat !== knocker));
  const winners = (rummy && rates.unbeatable) || !tied.length ? [knocker] : tied;
  const takers = rates.split ? winners : winners.slice(0, 1);
  const paid = new Map(present.map((seat) => [seat, winners.includes(seat) ? 0 : held[seat] - least]));
  if (held[knocker] > least) paid.set(knocker, paid.get(knocker) + rates.penalty);
  const wins = rummy && winners[0] === knocker;
  const losers = fromLeft(present.filter((seat) => seat !== knocker));
  const share = (amount, among, place) => Math.floor(amount / among) + (place < amount % among ? 1 : 0);
  const bonus = (place) => (rates.each ? rates.bonus : share(rates.bonus, losers.length, place));
  if (wins) for (const [place, seat] of losers.entries()) paid.set(seat, paid.get(seat) + bonus(place));
  const pot = [...paid.values()].reduce((sum, one) => sum + one, 0);
  const gets = (seat) => (takers.includes(seat) ? share(pot, takers.length, takers.indexOf(seat)) : 0);
  const points = held.map((_, seat) => (away[seat] ? null : [paid.get(seat), gets(seat), 0]));
  const hasRummy = wins && losers.some((_, place) => bonus(place));
  return { points, winner: takers.length === 1 ? takers[0] : null, mark: [knocker, hasRummy ? "rummy" : "knock"], parts: [] };
}

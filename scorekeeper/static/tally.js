// Computes what rounds make of a game that the server does not have yet: totals and ranks, who is
// out, contracts and boxes, the three games of Hollywood, and whether the game is over. As in
// domain/game/sheet.py, elimination.py and gin_game.py; `now` is a game as wording/waiting.py has it.

const MEASURES = { minus: ([minus]) => minus, plus: ([, plus]) => plus, net: ([minus, plus]) => plus - minus };

// The points of a tally: minus, plus, rounds won, rounds played.
export const of = (measure, tally) => MEASURES[measure](tally);

// The total that the limit is compared with.
export const total = ({ limited, sign }, tally) => sign * of(limited, tally);
const isMet = ({ limit, over }, points) => limit !== null && (points > limit || (!over && points === limit));

// ---- one more round ---------------------------------------------------------------------

// Who was out and has played has come back, with the highest total of those left, perhaps without
// playing yet (`back`). `out` has the round by side, or 0; `gone` whether somebody else has taken
// the place, until they play again.
export function after(now, number, score) {
  const isPlayed = score.points.some(Boolean);
  if (!isPlayed) return now;
  const isBack = now.tallies.map((_, side) => Boolean(now.out?.[side] && (score.points[side] || score.back?.includes(side))));
  const start = now.out && totalBack(now);
  const before = now.tallies.map((one, side) => (isBack[side] ? [one[0] + start - total(now, one), ...one.slice(1)] : one));
  const tallies = added(before, score);
  const wentOut = (round, side) => (round && !isBack[side] ? round : isMet(now, total(now, tallies[side])) ? number : 0);
  return {
    ...now,
    tallies,
    counted: now.counted + 1,
    last: number,
    out: now.out?.map(wentOut),
    gone: now.gone?.map((isGone, side) => isGone && !score.points[side]),
    entries: now.entries?.map((times, side) => times + isBack[side]),
    laid: now.laid?.map((rows, seat) => rows + Boolean(score.laid?.[seat])),
    columns: now.columns && entered(now, score),
    first: now.first ?? (score.wins ? score.winner : null),
  };
}

function added(tallies, { points, winner }) {
  return tallies.map(([minus, plus, won, played], side) => {
    if (!points[side]) return [minus, plus, won, played];
    const [more, gained, reduction] = points[side];
    return [minus + more - Math.min(Math.max(minus, 0), reduction), plus + gained, won + (winner === side), played + 1];
  });
}

// ---- who is out, and who comes back -----------------------------------------------------

const totalsLeft = (now) => now.tallies.flatMap((one, side) => (now.out[side] ? [] : [total(now, one)]));
export const totalBack = (now) => Math.max(...totalsLeft(now)) + now.more;

export function mayReturn(now, side) {
  const [left, start] = [totalsLeft(now), totalBack(now)];
  const isInTime = now.out[side] && now.out[side] === now.last && left.length > 1;
  const isOften = now.most && now.entries[side] >= now.most;
  const isHigh = (now.up_to !== null && Math.max(...left) > now.up_to) || isMet(now, start);
  return now.more !== null && isInTime && !isOften && !isHigh;
}

// ---- games of gin -----------------------------------------------------------------------

// Of three games, a win counts in every open one where the winner has an entry, and in the first
// open one where they have none.
function entered({ columns, gin, limit, over }, { points, winner, boxes = 0 }) {
  if (winner === null || !points[winner]) return columns;
  let begins = true;
  return columns.map((column) => {
    const isNew = !column.entries[winner];
    const takes = !gin.three || (column.winner === null && (begins || !isNew));
    begins &&= !(takes && isNew);
    if (!takes) return column;
    const add = (numbers, more) => numbers.map((one, side) => one + (side === winner ? more : 0));
    const own = add(column.points, points[winner][1]);
    const wins = gin.three && isMet({ limit, over }, own[winner]);
    return { points: own, boxes: add(column.boxes, boxes), entries: add(column.entries, 1), winner: wins ? winner : null };
  });
}

// What each side has when a game of gin is over: boxes, the bonus for the game, a shutout.
export function final({ gin }, { points, boxes, winner }) {
  const count = points.map((own, side) => own + boxes[side] * gin.box);
  if (winner === null) return count;
  const loser = 1 - winner;
  count[winner] += gin.game;
  if (points[loser] === 0) count[winner] += { none: 0, game_bonus: gin.game, points: points[winner], total: count[winner] - count[loser] }[gin.shutout];
  return count;
}

const finals = (now) => [0, 1].map((side) => now.columns.reduce((sum, column) => sum + final(now, column)[side], 0));

// ---- the end ----------------------------------------------------------------------------

// Returns null while the rules let the game go on; otherwise who has won it, where not just points
// decide.
export function ending(now) {
  if (!now.ends) return null;
  const { rounds, rows, least } = now.ends;
  if (now.gin?.three) return now.columns.every(({ winner }) => winner !== null) ? { winner: null } : null;
  if (now.first !== null) return { winner: now.first };
  if (now.out && now.out.filter((round, side) => !round && !now.gone[side]).length < 2) return { winner: null };
  const met = now.out ? [] : [...now.tallies.keys()].filter((side) => isMet(now, total(now, now.tallies[side])));
  if (!now.gin && met.length) return { winner: null };
  const enough = met.filter((side) => now.tallies[side][2] >= least);
  const best = Math.max(...enough.map((side) => total(now, now.tallies[side])));
  const [winner, ...others] = enough.filter((side) => total(now, now.tallies[side]) === best);
  if (now.gin && winner !== undefined && !others.length) return { winner };
  if (now.laid && now.laid.some((one) => one >= rows)) return { winner: null };
  return rounds !== null && now.counted >= rounds ? { winner: null } : null;
}

// ---- ranks ------------------------------------------------------------------------------

// Returns the rank of each side, 0 for those who have not played. Who played too few rounds comes
// after all others, who is out after all who are not, and last who gave up a place.
export function places(now) {
  const played = ({ 3: times }) => times > 0;
  const isEnough = (tally) => played(tally) && tally[3] >= now.share * now.counted;
  const isFirst = now.tallies.some(isEnough) ? isEnough : played;
  const counts = now.gin?.three && finals(now);
  const winner = ending(now)?.winner ?? null;
  const keys = now.tallies.map((tally, side) => {
    const out = now.out?.[side] ?? 0;
    const measure = out ? now.limited : now.measure;
    const worth = counts ? counts[side] : of(measure, tally) * (measure === "minus" ? -1 : 1);
    return [isFirst(tally), side === winner, !out && !now.gone?.[side], out, now.laid?.[side] ?? 0, worth, tally[2]].map(Number);
  });
  const isBetter = (one, other) => {
    const place = one.findIndex((number, at) => number !== other[at]);
    return place >= 0 && one[place] > other[place];
  };
  return now.tallies.map((tally, side) => (played(tally) ? 1 + keys.filter((key, other) => played(now.tallies[other]) && isBetter(key, keys[side])).length : 0));
}

// The service worker. Without a connection, Home and the board and entry form of every running
// game open as they were last seen; for other pages it shows one that explains why they do not.
// Browsers run service workers on secure addresses only. While the server answers, everything
// comes from it, so a cached page never passes for a current one. A page names in data-keep what
// to cache with it. Pages that Home no longer names are dropped, and so is whatever the server
// refuses.

const CACHE = "pages-3";
const HOUSE = new URL(registration.scope).pathname;
const [HOME, AWAY] = [HOUSE, `${HOUSE}offline`];
const GAME = new RegExp(`^${HOUSE}g/\\w+`);
const KEPT = new RegExp(`^${HOUSE}(g/\\w+(/round)?)?$`);
const ASSET = /"([^"#]*\/static\/[^"#]+\?v=\w+)"/g;
const NAMED = /data-keep="([^"]+)"/g;
const PATIENCE = 8000;
const NOT_OURS = [403, 404];
const SEEN = "Seen-At"; // a header of ours
const DOWN = [502, 503, 504];

addEventListener("install", (event) => event.waitUntil(keep(AWAY).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("message", (event) => event.waitUntil(begin())); // from a page that was still loading then

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (request.method !== "GET") return;
  else if (pathname.includes("/static/")) event.respondWith(file(request));
  else if (KEPT.test(pathname)) event.respondWith(fromServer(event, pathname));
});

// Caches the pages that are already open, too. Others on this host have caches of their own, such as
// the edition without a server.
async function begin() {
  for (const name of await caches.keys()) if (/^pages-\d+$/.test(name) && name !== CACHE) await caches.delete(name);
  await clients.claim();
  for (const { url } of await clients.matchAll()) await keep(new URL(url).pathname);
}

// The address of a static file changes with its content, so a cached file is never outdated.
async function file(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    const [name] = answer.url.split("?");
    for (const old of await cache.keys()) if (old.url.split("?")[0] === name) await cache.delete(old);
    await cache.put(request, answer.clone());
  }
  return answer;
}

// Answers with a page from the server, or else as it was last seen: also while the server is
// there and its database is not.
async function page(event, path) {
  const cache = await caches.open(CACHE);
  const known = event.request.method === "GET" && KEPT.test(path) && (await cache.match(path));
  try {
    const answer = fromServer(event, path);
    const said = await (known ? Promise.race([answer, late()]) : answer);
    return known && DOWN.includes(said.status) ? aged(known) : said;
  } catch {
    return known ? aged(known) : away(path);
  }
}

const late = () => new Promise((_, fail) => setTimeout(fail, PATIENCE));

async function fromServer(event, path) {
  const { request } = event;
  const answer = fetch(request);
  if (request.method === "GET" && KEPT.test(path)) {
    const copy = answer.then((one) => one.clone());
    event.waitUntil(heard(path, copy, new URL(request.url).search).catch(() => {}));
  }
  return answer;
}

// ---- the cache -----------------------------------------------------------------------

// Pages that were asked for and are not stored yet. If the pages of a game are dropped meanwhile,
// so are these: the answer may be from before.
const awaited = new Set();

async function keep(path) {
  if (KEPT.test(path) || path === AWAY) await store(path, fetch(path, { cache: "no-store" }));
}

// A board with the changes since a version is not cached as the board.
async function heard(path, asked, search) {
  if (search && (await asked).ok) await keep(path);
  else await store(path, asked);
}

async function store(path, asked) {
  const page = { path, dropped: false };
  awaited.add(page);
  try {
    await storeUnlessDropped(page, await asked);
  } finally {
    awaited.delete(page);
  }
}

async function storeUnlessDropped(page, answer) {
  const { path } = page;
  const cache = await caches.open(CACHE);
  if (NOT_OURS.includes(answer.status)) return drop(cache, path);
  if (!answer.ok || answer.redirected) return;
  const html = await answer.clone().text();
  const named = Array.from(html.matchAll(NAMED), ([, one]) => one);
  for (const [, asset] of html.matchAll(ASSET)) await file(new Request(asset));
  await cache.put(path, seen(html, answer));
  if (page.dropped) return cache.delete(path); // a check before could come too early
  if (path === HOME) await dropOthers(cache, named);
  for (const one of named) await keep(one);
}

// The time is that of the phone, whose clock may differ from the server's.
function seen(html, { headers }) {
  return new Response(html, { headers: { ...Object.fromEntries(headers), [SEEN]: new Date().toISOString() } });
}

// Without the pen the board can still be read; without the board, nothing is kept.
async function drop(cache, path) {
  await dropIf(cache, (one) => [path, `${path}/round`].includes(one));
}

async function dropOthers(cache, named) {
  await dropIf(cache, (one) => GAME.test(one) && !named.includes(one.match(GAME)[0]));
}

async function dropIf(cache, isRefused) {
  for (const page of awaited) page.dropped ||= isRefused(page.path);
  for (const { url } of await cache.keys()) if (isRefused(new URL(url).pathname)) await cache.delete(url);
}

// ---- pages without a connection -------------------------------------------------

// Opens the banner "no connection" with the time at which the page was last seen.
async function aged(answer) {
  const at = new Date(answer.headers.get(SEEN));
  const html = (await answer.text())
    .replace('id="offline" role="status" hidden', 'id="offline" role="status"')
    .replace('<time id="heard">', `<time id="heard" datetime="${at.toISOString()}">${at.toTimeString().slice(0, 5)}`);
  return new Response(html, { headers: answer.headers });
}

async function away(path) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(AWAY);
  if (!known) return Response.error();
  const [board] = path.match(GAME) ?? [];
  let html = await known.text();
  if (board && (await cache.match(board))) html = html.replace('hidden href=""', `href="${board}"`);
  return new Response(html, { status: 503, headers: known.headers });
}

// Without a connection the last known board is shown, and it says how old it is. Browsers
// run this on secure addresses only; elsewhere an open board stays as it is.
// Everything comes from the server while it answers: nothing kept is ever shown as new.

const KEPT = "boards-1";
const BOARD = /\/g\/\w+$/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.includes("/static/")) event.respondWith(file(request));
  else if (BOARD.test(pathname)) event.respondWith(board(request, pathname, search));
});

// The address of a file changes with it, so that what is kept is what is there.
async function file(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    const [name] = request.url.split("?");
    for (const old of await kept.keys()) if (old.url.split("?")[0] === name) await kept.delete(old);
    await kept.put(request, answer.clone());
  }
  return answer;
}

async function board(request, pathname, search) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok && !search) await kept.put(pathname, answer.clone());
    if (answer.status === 403 || answer.status === 404) await kept.delete(pathname);
    return answer;
  } catch (error) {
    const known = request.mode === "navigate" && (await kept.match(pathname));
    if (!known) throw error;
    return aged(known);
  }
}

// The banner "no connection" is opened and told when this board came.
async function aged(answer) {
  const at = new Date(answer.headers.get("Date"));
  const page = (await answer.text())
    .replace('id="offline" role="status" hidden', 'id="offline" role="status"')
    .replace('<time id="heard">', `<time id="heard" datetime="${at.toISOString()}">${at.toTimeString().slice(0, 5)}`);
  const { headers } = answer;
  return new Response(page, { headers });
}

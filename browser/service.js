// The service worker: hands every request below app/ to the Python in the shell's worker, and
// serves the files of this edition from its cache. `BUILD` is put before this script; it names the
// version and its files. Python may not be there yet: then a page that was kept is shown, and
// everything else waits.
//
// A version is taken whole. A new one fills a cache of its own and waits until the shell says that
// nobody is in the middle of something; until then everything comes from the old cache.

const HOME = new URL(registration.scope).pathname;
const APP = `${HOME}app/`;
const FILES = `edition-${BUILD.version}`;
const [PAGES, SHARED] = ["pages", "shared"];
const KEPT = new RegExp(`^${APP}(g/\\w+(/round)?)?$`);
const PATIENCE = 280_000; // a slow phone takes in a thousand evenings; after five minutes browsers give up
const LOOKING = 4000;
const SEEN = "Seen-At"; // a header of ours

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data }) => data === "take over" && skipWaiting());

// The first version is loaded by the shell, which shows how far it is.
async function install() {
  if (!registration.active) return skipWaiting();
  await load(BUILD, await missing(BUILD));
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("edition-") && name !== FILES) await leave(name);
  }
  await clients.claim();
}

// Copies of this edition at other paths of the same host have files in caches of the same names.
async function leave(name) {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith(HOME)) await cache.delete(request);
  }
  if (!(await cache.keys()).length) await caches.delete(name);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(HOME)) return;
  if (!pathname.startsWith(APP)) event.respondWith(file(request, pathname));
  else if (request.destination === "document") event.respondWith(toShell(request, pathname));
  else event.respondWith(page(event, pathname));
});

// A page of the program opened by itself belongs into the shell. A file that another program
// shares is kept until the frame asks for its page.
async function toShell(request, pathname) {
  const path = pathname.slice(APP.length) + new URL(request.url).search;
  if (request.method !== "POST" || pathname !== `${APP}copies`) return Response.redirect(`${HOME}#/${path}`, 303);
  const headers = { "Content-Type": request.headers.get("Content-Type") };
  await put(SHARED, pathname, new Response(await request.blob(), { headers }));
  return Response.redirect(`${HOME}#/${path}?shared`, 303);
}

async function asShared(request, path) {
  const cache = await caches.open(SHARED);
  const kept = await cache.match(path);
  await cache.delete(path);
  if (!kept) return request;
  const body = await kept.blob();
  return new Request(path, { method: "POST", body, headers: kept.headers });
}

async function file(request, pathname) {
  const cache = await caches.open(FILES);
  const name = ["", "index.html"].includes(pathname.slice(HOME.length)) ? "./" : pathname.slice(HOME.length);
  return (await cache.match(name)) ?? fetch(request);
}

// ---- the program ---------------------------------------------------------------------

async function page(event, path) {
  const { request } = event;
  const isPage = request.method === "GET" && KEPT.test(path) && !new URL(request.url).search;
  const isStatic = request.method === "GET" && path.startsWith(`${APP}static/`);
  if (isStatic) {
    const known = await caches.match(request, { cacheName: FILES });
    if (known) return known;
  }
  const pages = isPage && (await caches.open(PAGES));
  const known = isPage && request.mode === "navigate" && (await pages.match(path));
  const asked = new URL(request.url).search === "?shared" ? await asShared(request, path) : request;
  const answer = await ask(asked, known ? "at once" : "when ready", request.mode === "navigate");
  if (!answer) return known || new Response("", { status: 503 });
  const { status, headers, body } = answer;
  const whole = new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers });
  if (status === 200 && isStatic) event.waitUntil(put(FILES, request, whole.clone()));
  if (status === 200 && isPage) event.waitUntil(put(PAGES, path, aged(whole.clone())));
  if (isPage && status >= 400) event.waitUntil(pages.delete(path));
  return whole;
}

const put = async (cache, key, answer) => (await caches.open(cache)).put(key, answer);

function aged(answer) {
  const headers = new Headers(answer.headers);
  headers.set(SEEN, new Date().toISOString());
  return new Response(answer.body, { headers });
}

// Asks the shell that holds the record. Several may be open; the others do not answer.
async function ask(request, when, shown) {
  const { method, url } = request;
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  const question = { method, url, when, body, headers: [...request.headers], shown };
  for (const end = Date.now() + LOOKING; ; await new Promise((go) => setTimeout(go, 100))) {
    const found = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const shells = found.filter((one) => new URL(one.url).pathname === HOME);
    const answers = shells.map((shell) => answerOf(shell, question));
    const first = await Promise.any(answers).catch(() => undefined);
    if (first !== undefined || Date.now() > end) return first;
  }
}

function answerOf(shell, question) {
  return new Promise((answered, failed) => {
    const { port1, port2 } = new MessageChannel();
    const late = setTimeout(failed, PATIENCE);
    port1.onmessage = ({ data }) => {
      clearTimeout(late);
      port1.close();
      if (data === "not mine") failed();
      else answered(data);
    };
    shell.postMessage(question, [port2]);
  });
}

// The page around the program: loads it, owns the worker with Python, and shows the pages in a
// frame. The service worker sends their requests here. One tab at a time owns the record.

import { load, missing } from "./loading.js";
import { offerPaper } from "./paper.js";
import { fetchReader } from "./photos.js";
import { showEvening } from "./evening.js";
import { begin, progress, trouble } from "./first.js";
import { chosen, keep, kept, say, translate } from "./words.js";

const build = JSON.parse(document.getElementById("build").textContent);
const base = new URL("./", location.href.split("#")[0]);
const app = new URL("app/", base).pathname;
const frame = document.getElementById("frame");
const soon = document.getElementById("soon");
const LOCK = `scorekeeper ${base.pathname}`;
const others = new BroadcastChannel(LOCK);
const STAGES = ["engine", "program", "record", "ready"];
const PHOTOGRAPH = /\/cards\/recognise$/;
const COPY = `${app}copies/file`;

let worker, isOwner, isReady, hasFailed, hasReader, install;
let waiting = [];
let opening = Promise.resolve(); // until a file that this program was opened with can be shown

translate();
navigator.serviceWorker?.addEventListener("message", asked);
navigator.serviceWorker?.startMessages();
addEventListener("beforeinstallprompt", (offer) => {
  offer.preventDefault();
  install = offer;
  offerInstall();
});
globalThis.launchQueue?.setConsumer(openFile);
addEventListener("beforeprint", () => (frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`));
addEventListener("afterprint", () => (frame.style.height = ""));
addEventListener("hashchange", () => (location.hash.startsWith("#e=") ? location.reload() : isOwner && worker && show()));

if (location.hash.startsWith("#e=")) showEvening(location.hash.slice(3), () => {
  history.replaceState(null, "", base);
  location.reload();
});
else start().catch(report);

async function start() {
  const lack = whatIsMissing();
  if (lack) return trouble(lack);
  document.getElementById("first").hidden = Boolean(navigator.serviceWorker.controller); // never blank; later visits show their last page
  if (!(await navigator.storage.getDirectory().catch(() => null))) return trouble("storage");
  const registration = await navigator.serviceWorker.register("./service.js", { updateViaCache: "none" });
  await own(registration);
}

function whatIsMissing() {
  if (!isSecureContext) return "insecure";
  const needed = [navigator.serviceWorker, navigator.locks, navigator.storage?.getDirectory, globalThis.DecompressionStream, globalThis.WebAssembly];
  return needed.every(Boolean) ? "" : "old";
}

// ---- one owner -----------------------------------------------------------------------

// Holds the lock until another tab asks for it.
async function own(registration) {
  const taken = await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await hold(registration);
    return true;
  });
  if (taken) return;
  trouble("elsewhere", () => {
    others.postMessage("give");
    navigator.locks.request(LOCK, () => location.reload()); // this tab is the next in the queue
  });
}

async function hold(registration) {
  if (await updated(registration)) return;
  const given = new Promise((give) => (others.onmessage = give));
  await Promise.all([run(), given]);
  worker?.postMessage({ stop: true });
  await stopped();
  worker?.terminate();
  isOwner = isReady = false;
  frame.hidden = true;
  frame.src = "about:blank";
  trouble("moved", () => location.reload());
}

const stopped = () => worker && new Promise((done) => {
  worker.addEventListener("message", ({ data }) => data.stage === "stopped" && done());
  setTimeout(done, 5000);
});

// Nothing runs yet and no other tab is at work: the moment for a version that waits.
async function updated({ waiting: next }) {
  if (!next) return false;
  const taken = newController();
  next.postMessage("take over");
  await taken;
  location.reload();
  return true;
}

// ---- start ---------------------------------------------------------------------------

async function run() {
  isOwner = true;
  const files = await missing(build);
  if (files.length) {
    await begin(build, files);
    await load(build, files, progress);
  }
  await controlled();
  await opening;
  launch();
  show();
}

async function controlled() {
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) await newController();
}

const newController = () => new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));

function launch() {
  worker = new Worker(new URL("./python.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => (data.stage ? reached(data.stage) : report(data.failed));
  worker.onerror = report;
  const at = (url) => new URL(url, base).href;
  worker.postMessage({
    start: {
      version: build.version, engine: at(build.engine), stdlib: at(build.stdlib), packs: build.packs.map(at),
      root: new URL("app", base).href, record: `scorekeeper${base.pathname.replaceAll("/", "-")}`,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  });
}

function reached(stage) {
  soon.style.setProperty("--done", `${(100 * (STAGES.indexOf(stage) + 1)) / STAGES.length}%`);
  if (stage !== "ready") return;
  isReady = true;
  const questions = waiting.splice(0);
  for (const [question, port] of questions) pass(question, port);
  if (questions.some(([{ shown }]) => shown)) return; // another page comes
  if (questions.some(([{ method }]) => method === "POST")) soon.hidden = true; // what is being filled in stays
  else refresh();
}

// A page of the last visit is shown at once, and everything else waits.
function show() {
  frame.src = app + (location.hash.startsWith("#/") ? location.hash.slice(2) : kept("last") ?? "");
  frame.addEventListener("load", opened);
  soon.hidden = isReady;
}

function showHome() {
  history.replaceState(null, "", base);
  show();
}

// A file that was opened with this program goes the way of one that was shared with it (service.js).
// It may come before anything runs, or while another tab is at work.
function openFile({ files: [file] }) {
  if (!file) return;
  history.replaceState(null, "", "#/copies?shared");
  opening = keepFile(file).then(() => isOwner && worker && show());
  opening.catch(report);
}

async function keepFile(file) {
  const form = new FormData();
  form.append("file", await file.getFile());
  await (await caches.open("shared")).put(`${app}copies`, new Response(form));
}

function opened() {
  const { location: there, document: page, navigator: asked } = frame.contentWindow;
  if (hasFailed || !there.pathname.startsWith(app)) return;
  Object.defineProperty(asked, "onLine", { get: () => true, configurable: true }); // what answers the pages is always there
  page.dispatchEvent(new CustomEvent("reached", { detail: true })); // if a form has asked before
  document.getElementById("first").hidden = true;
  frame.hidden = false;
  if (page.activeElement === page.body) page.querySelector("[autofocus]")?.focus(); // which frames do only once
  document.title = page.title;
  if (page.documentElement.lang) keep("language", page.documentElement.lang);
  const path = there.pathname.slice(app.length) + there.search;
  history.replaceState(null, "", path ? `#/${path}` : base);
  if (/^(g\/\w+)?$/.test(path)) keep("last", path);
  soon.hidden = isReady;
  offerInstall();
}

// Browsers offer to install the outer page only; Home has a place for it.
function offerInstall() {
  const [hint, now] = ["install", "install-now"].map((id) => frame.contentDocument?.getElementById(id));
  if (!install || !hint) return;
  hint.hidden = now.hidden = false;
  now.onclick = () => install.prompt();
}

// A board asks by itself for what is new. A page without this ability is loaded again, unless it is
// being filled in.
function refresh() {
  const page = frame.contentDocument;
  if (frame.hidden || page.readyState !== "complete") return;
  const isCurrent = page.getElementById("news") || page.querySelector("form :focus");
  if (isCurrent) soon.hidden = true;
  else frame.contentWindow.location.reload();
}

function report(error) {
  console.error(error);
  hasFailed = true;
  for (const [, port] of waiting.splice(0)) port.postMessage(null);
  const name = `${error?.name ?? ""} ${error?.message ?? error}`;
  if (/memory|allocat/i.test(name)) return fail("memory");
  if (/quota|full|507/i.test(name)) return fail("full");
  if (/NoModificationAllowed|NotAllowed|Security|InvalidState/.test(name)) return fail("storage");
  if (/NotSupported/.test(name)) return fail("old");
  if (error instanceof TypeError) return fail("network");
  fail("failed", name.trim().split("\n").at(-1));
}

function fail(why, detail) {
  frame.hidden = soon.hidden = true;
  trouble(why, () => location.reload(), detail);
}

// ---- requests ------------------------------------------------------------------------

function asked({ data, ports: [port] }) {
  if (!isOwner || !port) return port?.postMessage("not mine");
  if (isReady) return PHOTOGRAPH.test(new URL(data.url).pathname) ? passPhotograph(data, port) : pass(data, port);
  if (data.when === "at once" || hasFailed) return port.postMessage(null);
  waiting.push([data, port]);
}

async function passPhotograph(question, port) {
  if (!hasReader && (await fetchReader(build))) {
    worker.postMessage({ reader: new URL(build.photographs.folder, base).href });
    hasReader = true;
  }
  if (hasReader) return pass(question, port);
  const body = new TextEncoder().encode(JSON.stringify({ detail: say("browser.photos.none") }));
  port.postMessage({ status: 503, headers: [["Content-Type", "application/json"]], body }, [body.buffer]);
}

function pass(question, port) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: answer }) => {
    port1.close();
    if (question.method === "POST" && answer?.status < 400) navigator.storage.persist?.();
    if (question.shown && answer?.status === 200 && isFile(answer)) {
      const { pathname } = new URL(question.url);
      offerPaper(answer, question.url, pathname === COPY ? noteCopy : null);
      if (frame.hidden) showHome(); // the address of a file was opened, not a page with a link to it
      return port.postMessage({ status: 204, headers: [], body: null });
    }
    port.postMessage(answer, answer?.body ? [answer.body.buffer] : []);
  };
  const languages = [chosen(), ...navigator.languages].join(",");
  const headers = [...question.headers, ["accept-language", languages]];
  worker.postMessage({ ...question, headers }, [port2]);
}

// The page says how many evenings are in no copy, so it is shown anew.
async function noteCopy() {
  await fetch(COPY, { method: "POST" });
  const page = frame.contentWindow.location;
  page.replace(page.href.split("#")[0]);
}

const isFile = ({ headers }) => !headers.find(([name]) => name.toLowerCase() === "content-type")?.[1].startsWith("text/html");

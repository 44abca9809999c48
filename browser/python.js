// The worker that runs the program: Python with its files, the record, and one request at a time.

import { Supply, recordSystem } from "./storage.js";

const PROGRAM = "/program";
const RECORD = "/record";
const EDITION = "scorekeeper.in_browser.edition";
const ROOM = 4_000_000;
const unpack = new TextDecoder();

const faces = []; // with which pictures are drawn (python/PIL)

let python, supply, bridge, reader, lettering;
let last = Promise.resolve();

onmessage = ({ data, ports }) => {
  const [port] = ports;
  if (data.start) last = start(data.start).catch(failed);
  else if (data.reader) last = last.then(() => openReader(data.reader)).catch(failed);
  else if (data.stop) last = last.then(stop);
  else last = last.then(() => answer(data, port));
};

// Pyodide waits for ever for a program that finds no room in memory, so the failure is caught here.
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (...given) => instantiateStreaming(...given).catch((error) => {
  failed(error);
  throw error;
});

function failed(error) {
  console.error(error);
  postMessage({ failed: { name: error?.name ?? "", message: String(error?.message ?? error) } });
}

async function start({ record, ...about }) {
  const opened = Supply.open(record);
  opened.catch(failed); // before Python is there
  const load = await prepared(about);
  const known = await load.cache.match(load.memory);
  const copy = known ? await restore(load, known) : await fresh(load, about);
  postMessage({ stage: "record" });
  supply = await opened;
  python.FS.mkdir(RECORD);
  python.FS.mount(recordSystem(python.FS, supply), {}, RECORD);
  bridge = python.pyimport(EDITION).open_record(`${RECORD}/scorekeeper.sqlite`);
  supply.flush();
  postMessage({ stage: "ready" });
  lettering = Promise.all(faces.splice(0).map(async (face) => fonts.add(await face.load()))).catch(console.warn);
  // Nobody waits for the memory. Without it the next start is slow, but nothing is lost.
  if (copy) keep(load, copy).catch(console.warn);
}

async function keep({ cache, memory }, copy) {
  for (const { url } of await cache.keys()) if (url.includes("/memory?")) await cache.delete(url);
  await cache.put(memory, new Response(copy));
}

async function prepared({ version, engine, stdlib, packs, root, zone }) {
  const [{ loadPyodide }, files, lock, cache] = await Promise.all([
    import(`${engine}pyodide.mjs`),
    Promise.all(packs.map(async (pack) => (await fetch(pack)).arrayBuffer())),
    fetch(`${engine}pyodide-lock.json`).then((one) => one.json()),
    caches.open(`edition-${version}`),
  ]);
  postMessage({ stage: "engine" });
  const options = {
    indexURL: engine,
    stdLibURL: stdlib,
    lockFileContents: { info: lock.info, packages: {} },
    env: { HOME: "/home", PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: PROGRAM },
    fsInit: async (FS) => files.forEach((pack) => unfold(FS, pack)),
  };
  const memory = `memory?${new URLSearchParams({ root, zone })}`;
  return { loadPyodide, options, cache, memory };
}

// Starts from the beginning; returns the memory of Python, in which the program is loaded, if there
// is room for a copy of it.
async function fresh({ loadPyodide, options }, { root, zone }) {
  python = await loadPyodide({ ...options, _makeSnapshot: true });
  postMessage({ stage: "program" });
  const edition = python.pyimport(EDITION);
  edition.prepare(root, zone);
  edition.destroy();
  try {
    return python.makeMemorySnapshot();
  } catch (error) {
    console.warn(error);
    return null;
  }
}

// Starts with the memory that an earlier start has kept. Emscripten does not make room for it.
async function restore({ loadPyodide, options, cache, memory }, known) {
  try {
    const kept = new Uint8Array(await known.arrayBuffer());
    const { default: create } = await import(`${options.indexURL}pyodide.asm.mjs`);
    const createPyodideModule = async (settings) => {
      const module = await create(settings);
      while (module.HEAP8.length < kept.length) if (!module._malloc(ROOM)) throw new RangeError("out of memory");
      return module;
    };
    python = await loadPyodide({ ...options, _loadSnapshot: kept, createPyodideModule });
    return null;
  } catch (error) {
    await cache.delete(memory); // the next start makes a new one
    throw error;
  }
}

// A pack is a list of paths and sizes in JSON, after its length, followed by the files.
function unfold(FS, pack) {
  const length = new DataView(pack).getUint32(0);
  const names = JSON.parse(unpack.decode(new Uint8Array(pack, 4, length)));
  let at = 4 + length;
  const made = new Set();
  for (const [folder, name, size] of names) {
    const path = `${PROGRAM}/${folder}`;
    if (!made.has(folder)) FS.mkdirTree(path);
    made.add(folder);
    const content = new Uint8Array(pack, at, size);
    FS.createDataFile(path, name, content, true, true, true);
    if (name.endsWith(".ttf")) faces.push(new FontFace(name.slice(0, -4), content));
    at += size;
  }
}

// What reads photographs (python/numpy, onnxruntime and PIL stand before it), once it is wanted.
async function openReader(folder) {
  const bytes = async (name) => new Uint8Array(await (await fetch(`${folder}${name}`)).arrayBuffer());
  const [numbers, pictures, { Network }] = await Promise.all(["numbers", "pictures", "networks"].map((name) => import(`${folder}${name}.js`)));
  const kernel = await WebAssembly.compile(await bytes("networks.wasm"));
  const networks = {};
  for (const name of ["detector", "classifier"]) networks[name] = new Network(kernel, await bytes(`${name}.onnx`));
  reader = { numbers, networks, pictures: { ...pictures, sent: null } };
  python.registerJsModule("browser_camera", reader);
}

const isPicture = ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("image/");

// Answers after the record is durable: only then may a page say "saved".
async function answer({ method, url, headers, body }, port) {
  if (!bridge) return port.postMessage(null);
  try {
    if (url.endsWith(".png")) await lettering;
    if (reader) reader.pictures.sent = headers.some(isPicture) ? await reader.pictures.decoded(body) : null;
    const found = ask(method, url, headers, body);
    supply.flush();
    port.postMessage(found, found.body ? [found.body.buffer] : []);
    await supply.refill();
  } catch (error) {
    port.postMessage({ status: 507, headers: [["Content-Type", "text/plain"]], body: new Uint8Array() });
    failed(error);
  }
}

function ask(method, url, headers, body) {
  const given = [python.toPy(headers), python.toPy(new Uint8Array(body ?? 0))];
  const found = bridge.answer(method, url, ...given);
  const fields = found.headers;
  const content = found.body.toJs?.() ?? found.body;
  const shown = { status: found.status, headers: fields.toJs(), body: content };
  for (const one of [fields, found, ...given]) one.destroy?.();
  return shown;
}

function stop() {
  bridge = null;
  supply?.close();
  postMessage({ stage: "stopped" });
}

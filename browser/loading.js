// Loads the files of an edition into its cache: counted, checked, unpacked. What is there already
// is not loaded again, so an interrupted load goes on where it stopped. Used by the shell and, with
// its "export" removed, by the service worker.

export const cacheOf = ({ version }) => caches.open(`edition-${version}`);

// A cache of this name says that photographs are read here, so that every version comes with it.
export const WANTED = "photographs";

export async function missing(build) {
  const cache = await cacheOf(build);
  const files = (await caches.has(WANTED)) ? [...build.files, ...build.photographs.files] : build.files;
  const there = await Promise.all(files.map(({ url }) => cache.match(url)));
  return files.filter((_, at) => !there[at]);
}

// Calls `loaded` with a file and the bytes that have arrived since the last call.
export async function load(build, files, loaded = () => {}) {
  const cache = await cacheOf(build);
  for (const file of files) {
    const known = await caches.match(file.url); // the same in an older version
    await cache.put(file.url, known ?? (await fetched(file, loaded)));
    if (known) loaded(file, file.size);
  }
  await keepShell(build, cache);
}

// The page itself has no hash in its name.
async function keepShell(build, cache) {
  if (await cache.match("./")) return;
  const answer = await fetch("./", { cache: "no-cache" });
  const html = await answer.text();
  if (!html.includes(build.version)) throw new TypeError("another version is there by now");
  await cache.put("./", new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
}

async function fetched(file, loaded) {
  const answer = await fetch(file.source);
  if (!answer.ok) throw new TypeError(`${file.source}: ${answer.status}`);
  const chunks = [];
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    loaded(file, value.length);
  }
  const blob = new Blob(chunks);
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (one) => one.toString(16).padStart(2, "0")).join("");
  if (hex !== file.sha256) {
    loaded(file, -blob.size);
    throw new TypeError(`${file.source} is damaged`);
  }
  const packed = file.source !== file.url;
  const body = packed ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob;
  return new Response(body, { headers: { "Content-Type": file.type } });
}

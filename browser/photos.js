// Reading cards in photographs: what it needs is loaded when the first photograph is taken.

import { load, missing, WANTED } from "./loading.js";
import { isMetered } from "./first.js";
import { megabytes, say, translate } from "./words.js";

const at = (id) => document.getElementById(id);

// Returns whether everything is there, after loading it if the reader agrees.
export async function fetchReader(build) {
  await caches.open(WANTED); // later versions come with it
  const files = await missing(build);
  if (!files.length) return true;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const isLoaded = await offered(total, (progress) => load(build, files, (_, bytes) => progress(bytes)));
  if (!isLoaded) await caches.delete(WANTED);
  return isLoaded;
}

function offered(total, fetchAll) {
  const [dialog, go, bar] = [at("reader"), at("reader-load"), at("reader-bar")];
  translate();
  bar.max = total;
  const tell = (line) => (at("reader-line").textContent = line);
  tell(say("browser.photos.line", { size: megabytes(total) }));
  return new Promise((done) => {
    const leave = (isLoaded) => {
      done(isLoaded);
      dialog.close();
    };
    const start = async () => {
      [go.hidden, bar.hidden, bar.value] = [true, false, 0];
      try {
        await fetchAll((bytes) => (bar.value += bytes));
        leave(true);
      } catch (error) {
        console.warn(error);
        [go.hidden, bar.hidden] = [false, true];
        tell(say("browser.photos.away"));
      }
    };
    go.textContent = say("browser.load", { size: megabytes(total) });
    [go.hidden, bar.hidden, go.onclick] = [false, true, start];
    dialog.addEventListener("close", () => done(false), { once: true });
    dialog.showModal();
    if (!isMetered()) start();
  });
}

// The first visit: how much is loaded and what is still to come, and what is in the way.

import { chosen, megabytes, offerLanguages, say, translate } from "./words.js";

const at = (id) => document.getElementById(id);
const groups = new Map();
let total = 0;
let began = 0;
let shown;

export async function begin(build, files) {
  at("first").hidden = at("loads").hidden = at("meanwhile").hidden = false;
  at("acts").hidden = true;
  if (!at("language").length) offerLanguages(at("language"), relabel);
  for (const { group, size } of files) {
    const known = groups.get(group) ?? { size: 0, loaded: 0 };
    known.size += size;
    groups.set(group, known);
    total += size;
  }
  shown = () => {
    list();
    for (const link of document.querySelectorAll("[data-paper]")) link.href = build.paper[chosen()][link.dataset.paper];
  };
  at("trouble").hidden = true;
  shown();
  if (isMetered()) await consent();
  began = performance.now();
}

// A phone that counts its bytes is told how many they are before the first one.
export function isMetered() {
  const { connection } = navigator;
  return connection?.saveData || connection?.type === "cellular";
}

function consent() {
  at("acts").hidden = false;
  at("act").textContent = say("browser.load", { size: megabytes(total) });
  return new Promise((go) => {
    at("act").onclick = () => {
      at("acts").hidden = true;
      go();
    };
  });
}

export function progress({ group }, bytes) {
  groups.get(group).loaded += bytes;
  list();
}

function list() {
  const loaded = [...groups.values()].reduce((sum, one) => sum + one.loaded, 0);
  at("loads").style.setProperty("--done", `${(100 * loaded) / total}%`);
  at("loaded").textContent = megabytes(loaded);
  at("of").textContent = [say("browser.of", { size: megabytes(total) }), left(loaded)].filter(Boolean).join(", ");
  at("groups").replaceChildren(...[...groups].map(line));
}

function left(loaded) {
  const took = (performance.now() - began) / 1000;
  if (!began || took < 2 || loaded >= total) return "";
  const seconds = Math.max(1, Math.round(((total - loaded) * took) / loaded));
  return say("browser.left", { n: seconds < 10 ? seconds : 10 * Math.round(seconds / 10) });
}

function line([group, { size, loaded }]) {
  const [one, name, bytes] = [document.createElement("li"), document.createTextNode(say(`browser.part.${group}`)), document.createElement("span")];
  one.className = loaded >= size ? "ok" : loaded ? "busy" : "";
  bytes.textContent = loaded && loaded < size
    ? say("browser.part.loaded", { loaded: megabytes(loaded), size: megabytes(size) })
    : say("browser.part.size", { size: megabytes(size) });
  one.append(document.createElement("i"), name, bytes);
  return one;
}

function relabel() {
  translate();
  shown?.();
}

// Says why it does not work, what helps, and offers one way on.
export function trouble(why, act, detail = "") {
  at("first").hidden = false;
  at("loads").hidden = at("meanwhile").hidden = true;
  if (!at("language").length) offerLanguages(at("language"), () => trouble(why, act, detail));
  translate();
  at("trouble").hidden = false;
  at("trouble-word").textContent = say(`browser.${why}.word`);
  at("trouble-line").textContent = [say(`browser.${why}.line`), detail].filter(Boolean).join(" ");
  at("acts").hidden = !act;
  at("act").textContent = say(why === "elsewhere" || why === "moved" ? "browser.here" : "browser.again");
  at("act").onclick = act;
  if (why === "network") addEventListener("online", act, { once: true });
}

// The words of the shell: those of the catalogues, in the language of the pages.

const { words } = JSON.parse(document.getElementById("build").textContent);
const codes = Object.keys(words);

// Browsers may forbid to store anything, and evenings in links are shown all the same.
const unkept = new Map();
export const kept = (name) => unkept.get(name) ?? ifAllowed(() => localStorage.getItem(name));

export function keep(name, what) {
  unkept.set(name, what);
  ifAllowed(() => localStorage.setItem(name, what));
}

function ifAllowed(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

export const chosen = () => {
  const wished = [kept("language"), ...navigator.languages].map((one) => one?.slice(0, 2).toLowerCase());
  return wished.find((code) => codes.includes(code)) ?? "en";
};

// Those of the pages. Not every browser knows the formats of Luxembourgish, which are the German ones.
export const formats = () => ({ en: "en-GB", lb: "de" })[chosen()] ?? chosen();

// The first entry of a sentence is its singular, if it has one.
export function say(key, facts = {}) {
  const code = chosen();
  const forms = words[code][key] ?? [key];
  const number = Object.values(facts).find((fact) => typeof fact === "number");
  const one = code === "fr" ? number < 2 : number === 1;
  const sentence = forms[forms.length > 1 && !one ? 1 : 0];
  return sentence.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "…");
}

export const megabytes = (bytes) =>
  new Intl.NumberFormat(formats(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / 1e6);

export function translate() {
  document.documentElement.lang = chosen();
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = say(one.dataset.word);
}

// The list of languages, each in its own words.
export function offerLanguages(select, changed) {
  for (const code of codes) select.add(new Option(words[code]["browser.language"][0], code, false, code === chosen()));
  select.ariaLabel = say("browser.choose");
  select.onchange = () => {
    keep("language", select.value);
    changed();
  };
}

// Files that the program makes: a score sheet, a table, a copy. A frame cannot show them everywhere,
// so the reader chooses: open, send or save. `kept` is called once it has been sent or saved.

import { megabytes, say } from "./words.js";

const at = (id) => document.getElementById(id);
const SHOWN = /^(image\/|application\/(pdf|json)\b)/; // other files a browser would only save, without their name

export function offerPaper({ headers, body }, url, kept) {
  const fields = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const type = fields["content-type"];
  const name = nameIn(fields["content-disposition"]) ?? new URL(url).pathname.split("/").pop();
  const file = new File([body], name, { type });
  const address = URL.createObjectURL(file);
  at("paper-name").textContent = name;
  at("paper-size").textContent = say("browser.part.size", { size: megabytes(Math.max(file.size, 50_000)) });
  at("paper-open").hidden = !SHOWN.test(type);
  at("paper-open").onclick = () => open(address);
  at("paper-share").hidden = !navigator.canShare?.({ files: [file] });
  at("paper-share").onclick = () => navigator.share({ files: [file] }).then(kept, () => {});
  Object.assign(at("paper-save"), { href: address, download: name, onclick: kept });
  at("paper").addEventListener("close", () => setTimeout(() => URL.revokeObjectURL(address), 60_000), { once: true });
  at("paper").showModal();
}

function nameIn(disposition = "") {
  const coded = disposition.match(/filename\*=UTF-8''([^;]+)/i);
  return coded ? decodeURIComponent(coded[1]) : disposition.match(/filename="?([^";]+)"?/)?.[1];
}

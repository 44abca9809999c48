// Keeps the entry form in a hidden frame of the board where no service worker can keep it: on plain
// http. Without a connection the form is shown over the board. A round that is saved in it waits in
// the outbox of the board, which sends it (outbox.js).

const at = (id) => document.getElementById(id);

// Returns what opens an address in the frame; false if it leads elsewhere. `box` is what outbox.js
// lends. The scripts that draw and list what waits are fetched while there is a connection.
export function keep(entry, { script, put, changed, send }) {
  let pending;
  script("pending").then((one) => (pending = one));
  for (const name of ["waiting", "drafted"]) script(name);
  const frame = document.createElement("iframe");
  frame.className = "framed";
  frame.inert = true;
  frame.src = entry;
  frame.addEventListener("load", () => {
    frame.title = inside()?.title ?? "";
    inside()?.addEventListener("click", leave, true);
  });
  addEventListener("popstate", () => {
    frame.inert = true;
    changed(); // shows the draft
  });
  document.addEventListener("entered", ({ detail }) => {
    put(detail);
    changed();
    send();
    history.back();
  });
  document.body.append(frame);

  const inside = () => frame.contentDocument; // null if another page could not be loaded

  return (address) => {
    const { pathname, searchParams } = new URL(address, location);
    const form = inside()?.querySelector("form[data-fast]");
    if (!form || !pending || !at("pad").dataset.sheet || pathname !== entry) return false;
    form.dispatchEvent(new CustomEvent("opened", { detail: pending.beforeWaiting() }));
    form.dispatchEvent(new CustomEvent("named", { detail: searchParams.get("ender") }));
    history.pushState(null, ""); // the phone's own way back leads to the board
    frame.inert = false;
    frame.focus();
    return true;
  };
}

function leave(event) {
  const link = event.target.closest("a[href]");
  if (link?.pathname !== location.pathname) return;
  event.preventDefault();
  history.back();
}

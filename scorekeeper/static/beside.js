// On a wide screen the score pad lies beside the keys: that of the board, with its styles.

const board = document.querySelector(".bar .back").href;
const answer = await fetch(board).catch(() => null); // without a connection there is none
if (answer?.ok) await lay(new DOMParser().parseFromString(await answer.text(), "text/html"));

async function lay(page) {
  const sheets = page.querySelectorAll("[rel=stylesheet]");
  await Promise.all([...sheets].map(load));
  const pad = document.adoptNode(page.getElementById("pad"));
  pad.removeAttribute("data-part");
  pad.querySelector("#next")?.remove(); // this line is being written
  document.querySelector("main").append(pad);
  pad.scrollTop = pad.scrollHeight;
}

function load(link) {
  const address = link.getAttribute("href");
  if (document.querySelector(`link[href="${address}"]`)) return null;
  return new Promise((done) => {
    link.onload = link.onerror = done;
    document.head.append(document.adoptNode(link));
  });
}

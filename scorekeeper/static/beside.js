// Shows the score pad of the board, with its styles, beside the keys on a wide screen.

const board = document.querySelector(".bar .back").href;
const answer = await fetch(board).catch(() => null); // no pad without a connection
if (answer?.ok) await lay(new DOMParser().parseFromString(await answer.text(), "text/html"));

async function lay(page) {
  const sheets = page.querySelectorAll("[rel=stylesheet]");
  await Promise.all([...sheets].map(load));
  const pad = document.adoptNode(page.getElementById("pad"));
  pad.removeAttribute("data-part");
  for (const line of pad.querySelectorAll(".next")) line.remove(); // the round being entered
  while (document.querySelector(":active")) await new Promise(requestAnimationFrame); // the form moves, and would lose the click
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

// Keeps the screen on while the page is in sight. Browsers allow it on secure addresses
// only; where they do not, the page says so once in its element #sleeps.

const sleeps = document.getElementById("sleeps");

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
    if (sleeps) sleeps.hidden = true;
  } catch {
    if (!sleeps || localStorage.getItem("sleeps")) return;
    localStorage.setItem("sleeps", "said");
    sleeps.hidden = false;
  }
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();

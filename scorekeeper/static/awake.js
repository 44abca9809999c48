// Keeps the screen on while the page is visible. Browsers allow this on secure addresses only;
// elsewhere the element #sleeps says once that the screen may go dark.

const sleeps = document.getElementById("sleeps");

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
    if (sleeps) sleeps.hidden = true;
  } catch {
    if (!sleeps || ifAllowed((memory) => memory.getItem("sleeps"))) return;
    sleeps.hidden = false;
    if (sleeps.offsetParent) ifAllowed((memory) => memory.setItem("sleeps", "said")); // among the keys there is no room
  }
}

// The browser may refuse to store anything, or have no room.
function ifAllowed(access) {
  try {
    return access(localStorage);
  } catch {
    return null;
  }
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();

// The secret of a link follows the #, so it reaches no server and no log. This script removes it
// from the address and exchanges it for a right of this browser.

function exchange() {
  const code = location.hash.slice(1);
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("enter");
  form.elements.code.value = code;
  form.submit();
}

addEventListener("hashchange", exchange);
exchange();

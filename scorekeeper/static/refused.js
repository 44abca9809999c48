// After a refusal the first message has the focus; where the browser does not see to that, this
// does. The line above the button leads from one message to the next.

const messages = () => [...document.querySelectorAll('.fault[id^="message-"]')].filter((one) => one.offsetParent);
let last;

function go(message) {
  last = message;
  message?.focus();
}

addEventListener("click", (press) => {
  if (!press.target.closest(".hop")) return;
  press.preventDefault();
  const all = messages();
  go(all[(all.indexOf(last) + 1) % all.length]);
});

if (!document.querySelector("[autofocus]:focus")) messages()[0]?.focus();

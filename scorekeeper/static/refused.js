// After a refusal, moves the focus to the first message if the browser has not done so. The line
// above the button leads from one message to the next.

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

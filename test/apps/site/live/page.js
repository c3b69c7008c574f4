// Everything comes otherwise than by an answer to a request: over a socket, as an event, from a worker; and a clock ticks.
const $ = (selector) => document.querySelector(selector);
const socket = new WebSocket(`ws://${location.host}/chat`);
const worker = new Worker("/worker.js");
let id = 0;

setInterval(() => ($("#clock").textContent = String(Number($("#clock").textContent) + 1)), 700);

$("#chat").addEventListener("submit", (event) => {
  event.preventDefault();
  socket.send(JSON.stringify({ id: ++id, text: $("#chat").elements.text.value }));
  $("#chat").reset();
});
socket.addEventListener("message", ({ data }) => {
  const { text } = JSON.parse(data);
  const line = document.createElement("li");
  line.textContent = text;
  $("#messages").append(line);
});

for (const what of ["tea", "milk"])
  $(`#${what}`).addEventListener("click", () =>
    fetch("/orders", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ what }),
    }),
  );
new EventSource("/prices").addEventListener("message", ({ data }) => {
  const { what } = JSON.parse(data);
  const row = [...$("#bought").rows].find(({ cells }) => cells[0].textContent === what);
  row.cells[1].textContent = String(Number(row.cells[1].textContent) + 1);
});

function count(by) {
  say("counted");
  $("#count").textContent = "Counting …";
  by.onmessage = ({ data }) => ($("#count").textContent = `${data} primes up to ${limit()}`);
  by.postMessage(limit());
}
const limit = () => Number($("#primes").elements.limit.value);
$("#primes").addEventListener("submit", (event) => {
  event.preventDefault();
  count(worker);
});
$("#fresh").addEventListener("click", () => count(new Worker("/worker.js")));

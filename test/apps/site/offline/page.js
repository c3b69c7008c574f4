// News through a service worker: the kept answer is shown at once, then the fresh one.
const $ = (selector) => document.querySelector(selector);
let topic;

function show({ topic: shown, headlines }) {
  if (shown !== topic) return;
  $("#news").replaceChildren(...headlines.map(line));
  $("[role=status]").textContent = `${headlines.length} about ${topic}`;
}

function line(text) {
  const made = document.createElement("li");
  const read = document.createElement("button");
  read.textContent = "Read";
  read.onclick = () => fetch("/api/read", { method: "POST", body: text }).then(() => made.append(" (read)"));
  made.append(`${text} `, read);
  return made;
}

for (const button of document.querySelectorAll("[data-topic]"))
  button.addEventListener("click", () => {
    topic = button.dataset.topic;
    say(`asked for ${topic}`);
    void fetch(`/api/${topic}`)
      .then((answer) => answer.json())
      .then(show);
  });
navigator.serviceWorker.addEventListener("message", ({ data }) => show(data));
await navigator.serviceWorker.register("/service-worker.js");
await navigator.serviceWorker.ready;
if (topic === undefined) $("[role=status]").textContent = "Choose a topic";

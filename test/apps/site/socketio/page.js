// Notes with votes: what is sent comes back to all, some as an acknowledgement, some as a message of its own.
import { io } from "socket.io-client";

const $ = (selector) => document.querySelector(selector);
// Some networks let no WebSocket through.
const socket = io(location.search === "?polling" ? { transports: ["polling"] } : {});
let notes = [];

socket.on("notes", (all) => {
  notes = all;
  show();
});
socket.on("note", (note) => {
  notes = [...notes.filter(({ id }) => id !== note.id), note].sort(
    (one, other) => other.votes - one.votes || one.id - other.id,
  );
  show();
});
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  $("[role=status]").textContent = "Saving …";
  const { text } = $("form").elements;
  socket.emit("add", text.value, (answer) => {
    $("[role=status]").textContent = answer;
  });
  text.value = "";
});

function show() {
  $("#notes").replaceChildren(
    ...notes.map(({ id, text, votes }) => {
      const line = document.createElement("li");
      const vote = document.createElement("button");
      vote.textContent = "Vote";
      vote.onclick = () => socket.emit("vote", id);
      line.append(`${text}: ${votes} votes `, vote);
      return line;
    }),
  );
}

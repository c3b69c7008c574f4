// A calendar of FullCalendar: goes from month to month, takes a click on a day, moves and removes what is on it.
import { Calendar } from "@fullcalendar/core";
import dayGrid from "@fullcalendar/daygrid";
import interaction from "@fullcalendar/interaction";

document.body.innerHTML = `<h1>Plans</h1><div id="calendar"></div><dialog aria-label="A plan"><form method="dialog"><label>Title <input></label><button value="save">Save</button><button value="no">Cancel</button></form></dialog><p role="status"></p>`;
const dialog = document.querySelector("dialog");
const tell = (what) => {
  say(what);
  document.querySelector("[role=status]").textContent = what;
};
let day;
const calendar = new Calendar(document.querySelector("#calendar"), {
  plugins: [dayGrid, interaction],
  initialDate: "2026-03-10",
  editable: true,
  events: [{ id: "1", title: "Dentist", date: "2026-03-12" }],
  dateClick({ dateStr }) {
    day = dateStr;
    dialog.showModal();
  },
  eventDrop({ event }) {
    tell(`${event.title} moved to ${event.startStr}`);
  },
  eventClick({ event }) {
    tell(`${event.title} removed`);
    event.remove();
  },
});
calendar.render();
dialog.addEventListener("close", () => {
  const title = document.querySelector("input").value;
  if (dialog.returnValue !== "save") return;
  calendar.addEvent({ title, date: day });
  tell(`${title} on ${day}`);
});

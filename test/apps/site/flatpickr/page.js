// Two dates in flatpickr, one of them with a time, beside each other.
import "flatpickr/dist/flatpickr.css";
import flatpickr from "flatpickr";

document.body.innerHTML = `<h1>Stay</h1><label>From <input id="from"></label> <label>Until <input id="until"></label><p role="status"></p>`;
const show = () => {
  const [from, until] = ["from", "until"].map((id) => document.getElementById(id).value);
  document.querySelector("[role=status]").textContent = from && until ? `${from} to ${until}` : "";
};
for (const id of ["from", "until"])
  flatpickr(`#${id}`, {
    defaultDate: id === "from" ? "2026-03-01" : undefined,
    minDate: "2026-03-01",
    disableMobile: true,
    onChange: (_, text) => {
      say(`${id} ${text}`);
      show();
    },
  });

// A room is booked in Fluent UI's web components: roles in ElementInternals, popovers, modal dialogs and drawers that fade.
import { webLightTheme } from "@fluentui/tokens";
import { setTheme } from "@fluentui/web-components";
import "@fluentui/web-components/web-components.js";

setTheme(webLightTheme);

const $ = (id) => document.getElementById(id);

function tell(what, intent = "success") {
  const bar = document.createElement("fluent-message-bar");
  bar.setAttribute("intent", intent);
  bar.innerHTML = `${what}<fluent-button slot="dismiss">Dismiss</fluent-button>`;
  bar.querySelector("fluent-button").addEventListener("click", () => bar.remove());
  $("news").replaceChildren(bar);
}

function list(room, city) {
  const row = document.createElement("tr");
  row.innerHTML = `<td>${room}</td><td>${city}</td><td><fluent-button>Cancel</fluent-button></td>`;
  row.querySelector("fluent-button").addEventListener("click", () => {
    row.remove();
    say(`cancelled ${room}`);
  });
  $("booked").append(row);
}
list("attic", "Paris");
list("garden", "Paris");

for (const id of ["when", "who"])
  $(id).addEventListener("click", () => {
    for (const each of ["when", "who"]) $(`${each}-panel`).hidden = each !== id;
  });
// A dropdown's own field reports the same choice again when it loses the focus.
for (const id of ["room", "city", "length", "heating"]) {
  let last = $(id).getAttribute("value");
  $(id).addEventListener("change", ({ currentTarget: { value } }) => {
    if (value && value !== last) say(`${id} ${value}`);
    last = value;
  });
}
for (const id of ["coffee", "weekly"])
  $(id).addEventListener("change", ({ target }) => say(`${id} ${target.checked}`));
$("mute").addEventListener("click", () => say("mute pressed"));
document.querySelector("fluent-menu").addEventListener("change", ({ target }) => {
  const { does } = target.dataset;
  say(does);
  if (does === "help") $("help").show();
  else tell(does);
});
$("enough").addEventListener("click", () => $("help").hide());
$("book").addEventListener("click", () => {
  const [room, city, seats, name] = ["room", "city", "seats", "name"].map((id) => $(id).value);
  if (!name) return tell("A booking needs a name", "error");
  $("what").textContent = `${room} in ${city}, ${seats} seats, for ${name}`;
  $("sure").show();
});
$("no").addEventListener("click", () => $("sure").hide());
$("yes").addEventListener("click", async () => {
  $("sure").hide();
  await new Promise((resolve) => setTimeout(resolve, 80));
  say(`booked ${$("what").textContent}`);
  tell(`booked ${$("what").textContent}`);
  list($("room").value, $("city").value);
});

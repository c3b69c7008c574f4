// A parcel's form of Lit elements in Shoelace: shadow roots, form-associated elements, a dialog that fades.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/shoelace.js";

const $ = (id) => document.getElementById(id);
const tell = (what) => {
  say(what);
  $("said").textContent = what;
};
for (const id of ["size", "speed"])
  $(id).addEventListener("sl-change", ({ target }) => say(`${id} ${target.value}`));
for (const id of ["fragile", "signed"])
  $(id).addEventListener("sl-change", ({ target }) => say(`${id} ${target.checked}`));
document
  .querySelector("sl-menu")
  .addEventListener("sl-select", ({ detail }) => tell(`${detail.item.value} chosen`));
$("ship").addEventListener("click", () => {
  $("what").textContent =
    `${$("size").value}, ${$("weight").value} kg, ${$("speed").value}, from ${$("name").value}`;
  $("sure").show();
});
$("no").addEventListener("click", () => $("sure").hide());
$("yes").addEventListener("click", async () => {
  await $("sure").hide();
  tell(`shipped ${$("what").textContent}`);
});

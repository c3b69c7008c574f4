// Files in lists, tabs, menus, modals, drawers and toasts of Bootstrap.
import "bootstrap/dist/css/bootstrap.css";
import { Modal, Offcanvas, Toast } from "bootstrap";

const $ = (selector) => document.querySelector(selector);
const names = ["budget.txt", "notes.txt", "plan.txt"];
const sizes = { "budget.txt": "4 kB", "notes.txt": "1 kB", "plan.txt": "7 kB" };
let renamed;

function list() {
  $("#files").replaceChildren(...names.map(item));
}

function item(name) {
  const li = document.createElement("li");
  li.className = "list-group-item d-flex";
  li.innerHTML = `<span class="me-auto">${name}</span><div class="dropdown">
    <button class="btn btn-sm dropdown-toggle" data-bs-toggle="dropdown" aria-expanded="false">Actions</button>
    <ul class="dropdown-menu">
      <li><button class="dropdown-item" data-does="rename">Rename</button></li>
      <li><button class="dropdown-item" data-does="about">About</button></li>
      <li><button class="dropdown-item" data-does="delete">Delete</button></li>
    </ul></div>`;
  li.addEventListener("click", ({ target }) => acts[target.dataset.does]?.(name));
  return li;
}

const acts = {
  rename(name) {
    renamed = name;
    $("#name").value = name;
    $("#name").classList.remove("is-invalid");
    Modal.getOrCreateInstance("#rename").show();
  },
  about(name) {
    $("#info .offcanvas-body").textContent = `${name} holds ${sizes[name]}`;
    Offcanvas.getOrCreateInstance("#info").show();
  },
  delete(name) {
    names.splice(names.indexOf(name), 1);
    list();
    tell(`${name} deleted`);
  },
};

function tell(what) {
  $(".toast-body").textContent = what;
  Toast.getOrCreateInstance(".toast").show();
  say(what);
}

$("#rename").addEventListener("shown.bs.modal", () => $("#name").select());
$("#rename form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = $("#name").value;
  if (names.includes(name)) {
    $("#name").classList.add("is-invalid");
    $(".invalid-feedback").textContent = `There is a file ${name} already`;
    return;
  }
  sizes[name] = sizes[renamed];
  names.splice(names.indexOf(renamed), 1, name);
  Modal.getInstance("#rename").hide();
  list();
  tell(`${renamed} is now ${name}`);
});
$(".btn-group").addEventListener("change", ({ target }) => say(`size ${target.id}`));
$("#hidden").addEventListener("change", ({ target }) => say(`hidden ${target.checked}`));
list();

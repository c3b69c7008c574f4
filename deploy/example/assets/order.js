// Runs the order form: the controls that HTML does not have, the terms, and the card from the payment frame. Each
// control keeps its value in the hidden field of the same name, which the form sends.

const form = document.getElementById("order");
const field = (name) => form.elements.namedItem(name);
const byId = (id) => document.getElementById(id);

const point = combobox(byId("point"), byId("point-list"), field("point"));
const paper = listbox(byId("paper"), field("paper"));
const tip = slider(byId("tip"), field("tip"));
const updates = byId("send-updates");
const greeting = byId("greeting");
const terms = byId("terms");
const frame = byId("payment");

updates.addEventListener("click", () => setUpdates(field("updates").value === "no"));
greeting.addEventListener("input", () => {
  field("greeting").value = greeting.textContent.trim();
});

byId("show-terms").addEventListener("click", () => terms.showModal());
byId("close-terms").addEventListener("click", () => terms.close());
byId("accept-terms").addEventListener("click", () => {
  setTerms("accepted");
  terms.close();
});

addEventListener("message", ({ origin, source, data }) => {
  if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
  setCard(data.token, `Card ending in ${data.lastDigits}`);
});

form.addEventListener("submit", (event) => {
  const missing = [
    ["payment", "Please enter a card first."],
    ["terms", "Please read and accept the terms first."],
  ].find(([name]) => field(name).value === "");
  if (!missing) return;
  event.preventDefault();
  byId("notice").textContent = missing[1];
});

form.addEventListener("reset", () => {
  point.choose(undefined);
  paper.choose(paper.options[0]);
  tip.set(5);
  setUpdates(false);
  greeting.textContent = "";
  field("greeting").value = "";
  setTerms("");
  setCard("", "No card yet");
});

function setUpdates(on) {
  updates.setAttribute("aria-checked", String(on));
  field("updates").value = on ? "yes" : "no";
}

function setTerms(value) {
  field("terms").value = value;
  byId("terms-status").textContent = value ? "Accepted" : "Not accepted yet";
}

function setCard(token, text) {
  field("payment").value = token;
  byId("payment-status").textContent = text;
}

/** A button that opens a list with one choice. */
function combobox(button, list, input) {
  const options = [...list.children];
  const open = (isOpen) => {
    list.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) (options.find((option) => option.ariaSelected === "true") ?? options[0]).focus();
  };
  const choose = (chosen) => {
    for (const option of options) option.setAttribute("aria-selected", String(option === chosen));
    input.value = chosen?.textContent ?? "";
    button.textContent = chosen?.textContent ?? "None";
  };
  button.addEventListener("click", () => open(list.hidden));
  button.addEventListener("keydown", (event) => {
    if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    open(true);
  });
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (!option) return;
    choose(option);
    open(false);
    button.focus();
  });
  list.addEventListener("keydown", (event) => {
    const at = options.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) options[(next + options.length) % options.length].focus();
    else if (event.key === "Enter") options[at]?.click();
    else if (event.key === "Escape") open(false);
    else return;
    event.preventDefault();
  });
  return { choose };
}

/** A list in which one option is always chosen. */
function listbox(list, input) {
  const options = [...list.children];
  const choose = (chosen) => {
    for (const option of options) option.setAttribute("aria-selected", String(option === chosen));
    list.setAttribute("aria-activedescendant", chosen.id);
    input.value = chosen.textContent;
  };
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option) choose(option);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = options.findIndex((option) => option.ariaSelected === "true");
    const next = options[at + step];
    if (!next) return;
    event.preventDefault();
    choose(next);
  });
  return { options, choose };
}

/** A slider that takes arrow keys and clicks. */
function slider(el, input) {
  const [min, max] = [Number(el.ariaValueMin), Number(el.ariaValueMax)];
  const set = (wanted) => {
    const value = Math.min(max, Math.max(min, Math.round(wanted)));
    el.setAttribute("aria-valuenow", value);
    el.setAttribute("aria-valuetext", `${value} %`);
    el.firstElementChild.style.width = `${(100 * (value - min)) / (max - min)}%`;
    input.value = value;
  };
  el.addEventListener("keydown", (event) => {
    const now = Number(input.value);
    const next = {
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      Home: min,
      End: max,
    };
    if (!(event.key in next)) return;
    event.preventDefault();
    set(next[event.key]);
  });
  el.addEventListener("click", ({ clientX }) => {
    const { left, width } = el.getBoundingClientRect();
    set(min + ((clientX - left) / width) * (max - min));
    el.focus();
  });
  set(Number(input.value));
  return { set };
}

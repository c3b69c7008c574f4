// Tests custom elements that describe themselves only through ElementInternals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const CLASSES = `
  customElements.define("x-button", class extends HTMLElement {
    #internals = this.attachInternals();
    connectedCallback() { this.#internals.role = "button"; this.tabIndex = 0; }
  });
  customElements.define("x-check", class extends HTMLElement {
    static formAssociated = true;
    #internals = this.attachInternals();
    constructor() { super(); this.addEventListener("click", () => this.#set(this.#internals.ariaChecked !== "true")); }
    connectedCallback() { this.#internals.role = "checkbox"; this.tabIndex = 0; this.#set(false); }
    #set(on) { this.#internals.ariaChecked = String(on); }
  });
  customElements.define("x-list", class extends HTMLElement {
    #internals = this.attachInternals();
    connectedCallback() { this.#internals.role = "listbox"; this.#internals.ariaLabel = "Fruit"; }
    set label(words) { this.#internals.ariaLabel = words; }
  });
  customElements.define("x-option", class extends HTMLElement {
    #internals = this.attachInternals();
    constructor() {
      super();
      this.addEventListener("click", () => {
        for (const each of this.parentNode.children) each.selected = each === this;
      });
    }
    connectedCallback() { this.#internals.role = "option"; }
    set selected(on) { this.#internals.ariaSelected = String(on); }
  });`;
const LIST = "<x-list><x-option>Apple</x-option><x-option>Pear</x-option></x-list>";
const page = (content: string) => site.page(`${content}<script>${CLASSES}</script>`);

test("roles, names and labels in internals are shown", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`<x-button>Buy</x-button><label for=gift>Gift wrap</label><x-check id=gift></x-check>
      <label>Express <x-check></x-check></label>${LIST}`),
  );
  assert.match(text, /button "Buy" \[ref=e/);
  assert.match(text, /checkbox "Gift wrap" \[ref=e/);
  assert.match(text, /checkbox "Express" \[ref=e/);
  assert.match(text, /listbox "Fruit".*\n\s+- option "Apple" \[ref=e.*\n\s+- option "Pear" \[ref=e/);
});

test("a state that changes only in internals shows in the click's reply and in the next snapshot", async () => {
  await using session = worker.session();
  const text = await session.open(page("<label for=gift>Gift wrap</label><x-check id=gift></x-check>"));
  const ref = refOf(text, "Gift wrap");
  assert.match((await session.do("browser_click", { ref })).text, /checkbox "Gift wrap" \[checked\]/);
  const { text: again } = await session.do("browser_click", { ref });
  assert.match(again, /~ - checkbox "Gift wrap" \[/);
  assert.doesNotMatch(again, /\[checked\]/);
  assert.match(await session.read(), /checkbox "Gift wrap" \[active\]/);
});

test("an option is chosen in a list whose role is only in internals", async () => {
  await using session = worker.session();
  const text = await session.open(page(LIST));
  const ref = refOf(text, "Fruit");
  const chosen = await session.do("browser_select_option", { ref, values: ["Pear"] });
  assert.match(chosen.text, /option "Pear" \[selected\]/);
});

test("elements that come later, are defined later or shown later are asked too", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`<button onclick="define()">Define</button><button onclick="add()">Add</button>
      <button onclick="hid.hidden = false">Show</button><x-button>First</x-button><div id=hid hidden>${LIST}</div><script>
      function define() { ${CLASSES} }
      function add() { document.body.append(Object.assign(document.createElement("x-button"), { textContent: "Second" })); }
      </script>`),
  );
  assert.doesNotMatch(text, /button "First"/);
  const defined = await session.do("browser_click", { ref: refOf(text, "Define") });
  assert.match(defined.text, /button "First" \[ref=e/);
  const added = await session.do("browser_click", { ref: refOf(text, "Add") });
  assert.match(added.text, /button "Second" \[ref=e/);
  const shown = await session.do("browser_click", { ref: refOf(text, "Show") });
  assert.match(shown.text, /option "Pear" \[ref=e/);
});

test("an element's own attribute goes before its internals", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(
      '<x-button role=link aria-label="Go on">Buy</x-button><x-check role=switch aria-label=Dark></x-check>',
    ),
  );
  assert.match(text, /link "Go on" \[ref=e/);
  assert.match(text, /switch "Dark" \[ref=e/);
});

test("options in slots, whose role Chrome drops, are shown and chosen", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`<y-list><y-option>Apple</y-option><y-option>Pear</y-option></y-list><script>
      customElements.define("y-list", class extends HTMLElement {
        internals = this.attachInternals();
        constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<slot></slot>"; }
        connectedCallback() { this.internals.role = "listbox"; this.internals.ariaLabel = "Fruit"; }
      });
      customElements.define("y-option", class extends HTMLElement {
        internals = this.attachInternals();
        connectedCallback() { this.internals.role = "option"; this.onclick = () => { this.internals.ariaSelected = "true"; }; }
      });</script>`),
  );
  assert.match(text, /listbox "Fruit".*\n\s+- option "Apple" \[ref=e.*\n\s+- option "Pear" \[ref=e/);
  const chosen = await session.do("browser_select_option", { ref: refOf(text, "Fruit"), values: ["Pear"] });
  assert.match(chosen.text, /option "Pear" \[selected\]/);
});

/** Elements with a role and states in their internals, whatever their content is. */
const SPOKEN = `<script>
  for (const role of ["button", "checkbox", "dialog", "progressbar"])
    customElements.define("z-" + role, class extends HTMLElement {
      static formAssociated = true;
      internals = this.attachInternals();
      connectedCallback() {
        this.internals.role = role;
        if (role === "checkbox") this.internals.ariaChecked = "false";
      }
    });
  customElements.define("z-field", class extends HTMLElement {
    static formAssociated = true;
    internals = this.attachInternals();
    constructor() {
      super();
      this.attachShadow({ mode: "open", delegatesFocus: true }).innerHTML = "<label for=i><slot></slot></label><input id=i>";
    }
  });
  customElements.define("z-modal", class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: "open" }).innerHTML = "<dialog><slot></slot></dialog>";
    }
    connectedCallback() { this.inner.setAttribute("aria-label", this.getAttribute("aria-label")); }
    get inner() { return this.shadowRoot.firstChild; }
  });</script>`;

test("the only field of a custom element takes that element's name", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`${SPOKEN}<label for=a>Seats</label><z-field id=a></z-field><z-field aria-label="Wishes"></z-field>
      <label for=b>Fruit</label><z-field id=b>Apple</z-field><button onclick="a.labels[0].textContent = 'Chairs'">Rename</button>
      <script>Object.defineProperty(a, "labels", { get: () => a.internals.labels })</script>`),
  );
  assert.match(text, /^- textbox "Seats" \[ref=e/m);
  assert.match(text, /^- textbox "Wishes" \[ref=e/m);
  assert.match(text, /- textbox "Apple" \[ref=e/);
  const renamed = await session.do("browser_click", { ref: refOf(text, "Rename") });
  assert.match(renamed.text, /- textbox "Chairs" \[ref=e/);
});

test("a custom element with a closed dialog is not shown", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(
      `${SPOKEN}<button onclick="d.inner.show()">Open</button><z-modal id=d aria-label="Sure?">Really</z-modal>`,
    ),
  );
  assert.doesNotMatch(text, /Sure/);
  const opened = await session.do("browser_click", { ref: refOf(text, "Open") });
  assert.match(opened.text, /^ *- dialog "Sure\?".*: Really$/m);
  assert.doesNotMatch(opened.text, /generic "Sure/);
});

test("a layer's close button is found if only internals give its role", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`${SPOKEN}<button>Below</button><div style="position:fixed;inset:0;background:#fff">News
      <z-button style="display:inline-block">Close</z-button></div>`),
  );
  const refusal = await session.refuse("ELEMENT_COVERED", "browser_click", { ref: refOf(text, "Below") });
  assert.match(refusal.text, /button "Close"/);
});

test("hidden controls that only internals describe are counted", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`${SPOKEN}<z-button>One</z-button><div id=box><z-button>Two</z-button><z-button>Three</z-button></div>
      <button onclick="box.setAttribute('aria-hidden', 'true')">Hide</button>`),
  );
  const hidden = await session.do("browser_click", { ref: refOf(text, "Hide") });
  assert.match(hidden.text, /hidden from assistive technology: 2 controls/);
});

// Has a page with a little of everything, and the changes that may happen to it.

import { pick, type Random } from "./random.ts";

/** Has closed roots by their hosts, because only the script that attached them has them. */
export const closedRoots = new Map<Element, ShadowRoot>();
const rootIn = (el: Element) => el.shadowRoot ?? closedRoots.get(el) ?? null;

/** Hands a closed root to the bridge, in the bridge's world, as a worker does. */
function noteClosed(root: ShadowRoot): void {
  const { __troupe } = globalThis as { __troupe?: { openRoot(root: ShadowRoot): boolean } };
  __troupe?.openRoot(root);
}

const STYLES = `
  .h { display: none } .v { visibility: hidden } .s { visibility: visible } .p { cursor: pointer }
  .n { pointer-events: none } .b::before { content: "before " } .c { display: contents } .i { display: inline-block }
  .q .r { display: none } .q > .s { display: block } .k { content-visibility: hidden }`;
const WIDE = [
  ".t + .h { display: block } .r ~ p { display: none }",
  "li:first-child { visibility: hidden }",
  "div:has(> .t) span { display: none } input:checked + * { display: none }",
  "section:empty { display: none } p:nth-child(2) { cursor: pointer }",
];

/** Makes the document the one that changes begin with. */
export function resetPage(random: Random): void {
  closedRoots.clear();
  document.head.innerHTML = "";
  document.body.removeAttribute("class");
  document.adoptedStyleSheets = [];
  const style = document.createElement("style");
  style.textContent = STYLES + (random() < 0.4 ? pick(WIDE, random) : "");
  document.head.append(style);
  document.body.innerHTML = `
    <header><h1>Shop <b>now</b></h1><nav aria-label=Main><a href=/a>A</a><a href=/b>B <i>new</i></a></nav></header>
    <main><ul id=list><li>One <button>Buy one</button></li><li><a href=/two>Two</a><span>text</span></li><li>Three</li></ul>
    <form><label for=f1>First</label><input id=f1 value=x><label>Check <input type=checkbox></label><label><input type=radio name=r> R1</label>
    <select><option>A<option>B<option>C</select><textarea>t</textarea><input id=f2 aria-labelledby="l1 l2"><span id=l1>Name</span><b id=l2>Last</b></form>
    <table><tr><th>H<td>1<tr><td>2<td>3</table>
    <details><summary>More</summary><p>Inside</p><button>In</button></details>
    <fieldset><legend>Set</legend><input><button>Go</button></fieldset><figure><img alt=Pic><figcaption>Cap</figcaption></figure>
    <div><div>deep <span>span <em>em</em></span></div><p>Para <code>x</code> end</p><section><p>P1</p><p>P2</p></section></div>
    <div popover id=pop><button>Popped</button></div><button popovertarget=pop>Open</button><div id=host><span slot=a>slotted</span> light</div></main>`;
}

/** Picks any element, in any shadow root. */
export function aim(random: Random): Element {
  const all: Element[] = [...document.body.querySelectorAll("*")];
  for (const el of all) all.push(...(rootIn(el)?.querySelectorAll("*") ?? []));
  return all.length === 0 ? document.body : (all[Math.floor(random() * all.length)] as Element);
}

/** Describes an element for the report of a failure. */
export function labelOf(el: Element): string {
  return `${el.localName}${el.id ? `#${el.id}` : ""}.${el.className} in ${el.parentElement?.localName ?? "root"}`;
}

const CLASSES = ["h", "v", "s", "p", "n", "b", "c", "i", "q", "r", "t", "k"];
const ATTRIBUTES: [string, string][] = [
  ["aria-label", "Label"],
  ["aria-hidden", "true"],
  ["hidden", ""],
  ["role", "button"],
  ["role", "none"],
  ["role", "list"],
  ["tabindex", "0"],
  ["disabled", ""],
  ["title", "Hint"],
  ["open", ""],
  ["inert", ""],
  ["style", "display:none"],
  ["style", "cursor:pointer"],
  ["style", "display:inline-block"],
  ["aria-expanded", "true"],
  ["aria-disabled", "true"],
  ["aria-labelledby", "l1"],
  ["id", "l1"],
  ["id", "l2"],
  ["id", "f1"],
  ["for", "f2"],
  ["slot", "a"],
  ["name", "a"],
  ["href", "/x"],
  ["contenteditable", ""],
  ["required", ""],
  ["aria-owns", "l1"],
  ["draggable", "true"],
  ["onclick", "void 0"],
  ["data-x", "1"],
];
const PARTS = [
  "<li>New <button>Buy new</button></li>",
  "<p>New paragraph</p>",
  "<span>inline</span>",
  "<div><button>B</button><span>x</span></div>",
  "<label for=f2>Late label</label>",
  "<b id=l1>Late name</b>",
  "<input value=new>",
  "<label>Wrap <input></label>",
  "<section aria-label=Part><h2>T</h2>text</section>",
  "<strong>strong</strong>",
  "<td>cell</td>",
  "<summary>Sum</summary>",
  "<legend>Leg</legend>",
  "<iframe title=F></iframe>",
  "<br>",
  "text",
  "<div class=h><a href=/h>hidden</a></div>",
  "<slot name=a></slot>",
];

const isVoid = (el: Element) => /^(input|br|img|iframe|select|textarea|style)$/.test(el.localName);
const boxFor = (el: Element): Element => (isVoid(el) ? (el.parentElement ?? document.body) : el);

function partOf(random: Random): Node {
  const holder = document.createElement("template");
  holder.innerHTML = pick(PARTS, random);
  return holder.content.firstChild?.cloneNode(true) ?? document.createTextNode("x");
}

const DECLARATIONS: [property: string, value: string][] = [
  ["display", "none"],
  ["display", "inline-block"],
  ["visibility", "hidden"],
  ["cursor", "pointer"],
  ["pointer-events", "none"],
  ["color", "red"],
  ["content-visibility", "hidden"],
];

function ruleAt(random: Random): CSSStyleRule | undefined {
  const rules = [...(document.styleSheets[0]?.cssRules ?? [])].filter((rule) => rule instanceof CSSStyleRule);
  return rules.length === 0 ? undefined : pick(rules, random);
}

const SHADOWS = [
  "<p>shadow <slot></slot></p><button>S</button>",
  "<slot name=a></slot><style>:host{display:block}.h{display:none}</style><i class=h>h</i>",
  "<div><slot></slot></div>text",
];

export type Change = (el: Element, random: Random) => void;

/** Lists all changes of a page. New ones come last, because kept seeds depend on the number at their time. */
export const CHANGES: readonly [string, Change][] = [
  [
    "text",
    (el, random) => {
      const walker = document.createTreeWalker(el, 4);
      const text = walker.nextNode();
      if (text)
        (text as Text).data = pick(["changed", "", "  spaced  out ", "longer text with words"], random);
    },
  ],
  [
    "text content",
    (el) => {
      if (!isVoid(el) && el.children.length <= 1) el.textContent = "replaced";
    },
  ],
  ["class", (el, random) => void el.classList.toggle(pick(CLASSES, random))],
  ["class of the parent", (el, random) => void el.parentElement?.classList.toggle(pick(CLASSES, random))],
  [
    "attribute",
    (el, random) => {
      const [name, value] = pick(ATTRIBUTES, random);
      if (el.getAttribute(name) === value) el.removeAttribute(name);
      else el.setAttribute(name, value);
    },
  ],
  [
    "attribute away",
    (el, random) => {
      const names = el.getAttributeNames();
      if (names.length > 0) el.removeAttribute(pick(names, random));
    },
  ],
  ["append", (el, random) => void boxFor(el).append(partOf(random))],
  ["prepend", (el, random) => void boxFor(el).prepend(partOf(random))],
  ["insert before", (el, random) => void el.before(partOf(random))],
  ["insert after", (el, random) => void el.after(partOf(random))],
  ["remove", (el, random) => void (random() < 0.6 && el.remove())],
  ["replace", (el, random) => void el.replaceWith(partOf(random))],
  [
    "move",
    (el, random) => {
      const target = aim(random);
      if (!el.contains(target)) boxFor(target).append(el);
    },
  ],
  ["move first", (el) => void (el.parentNode as Element | null)?.prepend(el)],
  [
    "unwrap",
    (el) => {
      if (el.parentNode && el.childNodes.length > 0) el.replaceWith(...el.childNodes);
    },
  ],
  [
    "value",
    (_el, random) => {
      const field = pick([...document.querySelectorAll<HTMLInputElement>("input, textarea")], random);
      if (field) field.value = pick(["typed", "", "other"], random);
    },
  ],
  [
    "check",
    (_el, random) => {
      const box = pick(
        [...document.querySelectorAll<HTMLInputElement>("input[type=checkbox], input[type=radio]")],
        random,
      );
      if (box) box.checked = !box.checked;
    },
  ],
  [
    "mixed",
    () => {
      const box = document.querySelector<HTMLInputElement>("input[type=checkbox]");
      if (box) box.indeterminate = !box.indeterminate;
    },
  ],
  [
    "choose",
    (_el, random) => {
      const select = document.querySelector("select");
      if (select) select.selectedIndex = Math.floor(random() * 3);
    },
  ],
  [
    "invalid",
    () => {
      const field = document.querySelector("input");
      field?.setCustomValidity(field.validity.valid ? "bad" : "");
    },
  ],
  ["focus", (el) => void (el as HTMLElement).focus?.()],
  [
    "attach shadow",
    (el, random) => {
      if (!/^(div|p|span|section|nav|header)$/.test(el.localName) || rootIn(el)) return;
      el.attachShadow({ mode: "open" }).innerHTML = pick(SHADOWS, random);
    },
  ],
  [
    "popover",
    () => {
      const pop = document.querySelector<HTMLElement>("[popover]");
      if (pop?.isConnected) pop.togglePopover();
    },
  ],
  [
    "rule",
    (_el, random) => {
      const sheet = document.styleSheets[0];
      sheet?.insertRule(
        pick(["em { display: none }", "h1::after { content: '!' }", "p { cursor: pointer }"], random),
        sheet.cssRules.length,
      );
    },
  ],
  [
    "sheet",
    (_el, random) => {
      const style = document.querySelector("style");
      if (style) style.textContent += pick(["a { visibility: hidden }", "li span { display: none }"], random);
    },
  ],
  [
    "many",
    (el, random) => {
      for (let index = 0; index < 5; index++) boxFor(el).append(partOf(random));
    },
  ],
  [
    "attach closed shadow",
    (el, random) => {
      if (!/^(div|p|span|section|nav|header)$/.test(el.localName) || rootIn(el)) return;
      const root = el.attachShadow({ mode: "closed" });
      root.innerHTML = pick(SHADOWS, random);
      closedRoots.set(el, root);
      noteClosed(root);
    },
  ],
  [
    "edit rule",
    (_el, random) => {
      const style = ruleAt(random)?.style;
      const [property, value] = pick(DECLARATIONS, random);
      if (style?.getPropertyValue(property) === value) style.removeProperty(property);
      else style?.setProperty(property, value);
    },
  ],
  [
    "swap rule",
    (_el, random) => {
      const sheet = document.styleSheets[0];
      if (!sheet || sheet.cssRules.length === 0) return;
      const at = Math.floor(random() * sheet.cssRules.length);
      sheet.deleteRule(at);
      if (random() < 0.8)
        sheet.insertRule(`.${pick(CLASSES, random)} { ${pick(DECLARATIONS, random).join(":")} }`, at);
    },
  ],
  [
    "selector",
    (_el, random) => {
      const rule = ruleAt(random);
      if (rule) rule.selectorText = pick([".q", ".t", "li > b", "label"], random);
    },
  ],
  [
    "medium",
    (_el, random) => {
      const sheet = document.styleSheets[0];
      if (sheet) sheet.media.mediaText = pick(["print", "all", "(min-width: 1px)"], random);
    },
  ],
  [
    "adopted",
    (_el, random) => {
      const sheet = document.adoptedStyleSheets[0] ?? new CSSStyleSheet();
      sheet.replaceSync(`.${pick(CLASSES, random)} { ${pick(DECLARATIONS, random).join(":")} }`);
      if (random() < 0.7) document.adoptedStyleSheets = [sheet];
    },
  ],
  [
    "like siblings",
    (_el, random) => {
      const { parent, child } = pick(LIKE, random);
      const box = document.createElement(parent);
      const names = ["Ada", "Bob", "Ada", "Cy", "Di", "Bob"];
      box.innerHTML = names.map((name, at) => child(name, at)).join("");
      box.className = "like";
      document.querySelector("main, body")?.append(box);
    },
  ],
  ["cell", (_el, random) => likeText(random, pick(["open", "shipped", "Ada", "$7"], random))],
  [
    "sort",
    (_el, random) => {
      const box = likeBox(random);
      const order = (child: Element) => child.textContent ?? "";
      const sorted = [...(box?.children ?? [])].sort((a, b) => order(a).localeCompare(order(b)));
      box?.append(...(random() < 0.5 ? sorted : sorted.reverse()));
    },
  ],
  [
    "recycle",
    (_el, random) => {
      const [first, second] = [likeChild(random), likeChild(random)];
      if (first && second && first !== second && !first.contains(second) && !second.contains(first))
        [first.innerHTML, second.innerHTML] = [second.innerHTML, first.innerHTML];
    },
  ],
  [
    "filter",
    (_el, random) => {
      for (const el of [...(likeBox(random)?.children ?? [])].slice(2)) el.remove();
    },
  ],
  [
    "all cells",
    (_el, random) => {
      for (const el of likeBox(random)?.querySelectorAll("i") ?? []) el.textContent += "!";
    },
  ],
];

/** Makes rows, items and cards, some of which have the same text. */
const LIKE: { parent: string; child(name: string, at: number): string }[] = [
  { parent: "ul", child: (name, at) => `<li><b>${name}</b> <i>${at % 2}</i> <button>Buy</button></li>` },
  { parent: "ul", child: (name) => `<li>${name}</li>` },
  { parent: "table", child: (name, at) => `<tr><td>${name}<td>${at}<td><i>open</i><td><a href=#>Go</a>` },
  { parent: "table", child: (name) => `<tr><td><input type=checkbox><td>${name}<td><p>open</p><p>$5</p>` },
  {
    parent: "div",
    child: (name, at) => `<div><h3>${name}</h3><p>$${at % 3}</p><div><p><i>new</i></p></div></div>`,
  },
  { parent: "div", child: (name) => `<div><div>${name}</div><p>open</p><button>Buy</button></div>` },
  { parent: "section", child: (name) => `<article aria-label=Card><p>${name}</p><p>open</p></article>` },
];

function likeBox(random: Random): Element | undefined {
  const boxes = [...document.querySelectorAll(".like")];
  const box = boxes.length === 0 ? undefined : pick(boxes, random);
  return box?.querySelector("tbody") ?? box;
}

function likeChild(random: Random): Element | undefined {
  const children = [...(likeBox(random)?.children ?? [])];
  return children.length === 0 ? undefined : pick(children, random);
}

/** Sets the text of some part of a row, item or card. */
function likeText(random: Random, text: string): void {
  const parts = [...(likeChild(random)?.querySelectorAll("b, i, p, td, h3, div") ?? [])];
  const leaves = parts.filter((el) => el.childElementCount === 0);
  if (leaves.length > 0) pick(leaves, random).textContent = text;
}

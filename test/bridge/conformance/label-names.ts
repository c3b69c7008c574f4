// Has names by labels, legends, captions and values, and by controls inside labels (accname steps 2C and 2E).
import { type Case, nameCases, PIXEL, words } from "./case.ts";

const TYPES = words(
  "checkbox color date datetime-local email month number password radio range search tel text time url week",
);

const plain = nameCases("label", [
  ...TYPES.flatMap((type): [string, string, string][] => [
    [`for ${type}`, `<label for=f>label</label><input @ id=f type=${type}>`, "label"],
    [`around ${type}`, `<label><input @ type=${type}>label</label>`, "label"],
  ]),
  ["for select", "<label for=f>label</label><select @ id=f><option>foo</select>", "label"],
  ["around select", "<label>label <select @><option>foo</select></label>", "label"],
  [
    "two, the outer first",
    "<label>This <input @ id=f type=checkbox> is</label> <label for=f>a test</label>",
    "This is a test",
  ],
  [
    "two, the outer last",
    "<label for=f>a test</label> <label>This <input @ id=f type=checkbox> is</label>",
    "a test This is",
  ],
  ["with a list", "<label><ul><li>item</ul><input @></label>", "item"],
]);

const HIDING: [what: string, attribute: string][] = [
  ["display: none", "style='display:none'"],
  ["visibility: hidden", "style='visibility:hidden'"],
  ["visibility: collapse", "style='visibility:collapse'"],
  ["aria-hidden", "aria-hidden=true"],
  ["hidden", "hidden"],
];
const hidden = HIDING.flatMap(([what, attribute]) =>
  nameCases(
    `hidden label: ${what}`,
    words("text checkbox password number range button").flatMap((type): [string, string, string][] => [
      [`for ${type}`, `<label for=f ${attribute}>label</label><input @ id=f type=${type} value=1>`, "label"],
      [`around ${type}`, `<label ${attribute}><input @ type=${type} value=1>label</label>`, "label"],
    ]),
  ),
);

const values = nameCases("value", [
  ["button", "<input @ type=button value=label>", "label"],
  ["reset", "<input @ type=reset value=label>", "label"],
  ["submit", "<input @ type=submit value=label>", "label"],
  ["image", `<input @ type=image alt=label src=${PIXEL}>`, "label"],
  ["img", `<img @ alt=label src=${PIXEL}>`, "label"],
  ["img in picture", `<picture><source srcset=#><img @ alt=label src=${PIXEL}></picture>`, "label"],
  ["fieldset", "<fieldset @><legend>label</legend><input></fieldset>", "label"],
  ["table", "<table @><caption>label</caption><tr><th>a<tr><td>2</table>", "label"],
]);

const none = nameCases("role=none", [
  ["label for", "<label role=none for=f>label</label><input @ id=f>", "label"],
  ["label around", "<label role=none><span>label</span> <input @></label>", "label"],
  ["field with label for", "<label for=f>label</label><input @ id=f role=none>", "label"],
  ["field with label around", "<label><span>label</span> <input @ role=none></label>", "label"],
  ["both, for", "<label role=none for=f>label</label><input @ id=f role=none>", "label"],
  ["both, around", "<label role=none><span>label</span> <input @ role=none></label>", "label"],
  ["disabled field, for", "<label for=f>label</label><input @ id=f role=none disabled>", ""],
  ["disabled field, around", "<label><span>label</span> <input @ role=none disabled></label>", ""],
  ["img", `<img @ src=${PIXEL} role=none alt=logo>`, ""],
  ["legend", "<fieldset @><legend role=none>label</legend></fieldset>", "label"],
  ["fieldset", "<fieldset @ role=none><legend>label</legend></fieldset>", ""],
  ["fieldset and legend", "<fieldset @ role=none><legend role=none>label</legend></fieldset>", ""],
  ["caption", "<table @><caption role=none>label</caption></table>", "label"],
  ["table", "<table @ role=none><caption>label</caption></table>", ""],
  ["table and caption", "<table @ role=none><caption role=none>label</caption></table>", ""],
]);

const hiddenNamers = nameCases("hidden namer", [
  ["label", "<label for=f hidden>x</label><input @ id=f>", ""],
  ["caption", "<table @><caption hidden>x</caption><tr><td>y</table>", ""],
  ["legend", "<fieldset @><legend hidden>x</legend></fieldset>", ""],
  ["label that is referred to", "<label id=l for=f hidden>x</label><input @ id=f aria-labelledby=l>", "x"],
  ["caption that is referred to", "<table @ aria-labelledby=l><caption id=l hidden>x</caption></table>", "x"],
  [
    "legend that is referred to",
    "<fieldset @ aria-labelledby=l><legend id=l hidden>x</legend></fieldset>",
    "x",
  ],
]);

const SELECT = "<select size=1><option selected>1<option>2</select>";
const COMBOBOX = `<div role=combobox><div role=textbox></div><ul role=listbox><li role=option aria-selected=true>1
  <li role=option>2</ul></div>`;
const MENU =
  "<span role=menu><span role=menuitem aria-selected=true>1</span><span role=menuitem hidden>2</span></span>";
const SELECT_MENU =
  "<select size=1 role=menu tabindex=0><option role=menuitem selected>clown<option role=menuitem>rich</select>";
const SLIDER = "<input role=slider type=range value=5 min=1 max=10 aria-valuenow=5>";
const SPIN = "<input role=spinbutton type=number value=5 min=1 max=10 aria-valuenow=5>";
const ARIA_SPIN = "<div role=spinbutton aria-valuemin=1 aria-valuemax=7 aria-valuenow=4></div>";
const ARIA_DAY =
  "<div role=spinbutton aria-valuetext=Monday aria-valuemin=1 aria-valuemax=7 aria-valuenow=4></div>";
const LISTBOX = "<ul role=listbox><li role=option aria-selected=true>1<li role=option>2</ul>";
const TEXTBOX = "<div role=textbox contenteditable>1</div>";

/** Has the content of a label before the field that it names, and the name. */
const EMBEDDED: [what: string, label: string, name: string][] = [
  ["select", `Flash ${SELECT} times`, "Flash 1 times"],
  ["combobox", `Flash ${COMBOBOX} times`, "Flash 1 times"],
  ["listbox", `Flash ${LISTBOX} times`, "Flash 1 times"],
  ["textbox", `Flash ${TEXTBOX} times`, "Flash 1 times"],
  ["menu", `Flash ${MENU} times`, "Flash times"],
  ["select that is a menu", `crazy ${SELECT_MENU}`, "crazy"],
  ["slider", `foo ${SLIDER} baz`, "foo 5 baz"],
  ["number", `foo ${SPIN} baz`, "foo 5 baz"],
  ["spinbutton by number", `crazy ${ARIA_SPIN}`, "crazy 4"],
  ["spinbutton by text", `crazy ${ARIA_DAY}`, "crazy Monday"],
  ["text field", "foo <input value=David>", "foo David"],
  ["text field in the middle", "foo <input value=bar> baz", "foo bar baz"],
  ["text with white space in an element of its own", "<b>Name</b><i> </i><b>first</b>", "Name first"],
  ["text field without spaces", "foo<input value=bar>baz", "foo bar baz"],
  ["plain text", "States:", "States:"],
];

const embedded = words("text password checkbox radio file image").flatMap((type) =>
  nameCases(
    `${type} labelled with`,
    EMBEDDED.map(([what, label, name]) => [
      what,
      `<label for=f>${label}</label><input @ id=f type=${type} value=v>`,
      name,
    ]),
  ),
);

const BEFORE = `<style>label::before { content: "fancy "; }</style><label for=f>fruit</label>`;
const AFTER = `<style>label::after { content: " fruit"; }</style><label for=f>fancy</label>`;
const BOTH = `<style>label::before { content: "foo"; } label::after { content: "baz"; }</style>`;

const generated = words("text password checkbox radio file image").flatMap((type) =>
  nameCases(`${type} with generated content`, [
    ["before", `${BEFORE}<input @ id=f type=${type}>`, "fancy fruit"],
    ["after", `${AFTER}<input @ id=f type=${type}>`, "fancy fruit"],
    [
      "around a field with a title",
      `${BOTH}<label for=f><input @ id=f type=${type} title=bar></label>`,
      "foo baz",
    ],
  ]),
);

const odd = nameCases("odd label", [
  [
    "generated by attribute",
    "<style>label::after { content: attr(data-after); }</style><label for=f data-after=text></label><input @ id=f>",
    "text",
  ],
  [
    "generated block",
    "<style>label::before { content: 'This'; display: block; } label::after { content: '.'; }</style><label for=f>is a test</label><input @ id=f>",
    "This is a test.",
  ],
  [
    "generated white space",
    "<style>#one::after { content: 'fancy'; } #two::before { content: ' '; }</style><label><span id=one></span><span id=two>fruit</span> <input @ type=checkbox></label>",
    "fancy fruit",
  ],
  [
    "blocks and breaks",
    "<label for=f>W<i>h<b>a</b></i>t<br>is<div>your<div>name<b>?</b></div></div></label><input @ id=f type=file>",
    "What is your name?",
  ],
  [
    "hidden parts",
    `<label for=f><span hidden>1</span><span>2</span> <span style='visibility:hidden'>3</span><span>4</span>
     <span aria-hidden=true>7</span><span>8</span></label><input @ id=f type=file>`,
    "2 4 8",
  ],
  [
    "owned combobox",
    `<input @ type=file id=f><label for=f>Flash <span aria-owns=o>the screen</span> times.</label><div id=o>${COMBOBOX}</div>`,
    "Flash the screen 1 times.",
  ],
  [
    "owned combobox that owns a listbox",
    `<input @ type=file id=f><label for=f>Flash <span aria-owns=o>the screen</span> times.</label>
     <div id=o role=combobox aria-owns=p><div role=textbox></div></div>
     <ul id=p role=listbox><li role=option>1<li role=option aria-selected=true>2</ul>`,
    "Flash the screen 2 times.",
  ],
  [
    "field in a heading",
    "<h2 @>Country: <input role=combobox title=Choose value=Chile></h2>",
    "Country: Chile",
  ],
  [
    "combobox with a title",
    "<div @ role=combobox tabindex=0 title=Choose><span>English</span></div>",
    "Choose",
  ],
  ["combobox field with a title", "<input @ role=combobox title=Choose value=English>", "Choose"],
  ["reset without a value", "<input @ type=reset>", "Reset"],
  ["submit without a value", "<input @ type=submit>", "Submit"],
]);

const MIXED = `<span aria-hidden=true><i>Hello,</i></span> <span>My</span> name is
  <div><img src=x.jpg title=Bryan alt='' role=presentation></div>
  <span role=presentation aria-label=Eli><span aria-label=Garaventa>Zambino</span></span> <span>the weird.</span> (QED)
  <span style='display:none'><i><b>and do not forget it.</b></i></span>
  <table><tr><td>Where</td><td style='visibility:hidden'><div>in</div></td>
  <td><div style='display:none'>the world</div></td><td>are my marbles?</td></table>`;
const MIXED_NAME = "My name is Eli the weird. (QED) Where are my marbles?";

const mixed = nameCases("all at once", [
  ["link", `<div @ role=link tabindex=0>${MIXED}</div>`, MIXED_NAME],
  ["label", `<input @ id=f><label for=f>${MIXED}</label>`, MIXED_NAME],
  ["reference", `<input @ aria-labelledby=l><div id=l>${MIXED}</div>`, MIXED_NAME],
]);

export const labelNames: Case[] = [
  ...plain,
  ...hidden,
  ...values,
  ...none,
  ...hiddenNamers,
  ...embedded,
  ...generated,
  ...odd,
  ...mixed,
];

// Has names by aria-labelledby (accname, steps 2A and 2B). The elements are hidden, refer to themselves or lie in a
// shadow root.
import { type Case, nameCases, PIXEL } from "./case.ts";

const HIDING: [what: string, attribute: string][] = [
  ["display: none", "style='display:none'"],
  ["visibility: hidden", "style='visibility:hidden'"],
  ["visibility: collapse", "style='visibility:collapse'"],
  ["aria-hidden", "aria-hidden=true"],
  ["hidden", "hidden"],
];

const hidden = HIDING.flatMap(([what, h]) =>
  nameCases(`reference, ${what}`, [
    [
      "with a hidden part",
      `<button @ aria-labelledby=l></button><span id=l ${h}>foo <span ${h}>bar</span></span>`,
      "foo bar",
    ],
    [
      "two deep",
      `<button @ aria-labelledby=l></button><span id=l ${h}>foo <span ${h}>bar <span ${h}>baz</span></span></span>`,
      "foo bar baz",
    ],
    [
      "only parts of it, two deep",
      `<button @ aria-labelledby=l></button><span id=l>foo <span ${h}>bar <span ${h}>baz</span></span></span>`,
      "foo",
    ],
    [
      "with hidden parts",
      `<button @ aria-labelledby=l></button><span id=l ${h}>foo <span ${h}>bar</span> <span ${h}>baz</span></span>`,
      "foo bar baz",
    ],
    [
      "only parts of it",
      `<button @ aria-labelledby=l></button><span id=l>foo <span ${h}>bar</span> <span ${h}>baz</span></span>`,
      "foo",
    ],
    [
      "parts not hidden",
      `<button @ aria-labelledby=l></button><span id=l ${h}>foo <span>bar</span> <span>baz</span></span>`,
      "foo bar baz",
    ],
  ]),
);

const plain = nameCases("reference", [
  [
    "to a heading inside",
    "<div @ role=group aria-labelledby=h><h2 id=h>first heading</h2><p>text</p></div>",
    "first heading",
  ],
  [
    "to itself and a heading",
    "<div @ role=group aria-label=self id=g aria-labelledby='g h'><h2 id=h>heading</h2></div>",
    "self heading",
  ],
  [
    "to four parts",
    "<nav @ aria-labelledby='a b c d'><span id=a>verify</span><span id=b>spaces</span><span>no</span><span id=c>between</span><span id=d>each</span></nav>",
    "verify spaces between each",
  ],
  [
    "to the hidden of its own",
    "<button @ aria-labelledby=l><span aria-hidden=true id=l>hidden,</span> <span>visible</span></button>",
    "hidden,",
  ],
  [
    "to the undisplayed of its own",
    "<button @ aria-labelledby=l><span hidden id=l>hidden,</span> <span>visible</span></button>",
    "hidden,",
  ],
  [
    "to all kinds",
    `<a @ href=# aria-labelledby='a b c'><span id=a><span>visible,</span> <span aria-hidden=true>no,</span></span>
     <span aria-hidden=true id=b>hidden,</span> <span hidden id=c>undisplayed</span></a>`,
    "visible, hidden, undisplayed",
  ],
  [
    "to what is hidden twice",
    "<input @ aria-labelledby='a b'><span aria-hidden=true id=a>Important</span><span hidden><span aria-hidden=true id=b>stuff</span></span>",
    "Important stuff",
  ],
  ["button, to text", "<div id=l>Rich's</div><input @ type=button aria-labelledby=l>", "Rich's"],
  [
    "button, to text before a label",
    "<div id=l>Rich's</div><input @ type=button aria-label=bar aria-labelledby=l>",
    "Rich's",
  ],
  ["link, to text", "<div id=l>foo</div><a @ href=# aria-labelledby=l>bar</a>", "foo"],
  [
    "link, to text before a label",
    "<a @ href=# aria-labelledby=l aria-label=Tag>foo</a><p id=l>bar</p>",
    "bar",
  ],
  [
    "link, to itself and text",
    "<a @ href=# id=t aria-labelledby='t l' aria-label=Tag></a><p id=l>foo</p>",
    "Tag foo",
  ],
  [
    "field, to text and itself",
    "<input @ id=t aria-label=bar aria-labelledby='l t'><div id=l>foo</div>",
    "foo bar",
  ],
  [
    "field, to three",
    "<input @ aria-labelledby='a b c'><p id=a>foo</p><p id=b>bar</p><p id=c>baz</p>",
    "foo bar baz",
  ],
  ["div, to text", "<div @ aria-labelledby=l>foo</div><span id=l>bar</span>", "bar"],
  [
    "div, to text before a label",
    "<div @ aria-labelledby=l aria-label=Tag>foo</div><span id=l>bar</span>",
    "bar",
  ],
  [
    "div, to two",
    "<div @ aria-labelledby='a b' aria-label=Tag>foo</div><span id=a>bar</span><span id=b>baz</span>",
    "bar baz",
  ],
  ["div, label", "<div @ aria-label=Tag>foo</div>", "Tag"],
  ["div with text", "<div @>Div with text</div>", ""],
]);

const FIELDS = "<input value=peanuts id=a><input value=popcorn id=b><input value=apple id=c>";
const images = nameCases("img", [
  ["label", "<img @ src=x.jpg aria-label=1>", "1"],
  ["label before alt and title", "<img @ src=x.jpg aria-label=1 alt=a title=t>", "1"],
  ["reference to itself", "<img @ id=t src=x.jpg aria-label=1 aria-labelledby=t>", "1"],
  ["reference to itself without a name", "<img @ id=t src=x.jpg aria-labelledby=t>", ""],
  [
    "reference to three fields",
    `${FIELDS}<img @ aria-labelledby='a b c' src=x.jpg>`,
    "peanuts popcorn apple",
  ],
  [
    "reference to itself and a field",
    `${FIELDS}<img @ id=t aria-label=l aria-labelledby='t a' src=x.jpg>`,
    "l peanuts",
  ],
  [
    "reference to itself and two",
    `${FIELDS}<img @ id=t aria-label=l aria-labelledby='t a b' src=x.jpg>`,
    "l peanuts popcorn",
  ],
  [
    "reference to itself and three",
    `${FIELDS}<img @ id=t aria-label=l aria-labelledby='t a b c' alt=a title=t src=x.jpg>`,
    "l peanuts popcorn apple",
  ],
  [
    "reference to itself with an empty alt",
    `${FIELDS}<img @ id=t aria-label='' aria-labelledby='t a b c' alt='' title=t src=x.jpg>`,
    "peanuts popcorn apple",
  ],
  ["field that a picture refers to", "<input @ value=peanuts id=t><img aria-labelledby=t src=x.jpg>", ""],
]);

const FIRST = "<span id=n1>first</span><span id=n2>second</span>";
const labeled = nameCases("aria-labeledby", [
  ["link", `${FIRST}<a @ href=# aria-labeledby=n1>x</a>`, "first"],
  ["button", `${FIRST}<button @ aria-labeledby=n1>x</button>`, "first"],
  ["group", `${FIRST}<div @ role=group aria-labeledby=n1>x</div>`, "first"],
  [
    "link, after the right spelling",
    `${FIRST}<a @ href=# aria-labelledby=n1 aria-labeledby=n2>x</a>`,
    "first",
  ],
  [
    "button, after the right spelling",
    `${FIRST}<button @ aria-labelledby=n1 aria-labeledby=n2>x</button>`,
    "first",
  ],
  [
    "group, after the right spelling",
    `${FIRST}<div @ role=group aria-labelledby=n1 aria-labeledby=n2>x</div>`,
    "first",
  ],
  ["before a label", `${FIRST}<a @ href=# aria-labeledby=n1 aria-label=foo>x</a>`, "first"],
  ["before alt", `${FIRST}<img @ alt=alt aria-labeledby=n2>`, "second"],
  [
    "before svg title",
    `${FIRST}<svg @ aria-labeledby=n2><circle r=4><title>c</title></circle></svg>`,
    "second",
  ],
  ["before <label>", `${FIRST}<label for=f>label</label><input @ id=f aria-labeledby=n2>`, "second"],
  ["before content", `${FIRST}<h1 @ aria-labeledby=n2>x</h1>`, "second"],
  ["before title", `${FIRST}<button @ aria-labeledby=n2 title=foo>x</button>`, "second"],
  [
    "to the hidden",
    "<button @ aria-labeledby=s aria-label=foo><span id=s style='display:none'>label</span>x</button>",
    "label",
  ],
  [
    "in a heading",
    `<h3 @><a href=# aria-labeledby=i>link1</a> <a href=#>link2 <img id=i alt=image src=${PIXEL}> link3</a></h3>`,
    "image link2 link3",
  ],
]);

const shadow = (content: string) => `<template shadowrootmode=open>${content}</template>`;
const shadows = nameCases("shadow", [
  ["text", `<label id=l><div>${shadow("foo")}</div></label><button @ aria-labelledby=l></button>`, "foo"],
  [
    "label inside",
    `<label id=l><div>${shadow("<div aria-label=bar></div>")}</div></label><button @ aria-labelledby=l></button>`,
    "bar",
  ],
  [
    "slotted",
    `<label id=l><div>${shadow("foo <slot></slot> bar")}slotted</div></label><button @ aria-labelledby=l></button>`,
    "foo slotted bar",
  ],
  [
    "slot's own",
    `<label id=l><div>${shadow("foo <slot>default</slot> bar")}</div></label><button @ aria-labelledby=l></button>`,
    "foo default bar",
  ],
  [
    "label on a slot",
    `<label id=l><div>${shadow("foo <slot aria-label=label></slot> bar")}slotted</div></label><button @ aria-labelledby=l></button>`,
    "foo slotted bar",
  ],
  [
    "label on a slot with its own",
    `<label id=l><div>${shadow("foo <slot aria-label=label>default</slot> bar")}</div></label><button @ aria-labelledby=l></button>`,
    "foo default bar",
  ],
  [
    "button around a host",
    `<button @>one <my-part>${shadow("<b>two</b>")}</my-part> three</button>`,
    "one two three",
  ],
  [
    "button around a labelled slot's host",
    `<button @>one <my-part>${shadow("<slot aria-label=label></slot>")}<b>two</b></my-part></button>`,
    "one two",
  ],
  [
    "an id in another root does not count",
    `<div>${shadow("<p id=l>no</p>")}</div><button @ aria-labelledby=l>yes</button>`,
    "yes",
  ],
]);

export const referencedNames: Case[] = [...hidden, ...plain, ...images, ...labeled, ...shadows];

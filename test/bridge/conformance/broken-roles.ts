// Has role attributes that name no role, or name one only after an invalid name.
import { type Case, roleCases } from "./case.ts";

/** These values name no role and are skipped. */
const NOTHING: [what: string, attribute: string][] = [
  ["a word", "foo"],
  ["two words", "foo bar"],
  ["three words", "foo bar baz"],
  ["a space", " "],
  ["a line break", "&#13;"],
  ["a tab", "&#9;"],
  ["a zero-width space", "&#8203;"],
  ["a braille space", "&#x2800;"],
  ["a hard space", "&nbsp;"],
  ["a control character", "&#20;"],
  ["spaces and a line break", "&#10;  "],
  ["a tilde that combines", "&#771;"],
  ["an overline that combines", "&#773;"],
  ["a circumflex below", "&#813;"],
  ["a word with a tilde", "foo&#771;"],
  ["a word with an overline", "foo&#773;"],
  ["a word with a circumflex", "foo&#813;"],
  ["button with a tilde", "button&#771;"],
  ["button with an acute", "button&#180;"],
  ["a joiner", "&#8205;"],
  ["link with a joiner", "link&#8205;"],
  ["a theta", "Θ"],
  ["a Persian letter", "ژ"],
  ["a Persian letter and a sign", "ژ ♮"],
  ["kanji", "漢字"],
  ["Arabic", "سلام"],
  ["Arabic words", "سلام حبيب"],
  ["Hebrew", "שלום"],
  ["Hebrew words", "שלום חבר"],
  ["an ampersand", "&amp;"],
  ["a less-than", "&lt;"],
  ["region and a backslash", "region\\"],
  ["a backslash and region", "\\region"],
  ["a slash in region", "re/gion"],
  ["associationlist", "associationlist"],
  ["associationlistkey", "associationlistkey"],
  ["associationlistvalue", "associationlistvalue"],
  ["an abstract role", "widget"],
];

const nothing = NOTHING.flatMap(([what, attribute]) =>
  roleCases(`role is ${what}`, [
    ["nav", `<nav @ role="${attribute}">x</nav>`, "navigation"],
    ["span", `<span @ role="${attribute}">x</span>`, "generic"],
  ]),
);

const others = roleCases("role is nothing", [
  ["div, a word", "<div @ role=foo>x</div>", "generic"],
  ["div, two words", "<div @ role='foo bar'>x</div>", "generic"],
  ["button, a word", "<button @ role=foo>x</button>", "button"],
  ["button, two words", "<button @ role='foo bar'>x</button>", "button"],
  ["button, three words", "<button @ role='foo bar baz'>x</button>", "button"],
  ["button, a joiner", "<button @ role='&#8205;'>x</button>", "button"],
  ["link, a tilde", "<a @ href=# role='&#771;'>x</a>", "link"],
  ["link, an ampersand", "<a @ href=# role='&amp;'>x</a>", "link"],
  ["link, a less-than", "<a @ href=# role='&lt;'>x</a>", "link"],
  ["empty", "<span @ role=''>x</span>", "generic"],
]);

const fallback = roleCases("first role that counts", [
  ["region without a name, then group", "<nav @ role='region group'>x</nav>", "group"],
  ["region with a name, then group", "<nav @ role='region group' aria-label=x>x</nav>", "region"],
  ["switch, then checkbox", "<div @ role='switch checkbox' aria-checked=true aria-label=x>x</div>", "switch"],
  ["a word, then button", "<div @ role='foo button' aria-label=x>x</div>", "button"],
  ["an unknown element", "<unknown @ role='foo button' aria-label=x>x</unknown>", "button"],
  ["with commas", "<div @ role='invalid, punctuation, link, button' aria-label=x>x</div>", "button"],
  [
    "link with marks, then button",
    "<div @ role='l&#823;i&#823;nk group&#x336; button' aria-label=x>x</div>",
    "button",
  ],
  ["after a tab", "<div @ role='&#9;button' aria-label=x>x</div>", "button"],
  ["after a line break", "<div @ role='&#10;button' aria-label=x>x</div>", "button"],
  ["after a braille space", "<div @ role='&#x2800; button' aria-label=x>x</div>", "button"],
  ["Link", "<div @ role='foo Link' aria-label=x tabindex=0>x</div>", "link"],
  ["Link on a button", "<button @ role='foo Link'></button>", "link"],
  ["GROUP on nav", "<nav @ role='foo GROUP' aria-label=x>x</nav>", "group"],
  ["ReGiOn with a name", "<div @ role='foo ReGiOn' aria-label=x>x</div>", "region"],
  ["ReGiOn without", "<div @ role='ReGiOn foo'>x</div>", "generic"],
  ["ReGiOn first, with a name", "<div @ role='ReGiOn foo' aria-label=x>x</div>", "region"],
  ["BUTTON LINK", "<div @ role='BUTTON LINK' aria-label=x tabindex=0>x</div>", "button"],
  ["ReGiOn group without a name", "<div @ role='ReGiOn group'>x</div>", "group"],
  ["ReGiOn group with a name", "<div @ role='ReGiOn group' aria-label=x>x</div>", "region"],
  ["buTtOn", "<div @ role='&#10;buTtOn' tabindex=0 aria-label=x>x</div>", "button"],
]);

export const brokenRoles: Case[] = [...nothing, ...others, ...fallback];

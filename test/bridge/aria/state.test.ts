// Tests the states and values on an element's line (WAI-ARIA 1.2, HTML-AAM 1.0), each beside an element without them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const SCRIPT = `
  for (const box of document.querySelectorAll(".mixed")) box.indeterminate = true;
  for (const field of document.querySelectorAll(".wrong")) field.setCustomValidity("no");
  document.querySelector("#pop").showPopover();
`;

/** Has the shown state, the markup, and the line without its ref. */
const cases: [what: string, html: string, line: string][] = [
  ["checked", "<input type=checkbox aria-label=A checked>", `checkbox "A" [checked]`],
  ["not checked", "<input type=checkbox aria-label=A aria-checked=true>", `checkbox "A"`],
  ["indeterminate", "<input type=checkbox class=mixed aria-label=A>", `checkbox "A" [checked=mixed]`],
  ["a chosen radio", "<input type=radio aria-label=A checked>", `radio "A" [checked]`],
  ["aria-checked", "<div role=checkbox tabindex=0 aria-checked=true>A</div>", `checkbox "A" [checked]`],
  [
    "aria-checked=mixed",
    "<div role=checkbox tabindex=0 aria-checked=mixed>A</div>",
    `checkbox "A" [checked=mixed]`,
  ],
  ["aria-checked=false", "<div role=switch tabindex=0 aria-checked=false>A</div>", `switch "A"`],
  ["checked where nothing can be", "<div role=button tabindex=0 aria-checked=true>A</div>", `button "A"`],
  ["pressed", "<button aria-pressed=true>A</button>", `button "A" [pressed]`],
  ["not pressed", "<button aria-pressed=false>A</button>", `button "A"`],
  ["pressed where nothing can be", "<a href=# aria-pressed=true>A</a>", `link "A" [url=#]`],
  ["selected", "<div role=tablist><div role=tab aria-selected=true>A</div></div>", `tab "A" [selected]`],
  ["not selected", "<div role=tablist><div role=tab aria-selected=false>A</div></div>", `tab "A"`],
  ["disabled", "<button disabled>A</button>", `button "A" [disabled]`],
  ["disabled by its fieldset", "<fieldset disabled><button>A</button></fieldset>", `button "A" [disabled]`],
  [
    "not disabled in the legend of one",
    "<fieldset disabled><legend><button>A</button></legend></fieldset>",
    `button "A"`,
  ],
  ["a link cannot be disabled", "<fieldset disabled><a href=#>A</a></fieldset>", `link "A" [url=#]`],
  ["aria-disabled", "<a href=# aria-disabled=true>A</a>", `link "A" [disabled] [url=#]`],
  ["aria-disabled=false", "<a href=# aria-disabled=false>A</a>", `link "A" [url=#]`],
  ["expanded", "<button aria-expanded=true>A</button>", `button "A" [expanded]`],
  ["collapsed", "<button aria-expanded=false>A</button>", `button "A" [expanded=false]`],
  ["neither", "<button aria-expanded=undefined>A</button>", `button "A"`],
  ["an open details", "<details open><summary>A</summary></details>", `button "A" [expanded]`],
  ["a closed details", "<details><summary>A</summary></details>", `button "A" [expanded=false]`],
  [
    "a shown popover",
    "<button popovertarget=pop>A</button><div id=pop popover=manual>p</div>",
    `button "A" [expanded]`,
  ],
  [
    "a hidden popover",
    "<button popovertarget=pip>A</button><div id=pip popover>p</div>",
    `button "A" [expanded=false]`,
  ],
  ["required", "<input aria-label=A required>", `textbox "A" [required]`],
  [
    "aria-required",
    "<div role=textbox tabindex=0 aria-label=A aria-required=true></div>",
    `textbox "A" [required]`,
  ],
  [
    "a required select",
    "<select aria-label=A required><option value='x'>B</select>",
    `combobox "A" [required]`,
  ],
  ["invalid", "<input aria-label=A type=email value=x>", `textbox "A" [invalid]: x`],
  ["invalid by a script", "<input aria-label=A class=wrong value=x>", `textbox "A" [invalid]: x`],
  ["valid", "<input aria-label=A type=email value=a@b>", `textbox "A": a@b`],
  ["aria-invalid", "<input aria-label=A aria-invalid=true>", `textbox "A" [invalid]`],
  ["aria-invalid=false", "<input aria-label=A type=email value=x aria-invalid=false>", `textbox "A": x`],
  [
    "aria-invalid by spelling",
    "<input aria-label=A aria-invalid=spelling>",
    `textbox "A" [invalid=spelling]`,
  ],
  ["read only", "<input aria-label=A readonly>", `textbox "A" [readonly]`],
  ["a read-only text area", "<textarea aria-label=A readonly></textarea>", `textbox "A" [readonly]`],
  [
    "aria-readonly",
    "<div role=textbox tabindex=0 aria-label=A aria-readonly=true></div>",
    `textbox "A" [readonly]`,
  ],
  ["current page", "<a href=# aria-current=page>A</a>", `link "A" [current=page] [url=#]`],
  ["current", "<a href=# aria-current=true>A</a>", `link "A" [current] [url=#]`],
  ["current by a word that is none", "<a href=# aria-current=foo>A</a>", `link "A" [current] [url=#]`],
  ["not current", "<a href=# aria-current=false>A</a>", `link "A" [url=#]`],
  ["a heading's level", "<h3>A</h3>", `heading "A" [level=3]`],
  ["aria-level", "<div role=heading aria-level=4>A</div>", `heading "A" [level=4]`],
  ["aria-level before the tag's", "<h2 aria-level=5>A</h2>", `heading "A" [level=5]`],
  ["no level", "<div role=heading>A</div>", `heading "A" [level=2]`],
  [
    "the level of a tree's item",
    "<div role=tree><div role=treeitem aria-level=3>A</div></div>",
    `treeitem "A" [level=3]`,
  ],
  ["sorted", "<table><tr><th aria-sort=ascending>A</table>", `columnheader [sort=ascending]: A`],
  ["not sorted", "<table><tr><th aria-sort=none>A</table>", `columnheader: A`],
  ["a slider's value", "<input type=range aria-label=A min=0 max=9 value=4>", `slider "A": 4`],
  ["a slider's text", "<input type=range aria-label=A value=4 aria-valuetext=four>", `slider "A": four`],
  ["aria-valuenow", "<div role=slider tabindex=0 aria-label=A aria-valuenow=7></div>", `slider "A": 7`],
  [
    "aria-valuetext",
    "<div role=slider tabindex=0 aria-label=A aria-valuenow=7 aria-valuetext=warm></div>",
    `slider "A": warm`,
  ],
  ["a meter's text", "<meter aria-label=A value=0.5>half</meter>", `meter "A": half`],
  ["a meter's value", "<meter aria-label=A value=0.5></meter>", `meter "A": 0.5`],
  ["progress", "<progress aria-label=A value=0.25></progress>", `progressbar "A": 0.25`],
  ["progress of unknown length", "<progress aria-label=A></progress>", `progressbar "A"`],
  ["aria progress", "<div role=progressbar aria-label=A aria-valuenow=30></div>", `progressbar "A": 30`],
  ["a scrollbar", "<div role=scrollbar aria-label=A aria-valuenow=30></div>", `scrollbar "A": 30`],
  ["a number", "<input type=number aria-label=A value=3>", `spinbutton "A": 3`],
  ["a date", "<input type=date aria-label=A value=2026-01-02>", `textbox "A" [type=date]: 2026-01-02`],
  ["an empty field", "<input aria-label=A>", `textbox "A"`],
  ["a text area", "<textarea aria-label=A>one\ntwo</textarea>", `textbox "A": "one\\ntwo"`],
  ["a password", "<input type=password aria-label=A value=x>", `textbox "A": "[masked]"`],
  [
    "a password that was made readable",
    "<input autocomplete=current-password aria-label=A value=x>",
    `textbox "A": "[masked]"`,
  ],
];

const bridge = await openBridge();
const html = cases.map(([what, markup]) => `<section aria-label="${what}">${markup}</section>`);
await bridge.open(`<!doctype html><body>${html.join("\n")}<script>${SCRIPT}</script>`);
const parts = (await bridge.tree()).split(/^- region "/m).slice(1);
const lines = new Map(parts.map((part) => [part.slice(0, part.indexOf('"')), part]));

for (const [what, , line] of cases) {
  test(`${what}: ${line}`, () => {
    const part = lines.get(what) ?? "";
    const plain = part.split("\n").map((one) => one.trim().replace(/ \[ref=\w+\]/, ""));
    // The line may continue with the content.
    assert.ok(
      plain.some((one) => one === `- ${line}` || one === `- ${line}:`),
      part,
    );
  });
}

// Lists the cases that do not hold, and why they need not.

interface Exception {
  reason: string;
  ids: readonly string[];
}

const titled = "abbr b bdi bdo cite i kbd q samp small u var".split(" ");

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      "Who acts on the page is served better by the role that the author named than by none, orphaned or not.",
    ids: ["menuitem", "menuitemcheckbox", "menuitemradio", "option", "tab", "treeitem"].map(
      (role) => `orphan: span as ${role}`,
    ),
  },
  {
    reason: "It can be pressed, though it stands in a button; Chromium's tree has it too.",
    ids: ["none: button in a button"],
  },
  {
    reason: "Chromium has no such control: it is drawn, and works, as a checkbox.",
    ids: ["html: switch"],
  },
  {
    reason:
      "Tentative; HTML-AAM and Chromium call every form a form, and it says which fields belong together.",
    ids: [
      "no name",
      "empty aria-label",
      "white aria-label",
      "aria-labelledby of nothing",
      "aria-labelledby of what is empty",
      "aria-labelledby of what is white",
      "empty title",
    ].map((what) => `form with: ${what}`),
  },
  {
    reason: "A hard space is told as a space: nobody who reads the name could tell them apart.",
    ids: ["white space in aria-label: a hard space after", "white space in aria-label: a hard space before"],
  },
  {
    reason: "ARIA forbids names on running text; a title is a hint on it, and the text is what is said.",
    ids: titled.map((tag) => `${tag}: title`),
  },
  {
    reason: "Names are the text as it is written, before text-transform.",
    ids: ["nested: upper case", "nested: capitals", "nested: lower case"],
  },
  {
    reason:
      "Tentative, and in no browser: a heading is called by all of its text, which is not said again below it.",
    ids: ["heading in a heading: 1", "heading with text in a heading: 1"],
  },
  {
    reason: "A draft that no browser follows; the heading is the first line inside.",
    ids: ["alertdialog", "article", "dialog", "<dialog>"].map((role) => `named by its heading: ${role}`),
  },
  {
    reason: "A draft that no browser follows: markers are no part of names.",
    ids: ["marker: of ul", "marker: of ol", "marker: of one's own"],
  },
  {
    reason:
      "The public tests disagree on labels that are not shown: many have them name their field, one has not.",
    ids: ["hidden namer: label"],
  },
];

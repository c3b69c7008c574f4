// Has every source of an element's name, and takes them away one after the other (html-aam, section 4.1).
import { type Case, nameCases, PIXEL, words } from "./case.ts";

interface Named {
  element: string;
  attributes?: string;
  content?: string;
  /** The markup around the element, which `*` replaces. */
  around?: string;
}

/** A source of a name. It adds to the attributes, to the content or before the element, and gives the name. */
interface Source {
  attributes?: string;
  content?: string;
  before?: string;
  name: string;
}

const LABEL_1 = "<label for=el>label one</label>";
const LABEL_2 = "<label for=el>label two</label>";
const REFERENCES = "<p id=r1>reference one</p><p id=r2>reference two</p>";
const SOURCES = {
  "two references": {
    attributes: "aria-labelledby='r1 r2'",
    before: REFERENCES,
    name: "reference one reference two",
  },
  "one reference": { attributes: "aria-labelledby=r1", before: REFERENCES, name: "reference one" },
  "aria-label": { attributes: "aria-label='by aria-label'", name: "by aria-label" },
  "two labels": { before: LABEL_1 + LABEL_2, name: "label one label two" },
  "one label": { before: LABEL_1, name: "label one" },
  value: { attributes: "value='by value'", name: "by value" },
  alt: { attributes: "alt='by alt'", name: "by alt" },
  "empty alt": { attributes: "alt=''", name: "" },
  legend: { content: "<legend>by legend</legend><legend>another</legend>", name: "by legend" },
  caption: { content: "<caption>by caption</caption>", name: "by caption" },
  figcaption: {
    content: "<figcaption>by figcaption</figcaption><figcaption>another</figcaption>",
    name: "by figcaption",
  },
  "label attribute": { attributes: "label='by attribute'", name: "by attribute" },
  subtree: { content: "by content", name: "by content" },
  title: { attributes: "title='by title'", name: "by title" },
  placeholder: { attributes: "placeholder='by placeholder'", name: "by placeholder" },
  nothing: { name: "" },
} satisfies Record<string, Source>;
type SourceName = keyof typeof SOURCES;

const REFERRED: SourceName[] = ["two references", "one reference", "aria-label"];
const LABELS: SourceName[] = ["two labels", "one label"];
const VOID = new Set(words("area br hr img input wbr"));

/** Makes one case for each source: it is present with all that follow it, and gives the name. */
function taken(named: Named, sources: readonly SourceName[]): Case[] {
  const { element, attributes = "", around = "*" } = named;
  const what = `${element} ${attributes}`.trim();
  return nameCases(
    what,
    sources.map((source, index) => {
      // An image without an alt is no longer one with an empty alt.
      const rest = sources.slice(index).filter((other) => other !== "empty alt" || source === "empty alt");
      const all: Source[] = rest.map((other) => SOURCES[other]);
      // There are two ways to refer and two numbers of labels. The first one present holds both.
      const seen = new Set<string>();
      const given = all.flatMap((one) => one.attributes ?? []).filter((one) => unseen(one, seen));
      const before = [...new Set(all.map((one) => one.before ?? ""))];
      const labels = before.filter((one) => one.startsWith("<label"));
      const others = before.filter((one) => !one.startsWith("<label"));
      const content = all.map((one) => one.content ?? "").join("") + (named.content ?? "");
      const id = what.startsWith("input type=hidden") ? "" : "id=el";
      const open = `<${element} @ ${id} ${attributes} ${given.join(" ")}>`;
      const el = VOID.has(element) ? open : `${open}${content}</${element}>`;
      return [
        source,
        others.join("") + (labels[0] ?? "") + around.replace("*", el),
        SOURCES[source].name,
      ] as [string, string, string];
    }),
  );
}

function unseen(attribute: string, seen: Set<string>): boolean {
  const name = attribute.split("=")[0] as string;
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

const fields = [
  ...words("email number password search tel text url").map((type) => ({
    element: "input",
    attributes: `type=${type}`,
  })),
  { element: "textarea", content: "text" },
].flatMap((named) => taken(named, [...REFERRED, ...LABELS, "title", "placeholder", "nothing"]));

const others = [
  ...words("checkbox radio color date datetime-local month range time week").map((type) => ({
    element: "input",
    attributes: `type=${type}`,
  })),
  { element: "select", content: "<option>text" },
  { element: "output", content: "text" },
  { element: "meter", content: "text" },
  { element: "progress", content: "text" },
].flatMap((named) => taken(named, [...REFERRED, ...LABELS, "title", "nothing"]));

const files = taken({ element: "input", attributes: "type=file" }, [...REFERRED, ...LABELS, "title"]);

const buttons = [
  ...["button", "submit", "reset"].flatMap((type) =>
    taken({ element: "input", attributes: `type=${type}` }, [...REFERRED, ...LABELS, "value"]),
  ),
  ...taken({ element: "input", attributes: "type=button" }, ["title", "nothing"]),
  ...taken({ element: "input", attributes: `type=image src=${PIXEL}` }, [
    ...REFERRED,
    ...LABELS,
    "alt",
    "title",
  ]),
  ...taken({ element: "button" }, [...REFERRED, ...LABELS, "subtree", "title", "nothing"]),
];

const parts = [
  ...taken({ element: "fieldset", content: "<input>" }, [...REFERRED, "legend", "title", "nothing"]),
  ...taken({ element: "table", content: "<tr><td>x" }, [...REFERRED, "caption", "title", "nothing"]),
  ...taken({ element: "figure", content: "x" }, [...REFERRED, "title", "nothing"]),
  ...taken({ element: "optgroup", content: "<option>x", around: "<select>*</select>" }, [
    ...REFERRED,
    "label attribute",
    "title",
    "nothing",
  ]),
  ...taken({ element: "img", attributes: `src=${PIXEL}` }, [
    ...REFERRED,
    "alt",
    "empty alt",
    "title",
    "nothing",
  ]),
  ...taken(
    {
      element: "area",
      attributes: "href=# shape=rect coords=0,0,9,9",
      around: `<map name=m>*</map><img usemap=#m alt=x src=${PIXEL}>`,
    },
    [...REFERRED, "alt", "title", "nothing"],
  ),
  ...taken({ element: "summary", around: "<details>*x</details>" }, [...REFERRED, "subtree", "title"]),
  ...taken({ element: "a", attributes: "href=#" }, [...REFERRED, "subtree", "title", "nothing"]),
  ...taken({ element: "iframe" }, [...REFERRED, "title", "nothing"]),
  ...taken({ element: "article", content: "x" }, [...REFERRED, "title", "nothing"]),
  ...taken({ element: "tr", content: "<td></td>", around: "<table>*</table>" }, [
    ...REFERRED,
    "title",
    "nothing",
  ]),
  ...taken({ element: "td", around: "<table><tr>*</table>" }, [...REFERRED, "title", "nothing"]),
  ...taken({ element: "th", around: "<table><tr>*</table>" }, [...REFERRED, "title", "nothing"]),
  ...words("thead tbody tfoot").flatMap((element) =>
    taken({ element, content: "<tr><td>x", around: "<table>*</table>" }, [...REFERRED, "title", "nothing"]),
  ),
];

const SMALL = words(`abbr b bdi bdo cite code dfn em i kbd mark q s samp small strong sub sup time u var`);
const phrases = SMALL.flatMap((element) =>
  taken({ element, content: "text" }, [...REFERRED, "title", "nothing"]),
);

export const nameSources: Case[] = [...fields, ...others, ...files, ...buttons, ...parts, ...phrases];

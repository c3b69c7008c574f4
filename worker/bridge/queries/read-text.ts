// Writes the document's text as a reader would have it: main content first, headings, lists, tables and links in plain
// marks, without refs.

import { attr } from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import type { Item, Node } from "../tree/item.ts";
import { hasLinesBelow, inlineText } from "../tree/print.ts";

/** Longer texts end here. */
const TEXT_MAX = 1_000_000;
/** These hold what pages repeat around their content. */
const AROUND = new Set(["banner", "navigation", "contentinfo", "complementary", "search"]);
/** These say something only to who acts. */
const SILENT = new Set(["separator", "scrollbar", "progressbar", "iframe", "option"]);
/** An empty line sets these apart. */
const APART = new Set(["dialog", "alertdialog", "article", "region", "table"]);
const ENTRIES = new Set(["listitem", "menuitem", "treeitem", "definition"]);

interface Writing {
  lines: string[];
  left: number;
}

export function readText(context: PageContext, ref: string | undefined): string {
  const { top } = context.update(true);
  const writing: Writing = { lines: [], left: TEXT_MAX };
  const target = ref === undefined ? undefined : targetOf(context, ref);
  const part = target?.state === "present" ? find(top, target.element) : top;
  for (const node of part === top ? mainFirst(top) : part === undefined ? [] : [part])
    write(node, "", writing);
  return writing.lines.join("\n").trim();
}

function find(top: Item, element: Element): Item | undefined {
  const open: Node[] = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind !== "element") continue;
    if (node.el === element) return node;
    for (const child of node.children) open.push(child);
  }
  return undefined;
}

/** Returns the parts of the document: its main content, then the others, then what pages repeat. */
function mainFirst(top: Item): Node[] {
  const main = outermost(top, (role) => role === "main");
  const content = main.length > 0 ? main : outermost(top, (role) => role === "article");
  const taken = new Set<Node>(content);
  const around = outermost(top, (role) => AROUND.has(role)).filter((item) => !isWithin(item, content));
  for (const item of around) taken.add(item);
  return [...content, ...without(top, taken), ...around];
}

function outermost(top: Item, is: (role: string) => boolean): Item[] {
  return top.children.flatMap((child) => {
    if (child.kind !== "element") return [];
    return is(child.role) ? [child] : outermost(child, is);
  });
}

function isWithin(item: Item, parts: readonly Item[]): boolean {
  return parts.some((part) => part !== item && part.el.contains(item.el));
}

/** Returns the nodes that hold none of those taken, and the parts of the others that are left. */
function without(item: Item, taken: ReadonlySet<Node>): Node[] {
  return item.children.flatMap((child) => {
    if (taken.has(child)) return [];
    return child.kind === "element" && holdsAny(child, taken) ? without(child, taken) : [child];
  });
}

function holdsAny(item: Item, taken: ReadonlySet<Node>): boolean {
  return item.children.some(
    (child) => taken.has(child) || (child.kind === "element" && holdsAny(child, taken)),
  );
}

function write(node: Node, indent: string, writing: Writing): void {
  if (writing.left <= 0 || node.kind === "fold") return;
  if (node.kind === "words") put(writing, indent, node.text);
  else if (!SILENT.has(node.role)) writeItem(node, indent, writing);
}

function writeItem(item: Item, indent: string, writing: Writing): void {
  const { role } = item;
  const isEntry = ENTRIES.has(role);
  if (role === "heading") writeHeading(item, writing);
  else if (role === "row") put(writing, indent, `| ${item.children.map(flat).join(" | ")} |`);
  else if (isFlat(item)) put(writing, indent + (isEntry ? "- " : ""), flat(item));
  else if (isEntry) writeEntry(item, indent, writing);
  else {
    if (APART.has(role)) put(writing, indent, "");
    writeAll(item.children, indent, writing);
  }
}

function writeHeading(item: Item, writing: Writing): void {
  const level = Number(/\[level=(\d)\]/.exec(item.states + item.attributes)?.[1] ?? 2);
  put(writing, "", "");
  put(writing, "", `${"#".repeat(level)} ${item.name === "" ? flat(item) : item.name}`);
}

function writeEntry(item: Item, indent: string, writing: Writing): void {
  const [first, ...rest] = item.children;
  if (first !== undefined) write(first, `${indent}- `, writing);
  writeAll(rest, `${indent}  `, writing);
}

/** Text flows through words and flat elements next to each other. */
function writeAll(nodes: readonly Node[], indent: string, writing: Writing): void {
  let run: string[] = [];
  const flush = () => {
    if (run.length > 0) put(writing, indent, run.join(" "));
    run = [];
  };
  for (const node of nodes) {
    const flows = node.kind === "words" || (node.kind === "element" && flowsIn(node));
    if (flows) run.push(flat(node));
    else {
      flush();
      write(node, indent, writing);
    }
  }
  flush();
}

const FLOWING = new Set([
  "link",
  "button",
  "code",
  "emphasis",
  "strong",
  "time",
  "mark",
  "superscript",
  "subscript",
  "generic",
]);

function flowsIn(item: Item): boolean {
  return FLOWING.has(item.role) && isFlat(item);
}

/** Reports if everything in the item fits on one line. */
function isFlat(item: Item): boolean {
  if (!hasLinesBelow(item)) return true;
  return item.children.every(
    (child) =>
      child.kind === "words" ||
      (child.kind === "element" && FLOWING.has(child.role) && !hasLinesBelow(child)),
  );
}

/** Returns the node's text on one line. A link has its address after it. */
function flat(node: Node): string {
  if (node.kind === "fold") return "";
  if (node.kind === "words") return node.text;
  const own = inlineText(node);
  const inside = own ?? (node.children.length > 0 ? node.children.map(flat).filter(Boolean).join(" ") : "");
  const text = inside !== "" ? inside : node.name;
  if (node.role === "link") return linkText(node, text);
  if (node.role === "img" || node.role === "image") return node.name === "" ? "" : `[image: ${node.name}]`;
  if (node.value !== undefined && node.name !== "") return `${node.name}: ${node.value}`;
  return node.role === "button" ? `[${text}]` : text;
}

const URL_MAX = 200;

function linkText({ el, name }: Item, inside: string): string {
  const text = name === "" ? inside : name;
  const url = attr(el, "href") ?? "";
  return url === "" || url.startsWith("#") || /^(?:javascript|data):/i.test(url)
    ? text
    : `${text} (${url.slice(0, URL_MAX)})`;
}

function put(writing: Writing, indent: string, text: string): void {
  const isGap = text.trim() === "";
  if (isGap && (writing.lines.length === 0 || writing.lines.at(-1) === "")) return;
  const line = isGap ? "" : (indent + text).slice(0, writing.left);
  writing.left -= line.length + 1;
  writing.lines.push(line);
}

// What a node of Chrome's accessibility tree says, by the attributes that would say so.
import type { Protocol } from "puppeteer-core";

type Node = Protocol.Accessibility.AXNode;

/** Properties whose values are those of the attribute. */
const STATES = new Map([
  ["checked", "aria-checked"],
  ["pressed", "aria-pressed"],
  ["expanded", "aria-expanded"],
  ["selected", "aria-selected"],
]);

/** Properties that are there in any case: they say something only where their value is another than this. */
const OTHERS = new Map([
  ["disabled", "aria-disabled"],
  ["required", "aria-required"],
  ["readonly", "aria-readonly"],
  ["invalid", "aria-invalid"],
  ["multiselectable", "aria-multiselectable"],
  ["modal", "aria-modal"],
  ["busy", "aria-busy"],
  ["hasPopup", "aria-haspopup"],
  ["level", "aria-level"],
  ["valuetext", "aria-valuetext"],
]);
const SILENT: ReadonlySet<string> = new Set(["", "false", "0"]);

/** Roles that say nothing. */
const MEANINGLESS: ReadonlySet<string> = new Set(["", "generic", "none"]);
const RANGES: ReadonlySet<string> = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);

/** Null for a node that Chrome leaves out, as it is not rendered: nothing is known of it. */
export function innerAttributes(node: Node | undefined): Record<string, string> | null {
  if (node === undefined || node.ignored) return null;
  const said = new Map<string, string>();
  const role = textOf(node.role);
  // Chrome's own roles, which no attribute can name, are of another type.
  if (node.role?.type === "role" && !MEANINGLESS.has(role)) said.set("role", role);
  for (const { name, value } of node.properties ?? []) {
    const state = STATES.get(name);
    const other = OTHERS.get(name);
    if (state !== undefined) said.set(state, textOf(value));
    else if (other !== undefined && !SILENT.has(textOf(value))) said.set(other, textOf(value));
  }
  const value = textOf(node.value);
  if (RANGES.has(role) && value !== "") said.set("aria-valuenow", value);
  const name = authorName(node);
  if (name !== "") said.set("aria-label", name);
  return Object.fromEntries(said);
}

/** The name, where an attribute would give it: labels and content are read from the page. */
function authorName({ name }: Node): string {
  const source = name?.sources?.find((each) => each.value !== undefined && !each.superseded);
  return source?.attribute === "aria-label" || source?.attribute === "aria-labelledby"
    ? textOf(source.value)
    : "";
}

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  return value?.value === undefined ? "" : String(value.value).trim();
}

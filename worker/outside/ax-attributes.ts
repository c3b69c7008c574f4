// Translates a node of Chrome's accessibility tree into the attributes with the same meaning.
import type { Protocol } from "puppeteer-core";

type Node = Protocol.Accessibility.AXNode;

/** The values of these properties equal those of the attribute. */
const STATES = new Map([
  ["checked", "aria-checked"],
  ["pressed", "aria-pressed"],
  ["expanded", "aria-expanded"],
  ["selected", "aria-selected"],
]);

/** Every node has these properties. They mean something only if their value is not one of {@link SILENT}. */
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

/** Roles without a meaning. */
const MEANINGLESS: ReadonlySet<string> = new Set(["", "generic", "none"]);
const RANGES: ReadonlySet<string> = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);

/** Returns null for a node that Chrome leaves out because it is not rendered: nothing is known of it. */
export function innerAttributes(node: Node | undefined): Record<string, string> | null {
  if (node === undefined || node.ignored) return null;
  const said = new Map<string, string>();
  const role = textOf(node.role);
  // Chrome's own roles, which no attribute can name, have another type.
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

/** Returns the name if it comes from an attribute. Labels and content are read from the page. */
function authorName({ name }: Node): string {
  const source = name?.sources?.find((each) => each.value !== undefined && !each.superseded);
  return source?.attribute === "aria-label" || source?.attribute === "aria-labelledby"
    ? textOf(source.value)
    : "";
}

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  return value?.value === undefined ? "" : String(value.value).trim();
}

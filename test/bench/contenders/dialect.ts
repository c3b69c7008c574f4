/** Expresses the same intentions in each contender's own tools. */

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** The kinds of snapshots. */
export const looks = [
  /** The whole page, whatever was shown before. */
  "full",
  /** A contender's snapshot of a page that it has shown in full before. */
  "again",
  /** A model's snapshot without arguments, of a page that the model has not seen. */
  "default",
  /** The same, with the request for the whole page again. */
  "default-whole",
] as const;
export type Look = (typeof looks)[number];

/** The calls that carry out one intention. The last one's answer counts. */
export interface Dialect {
  navigate(url: string): ToolCall[];
  /** Undefined if the contender has no such snapshot. */
  look(look: Look): ToolCall[] | undefined;
  /** It ends with an answer that shows what the click changed, if the contender has one. */
  click(ref: string): ToolCall[];
  type(ref: string, text: string): ToolCall[];
  /** Returns the ref of the first element with this role and name in a snapshot's text. */
  refOf(text: string, role: string, name: string): string | undefined;
  /** The text of a snapshot without changes. Undefined for a contender that always sends everything. */
  unchanged?: string;
  /** The calls before the server may be left. */
  goodbye?: ToolCall[];
}

const call = (name: string, args: Record<string, unknown> = {}): ToolCall => ({
  name,
  arguments: args,
});

export const troupe: Dialect = {
  navigate: (url) => [call("browser_navigate", { url })],
  look: (look) => [call("browser_snapshot", troupeLooks[look])],
  click: (ref) => [call("browser_click", { ref })],
  type: (ref, text) => [call("browser_type", { ref, text })],
  refOf: (text, role, name) => refAfter(text, `- ${role} "${name}"`, /\[ref=(\w+)\]/),
  unchanged: "unchanged since snapshot",
};

const troupeLooks: Record<Look, Record<string, unknown>> = {
  full: { full: true, maxTokens: 0 },
  again: { maxTokens: 0 },
  default: {},
  "default-whole": { full: true },
};

export const playwright: Dialect = {
  navigate: (url) => [call("browser_navigate", { url })],
  look: (look) => (look === "full" || look === "again" ? [call("browser_snapshot")] : undefined),
  click: (ref) => [call("browser_click", { element: "the element", target: ref })],
  type: (ref, text) => [call("browser_type", { element: "the field", target: ref, text })],
  refOf: (text, role, name) => refAfter(text, `- ${role} "${name}"`, /\[ref=(\w+)\]/),
};

/** The tab that the server opens by itself. */
const pageId = 1;

export const chromeDevtools: Dialect = {
  navigate: (url) => [call("navigate_page", { pageId, type: "url", url })],
  look: (look) => (look === "full" || look === "again" ? [call("take_snapshot", { pageId })] : undefined),
  click: (uid) => [call("click", { pageId, uid, includeSnapshot: true })],
  type: (uid, value) => [call("fill", { pageId, uid, value, includeSnapshot: true })],
  refOf: (text, role, name) => refBefore(text, `${role} "${name}"`, /uid=(\S+) $/),
};

export const agentBrowser: Dialect = {
  navigate: (url) => [call("agent_browser_open", { url })],
  look: (look) => [call("agent_browser_snapshot", agentBrowserLooks[look])],
  // Its actions report only that they were done.
  click: (ref) => [call("agent_browser_click", { selector: `@${ref}` }), agentBrowserChange],
  type: (ref, text) => [call("agent_browser_fill", { selector: `@${ref}`, text }), agentBrowserChange],
  refOf: (text, role, name) => refAfter(text.replaceAll('\\"', '"'), `- ${role} "${name}"`, /\bref=(\w+)\]/),
  unchanged: '"kind": "unchanged"',
  // Without it, its daemon and browser live for another hour.
  goodbye: [call("agent_browser_close")],
};

const agentBrowserLooks: Record<Look, Record<string, unknown>> = {
  full: { interactive: false, full: true },
  again: { interactive: false, delta: true },
  default: {},
  "default-whole": { full: true },
};

const agentBrowserChange = call("agent_browser_snapshot", agentBrowserLooks.again);

function refAfter(text: string, start: string, ref: RegExp): string | undefined {
  const at = text.indexOf(start);
  const line = at < 0 ? "" : (text.slice(at).split("\n", 1)[0] ?? "");
  return ref.exec(line)?.[1];
}

function refBefore(text: string, end: string, ref: RegExp): string | undefined {
  const at = text.indexOf(end);
  return at < 0 ? undefined : ref.exec(text.slice(0, at))?.[1];
}

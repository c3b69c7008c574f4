// browser_console_messages: lists the messages of the page's console. They come from memory, so the page is not asked.
import type { ConsoleMessagesRequest } from "../../../proto/gen/troupe.ts";
import { quote, shownUrl } from "../../snapshot/quote.ts";
import { LEVELS, type Level, type Message } from "../../tab/console/console-log.ts";
import type { CalledAt } from "../../tab/console/console-stack.ts";
import type { Page } from "../../tab/page.ts";
import type { Threads } from "../../threads/threads.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { keptTab } from "./kept-tab.ts";
import { folded } from "./like-messages.ts";
import { stackSources } from "./stack-sources.ts";

const LIMIT_DEFAULT = 50;
/** The calls of a stack that are listed. */
const STACK_LINES_MAX = 10;

export const consoleMessages: ToolHandler<"ConsoleMessages"> = async (request, context) => {
  const page = await keptTab(request.tab, context);
  if (!page) return { text: "No tab is open in this role, so there are no console messages.", messages: [] };
  const { tab } = page;
  const since = request.sinceNavigation ? tab.console.current : tab.console.messages;
  const loud = since.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(levelOf(request)));
  const matching = await matches(loud, request.pattern, page, context);
  // A pattern is how all of many like messages are listed.
  const wanted = request.pattern ? matching.map((message) => ({ message, alike: 0 })) : folded(matching);
  const shown = wanted.slice(-(request.limit ?? LIMIT_DEFAULT));
  const messages = shown.map(({ message }) => message);
  const stacks = request.stacks ? await inSources(messages, page, context.threads) : undefined;
  const head = wanted.length > shown.length ? [`The last ${shown.length} of ${wanted.length} messages:`] : [];
  const lines = shown.flatMap(({ message, alike }) => [
    messageLine(message, alike),
    ...(stacks?.get(message) ?? []).slice(0, STACK_LINES_MAX).map(stackLine),
  ]);
  return {
    text: shown.length ? [...head, ...lines].join("\n") : "No console messages.",
    messages: messages.map((message) => onWire(message, stacks?.get(message) ?? [])),
    shown: page,
  };
};

const WIRE = {
  debug: "CONSOLE_LEVEL_DEBUG",
  info: "CONSOLE_LEVEL_INFO",
  warning: "CONSOLE_LEVEL_WARNING",
  error: "CONSOLE_LEVEL_ERROR",
} as const;

function levelOf({ level = "CONSOLE_LEVEL_UNSPECIFIED" }: ConsoleMessagesRequest): Level {
  return LEVELS.find((each) => WIRE[each] === level) ?? "debug";
}

async function matches(
  messages: readonly Message[],
  pattern: string | undefined,
  page: Page,
  { threads }: ToolContext,
): Promise<readonly Message[]> {
  if (!pattern) return messages;
  const texts = messages.map(({ text }) => text);
  const found = await page.during(threads.search("pattern", { pattern, texts }), { haltInterrupts: false });
  const matching = new Set(found.map(({ index }) => index));
  return messages.filter((_message, index) => matching.has(index));
}

type Stacks = ReadonlyMap<Message, readonly CalledAt[]>;

/** Returns the messages' stacks. Their places are those in the sources that the scripts were made from, if known. */
async function inSources(messages: readonly Message[], page: Page, threads: Threads): Promise<Stacks> {
  const calls = messages.flatMap(({ stack }) => stack);
  const places = await stackSources(calls, page, threads);
  const inSource = (call: CalledAt): CalledAt => ({ ...call, ...places.get(call) });
  return new Map(messages.map((message) => [message, message.stack.map(inSource)]));
}

/** Writes one line per message, even if the page's text has line breaks. */
function messageLine({ level, text, url, line, count }: Message, alike: number): string {
  const where = url ? ` (${shownUrl(url)}${line ? `:${line}` : ""})` : "";
  const times = count > 1 ? ` ×${count.toLocaleString("en-US")}` : "";
  const more =
    alike > 0 ? ` and ${alike.toLocaleString("en-US")} more with other numbers (pattern lists them)` : "";
  return `[${level}] ${quote(text)}${where}${times}${more}`;
}

function stackLine({ name, url, line, column }: CalledAt): string {
  const called = name === "" ? "" : `${quote(name)} `;
  return `  at ${called}(${shownUrl(url) || "a script without an address"}:${line}:${column})`;
}

function onWire({ level, text, url, line, column, count }: Message, stack: readonly CalledAt[]) {
  const called = stack.map((call) => ({
    function: call.name,
    url: call.url,
    line: call.line,
    column: call.column,
  }));
  return { level: WIRE[level], text, url, line, column, count, stack: called };
}

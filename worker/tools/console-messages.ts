// browser_console_messages: lists the messages of the page's console. They come from memory, so the page is not asked.
import type { ConsoleMessagesRequest } from "../../proto/gen/troupe.ts";
import { quote, shownUrl } from "../snapshot/quote.ts";
import { LEVELS, type Level, type Message } from "../tab/console-log.ts";
import { Page } from "../tab/page.ts";
import type { ToolHandler } from "./tool.ts";

const LIMIT_DEFAULT = 50;

export const consoleMessages: ToolHandler<"ConsoleMessages"> = async (
  request,
  { session, threads, call },
) => {
  const tab = request.tab === undefined ? session.tabs.get() : await session.tabNamed(request.tab);
  if (!tab) return { text: "No tab is open in this role, so there are no console messages.", messages: [] };
  const page = new Page(tab, call);
  const since = request.sinceNavigation ? tab.console.current : [...tab.console.messages];
  const loud = since.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(levelOf(request)));
  const { pattern } = request;
  const texts = loud.map(({ text }) => text);
  const found = pattern
    ? await page.during(threads.search("pattern", { pattern, texts }), { dialogInterrupts: false })
    : undefined;
  const matching = found && new Set(found.map(({ index }) => index));
  const wanted = matching ? loud.filter((_message, index) => matching.has(index)) : loud;
  const shown = wanted.slice(-(request.limit ?? LIMIT_DEFAULT));
  const head = wanted.length > shown.length ? [`The last ${shown.length} of ${wanted.length} messages:`] : [];
  const text = shown.length ? [...head, ...shown.map(line)].join("\n") : "No console messages.";
  return {
    text,
    messages: shown.map(({ level, text, url, line }) => ({ level: WIRE[level], text, url, line })),
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

/** Writes one line per message, even if the page's text has line breaks. */
function line({ level, text, url, line: at }: Message): string {
  const where = url ? ` (${shownUrl(url)}${at ? `:${at}` : ""})` : "";
  return `[${level}] ${quote(text)}${where}`;
}

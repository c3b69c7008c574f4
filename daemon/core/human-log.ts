// Turns the log's JSON lines into lines for a person at a terminal.
import { stripVTControlCharacters, styleText } from "node:util";
import { oneLine } from "../../proto/text/quote.ts";

type Style = Parameters<typeof styleText>[0];
/** Puts a style around a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

const LEVELS: Readonly<Record<number, readonly [name: string, style: Style]>> = {
  10: ["TRACE", "gray"],
  20: ["DEBUG", "gray"],
  30: ["INFO", "green"],
  40: ["WARN", "yellow"],
  50: ["ERROR", "red"],
  60: ["FATAL", "red"],
};

/** Fields that have places of their own in the line, or say nothing new at one terminal. */
const PLACED = new Set(["level", "time", "msg", "pid", "err"]);

/** Paints for standard error. It follows NO_COLOR, FORCE_COLOR and the terminal. */
export const paintStderr: Paint = (style, text) => styleText(style, text, { stream: process.stderr });

/** Returns `17:31:05 WARN  the words  key=value`, with an error's stack on lines of its own. */
export function humanLine(json: string, paint: Paint): string {
  const record = parsed(json);
  if (!record) return json;
  const { level, time, msg = "", err } = record;
  const [name, style] = LEVELS[Number(level)] ?? [String(level), "gray"];
  const fields = Object.entries(record)
    .filter(([key]) => !PLACED.has(key))
    .map(([key, value]) => `${paint("dim", `${key}=`)}${shown(value)}`);
  const words = [
    paint("gray", clockOf(String(time))),
    paint(style, name.padEnd(5)),
    oneLine(String(msg)),
    ...fields,
  ];
  return `${words.join(" ")}\n${stackOf(err, paint)}`;
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    // A line that is no record is shown as it is.
    return undefined;
  }
}

/** The local time of day. A line is read soon after it is written. */
function clockOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toTimeString().slice(0, 8);
}

/** A value may hold a page's words, so nothing in it moves the cursor or passes for another line. */
function shown(value: unknown): string {
  return typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : oneLine(JSON.stringify(value));
}

function stackOf(err: unknown, paint: Paint): string {
  if (typeof err !== "object" || err === null) return "";
  const { stack, message } = err as { stack?: unknown; message?: unknown };
  const lines = stripVTControlCharacters(String(stack ?? message ?? "")).split("\n");
  return lines.map((line) => `${paint("dim", `    ${oneLine(line.trimEnd())}`)}\n`).join("");
}

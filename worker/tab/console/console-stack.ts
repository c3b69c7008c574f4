// Reads the stack of a console message or an error, within a bound.
import type { Protocol } from "puppeteer-core";
import { cut } from "../../../proto/text/quote.ts";

const FRAMES_MAX = 20;
const NAME_LENGTH_MAX = 200;
const URL_LENGTH_MAX = 2_000;

/** A call in a stack. Line and column count from 1. */
export interface CalledAt {
  name: string;
  url: string;
  line: number;
  column: number;
}

/** Returns the innermost calls. */
export function stackOf(stackTrace: Protocol.Runtime.StackTrace | undefined): CalledAt[] {
  return (stackTrace?.callFrames ?? [])
    .slice(0, FRAMES_MAX)
    .map(({ functionName, url, lineNumber, columnNumber }) => ({
      name: cut(functionName, NAME_LENGTH_MAX),
      url: cut(url, URL_LENGTH_MAX),
      line: lineNumber + 1,
      column: columnNumber + 1,
    }));
}

/** A line of V8's stacks: `at name (url:1:2)` or `at url:1:2`. */
const LINE = /^\s+at (?:(.{1,200}) \()?(.{1,2000}):(\d{1,9}):(\d{1,9})\)?$/;
const LINES_MAX = 200;

/** Returns the calls of an error's own stack, which shows where it was made. A page may have written it. */
export function stackIn(description = ""): CalledAt[] {
  const lines = description.slice(0, 50_000).split("\n", LINES_MAX);
  const calls = lines.flatMap((line) => {
    const [, name = "", url = "", row, column] = LINE.exec(line) ?? [];
    return row === undefined ? [] : [{ name, url, line: Number(row), column: Number(column) }];
  });
  return calls.slice(0, FRAMES_MAX);
}

// Splits a process's output into lines.
import type { Readable } from "node:stream";

const LINE_LENGTH_MAX = 8192;

/** Calls back for each line. A line beyond the maximum length comes in parts. */
export function onLines(stream: Readable, callback: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) callback(line);
    for (; rest.length > LINE_LENGTH_MAX; rest = rest.slice(LINE_LENGTH_MAX))
      callback(rest.slice(0, LINE_LENGTH_MAX));
  });
  stream.on("end", () => {
    if (rest) callback(rest);
  });
}

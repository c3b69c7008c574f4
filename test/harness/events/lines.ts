// Keeps the lines that a program writes, and waits for those with given words.
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { afterEvents } from "./after-events.ts";

type Words = RegExp | string;

export class Lines {
  readonly all: string[] = [];
  readonly #heard = new EventEmitter();

  add(line: string): void {
    this.all.push(line);
    this.#heard.emit("line");
  }

  /** Adds each line of a stream. */
  read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.add(line);
    });
  }

  /** Resolves with the first true value of `holds`, which is asked now and after each line. */
  after<T>(
    holds: () => T | undefined | false | Promise<T | undefined | false>,
    what: string,
    withinMs?: number,
  ): Promise<T> {
    return afterEvents(this.#heard, "line", holds, what, withinMs);
  }

  /** Resolves when a line with the words comes after this call. */
  async next(words: Words, withinMs?: number): Promise<void> {
    const from = this.all.length;
    await this.after(() => this.all.slice(from).some(having(words)), `a new line with ${words}`, withinMs);
  }

  /** Resolves when so many lines have the words. */
  async have(words: Words, times = 1, withinMs?: number): Promise<void> {
    const isThere = () => this.all.filter(having(words)).length >= times;
    await this.after(isThere, `${times} lines with ${words}`, withinMs);
  }
}

function having(words: Words): (line: string) => boolean {
  return (line) => (typeof words === "string" ? line.includes(words) : words.test(line));
}

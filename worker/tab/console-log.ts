// What a tab's console said, and errors that nobody caught: the newest, bounded.
import type { CDPSession, Protocol } from "puppeteer-core";
import { cut } from "../../proto/text/quote.ts";
import type { FailedConnections } from "../policy/failed-connections.ts";

/** Of a socket Chrome tells the address in its words. */
const SOCKET = /^WebSocket connection to '(wss?:[^']*)' failed/;
const MESSAGES_MAX = 1_000;
const TEXT_LENGTH_MAX = 2_000;

export const LEVELS = ["debug", "info", "warning", "error"] as const;
export type Level = (typeof LEVELS)[number];

/** One message. `document` counts the main documents that the tab has shown. */
export interface Message {
  level: Level;
  text: string;
  url: string;
  /** From 1; 0 where unknown. */
  line: number;
  document: number;
}

/** A tab's console. */
export class ConsoleLog {
  readonly #connections: FailedConnections;
  readonly #blocked: (url: string) => void;
  #messages: Message[] = [];
  #document = 0;

  /** `blocked` is told of each request that Chrome names here and the role's policy refused. */
  constructor(connections: FailedConnections, blocked: (url: string) => void) {
    this.#connections = connections;
    this.#blocked = blocked;
  }

  /** All that are kept, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Those of the document that is shown now. */
  get current(): Message[] {
    return this.#messages.filter(({ document }) => document === this.#document);
  }

  /** Another document is shown from now on. */
  newDocument(): void {
    this.#document++;
  }

  watch(client: CDPSession): void {
    client.on("Runtime.consoleAPICalled", (event) => this.#called(event));
    client.on("Runtime.exceptionThrown", ({ exceptionDetails }) => this.#thrown(exceptionDetails));
    client.on("Log.entryAdded", ({ entry }) => {
      // Chrome asks every site for an icon, by itself; that there is none says nothing of the page.
      if (entry.source === "network" && entry.url?.endsWith("/favicon.ico")) return;
      const asked = SOCKET.exec(entry.text)?.[1] ?? entry.url ?? "";
      const text = this.#connections.inPlainWords(entry.text, asked);
      if (this.#connections.behind(entry.text, asked)?.reason) this.#blocked(asked);
      this.#add(levelOf(entry.level), text, entry.url, entry.lineNumber);
    });
  }

  #called({ type, args, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent): void {
    const [frame] = stackTrace?.callFrames ?? [];
    this.#add(levelOf(type), args.map(textOf).join(" "), frame?.url, frame?.lineNumber);
  }

  #thrown({ text, exception, url, lineNumber }: Protocol.Runtime.ExceptionDetails): void {
    this.#add("error", exception?.description?.split("\n")[0] ?? text, url, lineNumber);
  }

  #add(level: Level, text: string, url = "", line = -1): void {
    this.#messages.push({
      level,
      text: cut(text, TEXT_LENGTH_MAX),
      // A data: address may be megabytes.
      url: cut(url, TEXT_LENGTH_MAX),
      line: line + 1,
      document: this.#document,
    });
    // Cut in halves: an array that loses its head at every message would be copied each time.
    if (this.#messages.length > 2 * MESSAGES_MAX) this.#messages = this.#messages.slice(-MESSAGES_MAX);
  }
}

function levelOf(type: string): Level {
  if (type === "error" || type === "assert") return "error";
  if (type === "warning") return "warning";
  return type === "debug" || type === "verbose" ? "debug" : "info";
}

function textOf({ value, description, type }: Protocol.Runtime.RemoteObject): string {
  if (value !== undefined) return typeof value === "string" ? value : JSON.stringify(value);
  return description ?? type;
}

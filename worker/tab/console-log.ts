// Keeps the newest messages of a tab's console and uncaught errors, within a bound.
import type { CDPSession, Protocol } from "puppeteer-core";
import { cut } from "../../proto/text/quote.ts";
import type { FailedConnections } from "../policy/failed-connections.ts";

/** For a WebSocket, Chrome gives the address only in its message text. */
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
  /** Counts from 1; 0 if unknown. */
  line: number;
  document: number;
}

/** A tab's console. */
export class ConsoleLog {
  readonly #connections: FailedConnections;
  readonly #blocked: (url: string) => void;
  #messages: Message[] = [];
  #document = 0;

  /** `blocked` is called for each request in the console that the role's policy refused. */
  constructor(connections: FailedConnections, blocked: (url: string) => void) {
    this.#connections = connections;
    this.#blocked = blocked;
  }

  /** All kept messages, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The messages of the document that is shown now. */
  get current(): Message[] {
    return this.#messages.filter(({ document }) => document === this.#document);
  }

  /** Notes that another document is shown from now on. */
  newDocument(): void {
    this.#document++;
  }

  watch(client: CDPSession): void {
    client.on("Runtime.consoleAPICalled", (event) => this.#called(event));
    client.on("Runtime.exceptionThrown", ({ exceptionDetails }) => this.#thrown(exceptionDetails));
    client.on("Log.entryAdded", ({ entry }) => {
      // Chrome asks every site for an icon by itself. A missing icon says nothing about the page.
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
    // The list is cut in halves, because removing its head at every message would copy it each time.
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

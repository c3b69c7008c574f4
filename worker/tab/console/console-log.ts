// Keeps the newest messages of a tab's console and uncaught errors, within a bound. Equal messages are kept once.
import type { CDPSession, Protocol } from "puppeteer-core";
import { keepNewest } from "../../../proto/machine/newest.ts";
import { copied, cut } from "../../../proto/text/quote.ts";
import type { FailedConnections } from "../../policy/failed-connections.ts";
import { type CalledAt, stackIn, stackOf } from "./console-stack.ts";
import { consoleText, thrownText } from "./console-text.ts";

/** For a WebSocket, Chrome gives the address only in its message text. */
const SOCKET = /^WebSocket connection to '(wss?:[^']*)' failed/;
const MESSAGES_MAX = 1_000;
const TEXT_LENGTH_MAX = 2_000;

export const LEVELS = ["debug", "info", "warning", "error"] as const;
export type Level = (typeof LEVELS)[number];

/** One message, or several equal ones. `document` counts the main documents that the tab has shown. */
export interface Message {
  level: Level;
  text: string;
  url: string;
  /** Counts from 1; 0 if unknown. */
  line: number;
  /** Counts from 1; 0 if unknown. */
  column: number;
  document: number;
  /** How often it came. */
  count: number;
  /** The innermost calls, only of errors and warnings. */
  stack: readonly CalledAt[];
}

/** A message as it comes. */
type Coming = Pick<Message, "level" | "text"> & Partial<Pick<Message, "url" | "line" | "column" | "stack">>;

/** A tab's console. */
export class ConsoleLog {
  readonly #connections: FailedConnections;
  readonly #blocked: (url: string) => void;
  /** By all that makes messages equal. The newest is the last. */
  readonly #messages = new Map<string, Message>();
  #document = 0;

  /** `blocked` is called for each request in the console that the role's policy refused. */
  constructor(connections: FailedConnections, blocked: (url: string) => void) {
    this.#connections = connections;
    this.#blocked = blocked;
  }

  /** All kept messages, in the order in which they came last. */
  get messages(): Message[] {
    return [...this.#messages.values()];
  }

  /** The messages of the document that is shown now. */
  get current(): Message[] {
    return this.messages.filter(({ document }) => document === this.#document);
  }

  /** Notes that another document is shown from now on. */
  newDocument(): void {
    this.#document++;
  }

  watch(client: CDPSession): void {
    client.on("Log.entryAdded", ({ entry }) => {
      // Chrome asks every site for an icon by itself. A missing icon says nothing about the page.
      if (entry.source === "network" && entry.url?.endsWith("/favicon.ico")) return;
      const asked = SOCKET.exec(entry.text)?.[1] ?? entry.url ?? "";
      const text = this.#connections.inPlainWords(entry.text, asked);
      if (this.#connections.behind(entry.text, asked)?.reason) this.#blocked(asked);
      const { url, lineNumber = -1, stackTrace } = entry;
      this.#add({
        level: levelOf(entry.level),
        text,
        url: url ?? "",
        line: lineNumber + 1,
        stack: stackOf(stackTrace),
      });
    });
    this.watchScripts(client);
  }

  /** Listens to scripts alone, such as those of a worker. */
  watchScripts(client: CDPSession): void {
    client.on("Runtime.consoleAPICalled", (event) => this.#called(event));
    client.on("Runtime.exceptionThrown", ({ exceptionDetails }) => this.#thrown(exceptionDetails));
  }

  #called({ type, args, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent): void {
    const stack = stackOf(stackTrace);
    this.#add({ ...stack[0], level: levelOf(type), text: consoleText(args), stack });
  }

  #thrown(details: Protocol.Runtime.ExceptionDetails): void {
    const { url, lineNumber, columnNumber, exception, stackTrace } = details;
    const own = stackIn(exception?.description);
    const stack = own.length > 0 ? own : stackOf(stackTrace);
    const at = { url: url ?? "", line: lineNumber + 1, column: columnNumber + 1 };
    this.#add({ ...(url ? at : (stack[0] ?? at)), level: "error", text: thrownText(details), stack });
  }

  #add({ level, text: whole, url: address = "", line = 0, column = 0, stack = [] }: Coming): void {
    const document = this.#document;
    const text = copied(cut(whole, TEXT_LENGTH_MAX));
    // A data: address may be megabytes.
    const url = copied(cut(address, TEXT_LENGTH_MAX));
    const key = [document, level, line, column, url, text].join(" ");
    const count = (this.#messages.get(key)?.count ?? 0) + 1;
    const isLoud = level === "error" || level === "warning";
    const calls = isLoud ? stack.map(copiedCall) : [];
    const message = { level, text, url, line, column, document, count, stack: calls };
    keepNewest(this.#messages, key, message, MESSAGES_MAX);
  }
}

function copiedCall(call: CalledAt): CalledAt {
  return { ...call, name: copied(call.name), url: copied(call.url) };
}

function levelOf(type: string): Level {
  if (type === "error" || type === "assert") return "error";
  if (type === "warning") return "warning";
  return type === "debug" || type === "verbose" ? "debug" : "info";
}

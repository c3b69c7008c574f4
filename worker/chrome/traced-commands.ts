// Makes a span of each command that a traced call sends to Chrome.
import type { Connection } from "puppeteer-core";
import { inSpan, recordedSpan, type Span } from "../../proto/tracing/spans.ts";

/** A long wait may send thousands of commands. The rest of a call's commands is only counted. */
const COMMANDS_MAX = 200;

/** The method through which puppeteer sends all commands of all sessions. Its types leave it out. */
interface Sender {
  _rawSend(callbacks: unknown, method: string, ...rest: unknown[]): Promise<unknown>;
}

/** Traces the commands of all sessions of this connection from now on. */
export function traceCommands(connection: Connection): void {
  const sender = connection as unknown as Sender;
  const send = sender._rawSend.bind(connection);
  const counts = new WeakMap<Span, number>();
  sender._rawSend = (callbacks, method, ...rest) => {
    const span = recordedSpan();
    if (!span) return send(callbacks, method, ...rest);
    const count = (counts.get(span) ?? 0) + 1;
    counts.set(span, count);
    span.setAttribute("troupe.commands", count);
    if (count > COMMANDS_MAX) return send(callbacks, method, ...rest);
    return inSpan(method, { kind: "client" }, () => send(callbacks, method, ...rest));
  };
}

// One client's session over gRPC. It records each of its calls with the result.
import { randomUUID } from "node:crypto";
import type { Address } from "../../../client/connection/address.ts";
import { CallError } from "../../../client/connection/call-error.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { exchange, failureOf } from "../../../client/session/exchange.ts";
import { toolCall, toolNamed } from "../../../proto/calls/tool-call.ts";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import {
  PROFILE,
  REQUEST_ID,
  RESUME,
  RESUMES_ONCE,
  ROLE,
  SESSION,
  VERSION_HEADER,
} from "../../../proto/wire/metadata.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";

/** A call and its result. Times are those of performance.now(). */
export interface Outcome {
  tool: string;
  role: string;
  session: string;
  requestId: string;
  beganMs: number;
  endedMs: number;
  /** `lost`: the connection broke, or there was none. `unanswered`: no answer came until long after the deadline. */
  answer: "ok" | "error" | "lost" | "unanswered";
  /** The type of an error. */
  type?: string;
  text: string;
}

/**
 * Returns true if the call succeeded and its page still answers. An action may be done although the page is silent
 * since.
 */
export function wentWell({ answer, text }: Outcome): boolean {
  return answer === "ok" && !text.includes("The page does not answer since then");
}

/** The daemon's own call timeout, with the time that an answer may take on a loaded machine. */
const DEADLINE_MS = 25_000;

export class Agent implements Disposable {
  readonly role: string;
  readonly session: string;
  /** A text that only this session knows. In another session's replies it proves that sessions are not isolated. */
  readonly token: string;
  readonly outcomes: Outcome[] = [];
  readonly #link: DaemonLink;
  #used = false;

  readonly #deadlineMs: number;

  /** `address` is unix:PATH or HOST:PORT. */
  constructor({
    address,
    role,
    name,
    deadlineMs = DEADLINE_MS,
  }: {
    address: string;
    role: string;
    name: string;
    deadlineMs?: number;
  }) {
    this.role = role;
    this.session = name;
    this.token = `tok_${name.replaceAll("-", "_")}_${randomUUID().slice(0, 8)}`;
    this.#deadlineMs = deadlineMs;
    const socket = socketOf(address);
    this.#link = new DaemonLink({ addresses: () => [{ target: address, shown: address, socket }] });
  }

  async call(name: string, args: JsonObject = {}, signal?: AbortSignal): Promise<Outcome> {
    const { tool, request } = toolCall(toolNamed(name, "full"), args);
    const requestId = randomUUID();
    const known = {
      tool: name,
      role: this.role,
      session: this.session,
      requestId,
      beganMs: performance.now(),
    };
    const ended = (rest: Pick<Outcome, "answer" | "text" | "type">) => {
      const outcome = { ...known, endedMs: performance.now(), ...rest };
      this.outcomes.push(outcome);
      return outcome;
    };
    try {
      const connection = await this.#link.connection();
      try {
        const options = {
          headers: this.#headers(requestId),
          deadlineMs: this.#deadlineMs,
          ...(signal && { signal }),
        };
        const { text } = await exchange(connection, tool, request, options);
        this.#used = true;
        return ended({ answer: "ok", text });
      } catch (caught) {
        const { error, lost } = failureOf(caught, { address: "", deadlineMs: this.#deadlineMs, requestId });
        if (lost) this.#link.drop(connection);
        if (error instanceof CallError)
          return ended({ answer: "error", type: error.type, text: error.message });
        return ended({
          answer: isLate(known.beganMs, this.#deadlineMs) ? "unanswered" : "lost",
          type: error.type,
          text: error.message,
        });
      }
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      return ended({ answer: "lost", type: error.type, text: error.message });
    }
  }

  [Symbol.dispose](): void {
    this.#link.close();
  }

  #headers(requestId: string): Record<string, string> {
    return {
      [SESSION]: this.session,
      [ROLE]: this.role,
      [PROFILE]: "full",
      [VERSION_HEADER]: VERSION,
      [REQUEST_ID]: requestId,
      ...(this.#used && { [RESUME]: RESUMES_ONCE }),
    };
  }
}

/** Returns the types of failed calls, each with its number. */
export function typesOf(outcomes: readonly Outcome[]): string {
  const counts = Map.groupBy(
    outcomes,
    ({ type, answer }) => `${type ?? answer}${answer === "lost" ? " on the way" : ""}`,
  );
  return [...counts].map(([type, of]) => `${of.length} ${type}`).join(", ");
}

function isLate(beganMs: number, deadlineMs: number): boolean {
  return performance.now() - beganMs >= deadlineMs - 50;
}

function socketOf(address: string): Address["socket"] {
  if (address.startsWith("unix:")) return { path: address.slice("unix:".length) };
  const [host = "", port] = address.split(":");
  return { host, port: Number(port) };
}

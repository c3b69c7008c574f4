// Tells the daemon of calls that were refused here, so that they are counted like those that it refuses itself.
import { createHmac, randomBytes } from "node:crypto";
import { REFUSED_WITH } from "../../proto/calls/client-refusal.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { CallError } from "../connection/call-error.ts";
import type { Connection } from "../connection/connection.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";

/** More at once are dropped: nobody waits for them. */
const UNDER_WAY_MAX = 8;
const REPORT_MS = 2000;

/** One call that was refused. */
export interface RefusedCall {
  error: CallError;
  /** As it was written. */
  name: string;
  args: JsonObject;
  headers: Record<string, string>;
}

/** Best effort: a report starts no daemon, delays no answer, and where it does not arrive nobody hears of it. */
export class RefusalReports {
  readonly #link: DaemonLink;
  /** Of this process, so that a digest tells nothing but which of its calls are equal. */
  readonly #key = randomBytes(32);
  readonly #underWay = new Set<Promise<void>>();

  constructor(link: DaemonLink) {
    this.#link = link;
  }

  /** Reports, and goes on at once. `arrived`: the daemon behind this connection knows the session now. */
  send(refused: RefusedCall, arrived: (connection: Connection) => void): void {
    const type = REFUSED_WITH.find((each) => each === refused.error.type);
    if (!type || this.#underWay.size >= UNDER_WAY_MAX) return;
    const sent = this.#sent(type, refused).then(arrived, () => undefined);
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }

  /** Resolves when none is under way, or at the signal. */
  async settled(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#underWay.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([Promise.all(this.#underWay), promise]);
  }

  async #sent(type: string, refused: RefusedCall): Promise<Connection> {
    const { error, headers } = refused;
    const report = { type, tool: toolMeant(error), digest: this.#digestOf(refused) };
    // Without a wait where one is open: the session's next call is to come behind it.
    const connection = this.#link.current ?? (await this.#link.connection({ start: false }));
    await connection.call("Control", "ReportRefusal", report, { headers, deadlineMs: REPORT_MS });
    return connection;
  }

  #digestOf({ name, args }: RefusedCall): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([name, args]))
      .digest();
  }
}

/** Its tool; where there is none of that name, the one that the plan ends with, by which the agent gets over it. */
function toolMeant({ type, detail, steps }: CallError): string {
  return type === "UNKNOWN_TOOL" ? (steps.at(-1)?.tool ?? "") : detail.tool;
}

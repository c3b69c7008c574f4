// Reports calls that this client refused, so that the daemon counts them like calls that it refuses itself.
import { createHmac, randomBytes } from "node:crypto";
import { REFUSED_WITH } from "../../proto/calls/client-refusal.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { CallError } from "../connection/call-error.ts";
import type { Connection } from "../connection/connection.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";

/** Further reports at the same time are dropped, because no call waits for them. */
const UNDER_WAY_MAX = 8;
const REPORT_MS = 2000;

/** One refused call. */
export interface RefusedCall {
  error: CallError;
  /** The tool's name as it was written. */
  name: string;
  args: JsonObject;
  headers: Record<string, string>;
}

/** Works by best effort. A report starts no daemon, delays no answer, and is lost in silence if it does not arrive. */
export class RefusalReports {
  readonly #link: DaemonLink;
  /** The key belongs to this process, so a digest shows only which of its calls are equal. */
  readonly #key = randomBytes(32);
  readonly #underWay = new Set<Promise<void>>();

  constructor(link: DaemonLink) {
    this.#link = link;
  }

  /** Sends a report and returns at once. `arrived`: called when the daemon behind this connection knows the session. */
  send(refused: RefusedCall, arrived: (connection: Connection) => void): void {
    const type = REFUSED_WITH.find((each) => each === refused.error.type);
    if (!type || this.#underWay.size >= UNDER_WAY_MAX) return;
    const sent = this.#sent(type, refused).then(arrived, () => undefined);
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }

  /** Resolves when no report is under way, or when the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#underWay.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([Promise.all(this.#underWay), promise]);
  }

  async #sent(type: string, refused: RefusedCall): Promise<Connection> {
    const { error, headers } = refused;
    const report = { type, tool: toolMeant(error), digest: this.#digestOf(refused) };
    // An open connection is used without a wait, because the session's next call must come after the report.
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

/** The tool of the call. For an unknown tool it is the last tool of the plan, with which the agent recovers. */
function toolMeant({ type, detail, steps }: CallError): string {
  return type === "UNKNOWN_TOOL" ? (steps.at(-1)?.tool ?? "") : detail.tool;
}

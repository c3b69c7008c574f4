// Reports calls that this client refused, so that the daemon counts them like calls that it refuses itself.
import type { Input, ReportRefusalRequest } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import type { Connection } from "../connection/connection.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";

/** Further reports at the same time are dropped, because no call waits for them. */
const UNDER_WAY_MAX = 8;
const REPORT_MS = 2000;

/** Works by best effort. A report starts no daemon, delays no answer, and is lost in silence if it does not arrive. */
export class RefusalReports {
  readonly #link: DaemonLink;
  readonly #underWay = new Set<Promise<void>>();

  constructor(link: DaemonLink) {
    this.#link = link;
  }

  /** Sends a report and returns at once. `arrived`: called when the daemon behind this connection knows the session. */
  send(
    report: Input<ReportRefusalRequest>,
    headers: Record<string, string>,
    arrived: (connection: Connection) => void,
  ): void {
    if (this.#underWay.size >= UNDER_WAY_MAX) return;
    const sent = this.#sent(report, headers).then(arrived, () => undefined);
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }

  /** Resolves when no report is under way, or when the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    await within({ signal }, Promise.all(this.#underWay)).catch(() => undefined);
  }

  async #sent(report: Input<ReportRefusalRequest>, headers: Record<string, string>): Promise<Connection> {
    // An open connection is used without a wait, because the session's next call must come after the report.
    const connection = this.#link.current ?? (await this.#link.connection({ start: false }));
    await connection.call("Control", "ReportRefusal", report, { headers, deadlineMs: REPORT_MS });
    return connection;
  }
}

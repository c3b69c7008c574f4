// The MCP sessions of the older era: found by their id, bounded in number, and ended when unused.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { Client } from "../../admission/client.ts";
import type { Alarm, Clock } from "../../core/clock.ts";
import { givesWay } from "../../sessions/fairness.ts";
import type { SessionLimits } from "../../sessions/session.ts";
import type { McpSession } from "./mcp-session.ts";

/** A session, as far as its number and its use matter. */
export type Countable = Pick<McpSession, "id" | "client" | "hasCalls" | "usedAtMs" | "close">;

export interface McpSessionsParts<S> {
  clock: Clock;
  limits: Pick<SessionLimits, "sessionIdle">;
  /** The most at once. Each may hold one connection open. */
  most: number;
  /** Called when a session is over. */
  ended(session: S): void;
}

const RETRY_AFTER_MS = 1000;

export class McpSessions<S extends Countable = McpSession> implements AsyncDisposable {
  readonly #parts: McpSessionsParts<S>;
  readonly #sessions = new Map<string, S>();
  #alarm: Alarm | undefined;

  constructor(parts: McpSessionsParts<S>) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Returns the client's session of that id. Another client's id means nothing. */
  of(id: string, client: Client): S | undefined {
    const session = this.#sessions.get(id);
    return session?.client === client.name ? session : undefined;
  }

  /** Adds a session that has an id. */
  add(session: S): void {
    this.#sessions.set(session.id ?? "", session);
    this.#expectEnd();
  }

  /** Removes a session that is over. */
  remove(session: S): void {
    if (this.#sessions.delete(session.id ?? "")) this.#parts.ended(session);
  }

  /**
   * Ends the longest unused session if there are too many: one of this client, or of a client above its share. Throws
   * BUSY if each of them has calls under way.
   */
  async makeRoom({ name }: Client): Promise<void> {
    const { most } = this.#parts;
    if (this.#sessions.size < most) return;
    const all = [...this.#sessions.values()];
    const counts = new Map<string, number>();
    for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
    const loser = givesWay(name, counts, most) ?? name;
    const idle = all.filter(({ client, hasCalls }) => client === loser && !hasCalls);
    const [longest] = idle.sort((one, other) => one.usedAtMs - other.usedAtMs);
    if (!longest)
      throw fail("BUSY", {
        limit: `${most} MCP sessions at once`,
        holders: [],
        retryAfterMs: RETRY_AFTER_MS,
      });
    await longest.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#alarm?.cancel();
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  /** One alarm serves the session that ends first. Use only postpones an end, so the alarm may be early. */
  #expectEnd(): void {
    const { clock, limits } = this.#parts;
    this.#alarm?.cancel();
    if (this.#sessions.size === 0) return;
    const first = Math.min(...[...this.#sessions.values()].map(({ usedAtMs }) => usedAtMs));
    this.#alarm = clock.after(first + limits.sessionIdle - clock.steady(), () => this.#expire());
  }

  #expire(): void {
    const { clock, limits } = this.#parts;
    const before = clock.steady() - limits.sessionIdle;
    for (const session of this.#sessions.values()) if (session.usedAtMs <= before) void session.close();
    this.#expectEnd();
  }
}

// Looks at tabs for the console. All pages that look at one tab share a look, at most one a second.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Client } from "../admission/client.ts";
import { roleFor } from "../admission/rights.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { sessionOfId } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Look } from "./wire.ts";

export interface LooksParts {
  supervisor: Supervisor;
  sessions: Sessions;
  clock: Clock;
  log: Log;
}

/** `key`: a session's. An empty tab is the current one. */
export interface Place {
  key: string;
  role: string;
  tab: string;
  picture: boolean;
}

export type Seen = Look & { image: Uint8Array };

/** A look counts as the present for this long. */
const FRESH_MS = 900;
const LOOKS_MAX = 200;
const ASK_MS_MAX = 6_000;
const NOTHING = { text: "", image: new Uint8Array() };

export class Looks {
  readonly #parts: LooksParts;
  readonly #looks = new Map<string, { atMs: number; seen: Promise<Seen> }>();

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /** Throws SESSION_EXPIRED, UNKNOWN_ROLE or PERMISSION_DENIED for what the client may not see. */
  async at(place: Place, client: Client): Promise<Seen> {
    const { supervisor, sessions, clock } = this.#parts;
    const session = sessionOfId(sessions, place.key.slice(0, 400), client, "read");
    const role = roleFor(client, place.role, supervisor.names);
    const name = JSON.stringify([session.key, role, place.tab.slice(0, 50), place.picture]);
    const latest = this.#looks.get(name);
    const nowMs = clock.steady();
    if (latest && nowMs - latest.atMs < FRESH_MS) return await latest.seen;
    const isAwake = session.visits.get(role)?.state === "AWAKE";
    const seen = isAwake
      ? this.#look({ ...place, key: session.key, role })
      : Promise.resolve({ state: "resting", ...NOTHING } as const);
    keepNewest(this.#looks, name, { atMs: nowMs, seen }, LOOKS_MAX);
    return await seen;
  }

  async #look({ key, role, tab, picture }: Place): Promise<Seen> {
    const { supervisor, log } = this.#parts;
    const worker = supervisor.roles.get(role)?.worker;
    if (!worker) return { state: "silent", ...NOTHING };
    try {
      const { open, text, image } = await worker.link.ask("LookAt", { key, tab, picture }, ASK_MS_MAX);
      return { state: open ? "shown" : "closed", text, image };
    } catch (error) {
      log.debug({ err: error, role }, "a tab did not show itself to the console");
      return { state: "silent", ...NOTHING };
    }
  }
}

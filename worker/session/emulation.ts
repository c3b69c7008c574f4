// Emulates in all tabs of a session, and in those that open later.
import type { CDPSession } from "puppeteer-core";
import type { Emulated } from "../../proto/gen/troupe.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Tab } from "../tab/tab.ts";
import { commandsFor, NOTHING } from "./emulated.ts";

export interface EmulationParts {
  /** The browser target's session. */
  browser: CDPSession;
  contextId: string;
  /** Undefined if the context belongs to sessions alone. */
  personalContext: string | undefined;
  failures: FailureLog;
}

/** Tabs of one process share these, and Chrome lets only one of them set them. */
const SHARED = /override is already in effect/;

export class Emulation {
  readonly #parts: EmulationParts;
  #now: Emulated;

  /** `record`: the state of a worker that died, or from before the session's hibernation. */
  constructor(parts: EmulationParts, record?: Emulated | null) {
    this.#parts = parts;
    this.#now = { ...NOTHING, ...record };
  }

  get now(): Readonly<Emulated> {
    return this.#now;
  }

  /** Sets up one process of a page before its scripts run. A failure is recorded, and the page opens all the same. */
  async begin(client: CDPSession, tab: Tab): Promise<void> {
    try {
      await this.#send(client, tab, NOTHING);
    } catch (error) {
      this.#parts.failures.cleanup("emulation", error as Error);
    }
  }

  /** Changes what is emulated from now on. Returns the work that each open tab needs. */
  change(now: Emulated): (tab: Tab) => Promise<void> {
    const before = this.#now;
    this.#now = now;
    return async (tab) => {
      const clients = new Set([tab.client, ...tab.frames.children.map(({ client }) => client)]);
      await Promise.all([...clients].map((client) => this.#send(client, tab, before)));
    };
  }

  /** Returns what another worker needs. Null if nothing is emulated. */
  record(): Emulated | null {
    return commandsFor(NOTHING, this.#now).length > 0 ? this.#now : null;
  }

  /** All is sent at once: the page must not run before. */
  async #send(client: CDPSession, tab: Tab, before: Emulated): Promise<void> {
    const commands = commandsFor(before, this.#now).filter(({ ofPage }) => !ofPage || client === tab.client);
    const sent = commands.map(({ method, params }) => client.send(method as never, params as never));
    const results = await Promise.allSettled([...sent, this.#permit(before)]);
    for (const result of results)
      if (result.status === "rejected" && !SHARED.test(String(result.reason))) throw result.reason;
  }

  /** A page gets the emulated position without asking. In a person's own context, the permissions stay as they are. */
  async #permit({ geolocation: before }: Emulated): Promise<void> {
    const { browser, contextId: browserContextId, personalContext } = this.#parts;
    if (personalContext !== undefined) return;
    const { geolocation } = this.#now;
    if (geolocation === before) return;
    if (geolocation === "") await browser.send("Browser.resetPermissions", { browserContextId });
    else await browser.send("Browser.grantPermissions", { permissions: ["geolocation"], browserContextId });
  }
}

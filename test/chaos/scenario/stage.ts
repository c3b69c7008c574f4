// The stage of faults: a daemon with three roles and four sessions at work in each, and a record of its processes.

import type { JsonObject } from "../../../proto/wire/struct.ts";
import { startTroupe, type Troupe } from "../../harness/troupe.ts";
import { within } from "../../harness/within.ts";
import { type Site, serveSite } from "../../site/serve.ts";
import { typesOf } from "./agent.ts";
import { Load } from "./load.ts";
import { ProcessAudit } from "./process-audit.ts";
import { tokenSite } from "./token-site.ts";

export const ROLES = ["red", "green", "blue"] as const;
export const SOAK_ROLES = [...ROLES, "white"] as const;
export type Role = (typeof SOAK_ROLES)[number];

export interface Stage extends AsyncDisposable {
  troupe: Troupe;
  site: Site;
  load: Load;
  audit: ProcessAudit;
  /** The number of sessions in each role. */
  each: number;
  /** Returns the daemon that runs now. */
  daemon(): number;
}

/** The longest first start of three browsers, beside other programs. */
const WARM_MS_MAX = 90_000;
/** The time between the starts of two rounds of a session. A model thinks longer. */
const PACE_MS = 1000;

/** `own` has settings of single roles. */
export async function openStage({
  each = 4,
  roles = ROLES as readonly Role[],
  settings = {},
  paceMs = PACE_MS,
  own = {} as Partial<Record<Role, JsonObject>>,
  interrupted = new AbortController().signal,
} = {}): Promise<Stage> {
  await using open = new AsyncDisposableStack();
  const site = open.use(await serveSite());
  const troupe = open.use(
    await startTroupe({
      settings: { limits: { callTimeout: "10s", queueWait: "10s" }, restart: { max: 100 }, ...settings },
      roles: Object.fromEntries(
        roles.map((role) => [role, { eager: true, sessions: each + 2, ...own[role] }]),
      ),
    }),
  );
  const kill = () => process.kill(daemonOf(troupe), "SIGKILL");
  interrupted.addEventListener("abort", kill);
  open.defer(() => interrupted.removeEventListener("abort", kill));
  const load = open.use(new Load({ address: troupe.address, roles, each, site: tokenSite(site) }));
  load.start(paceMs);
  const worked = await within(WARM_MS_MAX, () => load.hands.every(({ rounds }) => rounds > 0));
  if (!worked)
    throw new Error(`not every session worked within ${WARM_MS_MAX} ms: ${typesOf(load.outcomes)}`);
  const audit = new ProcessAudit();
  const parts = open.move();
  return {
    troupe,
    site,
    load,
    audit,
    each,
    daemon: () => daemonOf(troupe),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Returns the daemon's process; 0 if none runs. */
function daemonOf(troupe: Troupe): number {
  return troupe.processes().find(({ command }) => command.includes("daemon/main.ts"))?.pid ?? 0;
}

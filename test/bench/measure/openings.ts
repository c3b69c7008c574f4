/** Measures a new session's first page through one daemon, in turn with and without a warm session. */
import { once } from "node:events";
import { parseAddress } from "../../../client/connection/address.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { Session } from "../../../client/session/session.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { troupeStateDir, UNPREPARED_ROLE } from "../contenders/troupe.ts";
import { attempt, type Run } from "./rounds.ts";

export const openingPage = "openings";

/** The role of each measure. */
const ROLES = { prepared: "default", "not-prepared": UNPREPARED_ROLE };
/** After a role's last call, a warm session is ready in less time. */
const PREPARED_MS = 1_500;

export async function measureOpenings(run: Run): Promise<void> {
  const troupe = run.entrants.find(({ contender }) => contender.id === "troupe");
  if (!troupe) return;
  const rounds = run.quick ? 2 : 12;
  run.say(`${openingPage}: ${rounds} rounds`);
  await attempt(run, { contender: "troupe", page: openingPage }, async (keep) => {
    const stateDir = troupeStateDir(troupe.running);
    const files = stateFiles({ cwd: "/", env: {}, stateDir });
    const link = new DaemonLink({ addresses: () => [parseAddress("unix:default", "/", files)] });
    const url = troupe.stage.small();
    try {
      for (const role of Object.values(ROLES)) await firstPage({ link, id: `warm-${role}`, role, url });
      for (let round = 0; round < rounds; round++) {
        for (const [measure, role] of Object.entries(ROLES)) {
          await once(AbortSignal.timeout(PREPARED_MS), "abort");
          keep(measure, await firstPage({ link, id: `${measure}-${round}`, role, url }));
        }
      }
    } finally {
      link.close();
    }
  });
}

async function firstPage({
  url,
  ...options
}: {
  link: DaemonLink;
  id: string;
  role: string;
  url: string;
}): Promise<{ ms: number; text: string }> {
  const session = new Session({ ...options, profile: "core", own: true });
  const beganMs = performance.now();
  await session.call("browser_navigate", { url });
  const ms = performance.now() - beganMs;
  await session.close(AbortSignal.timeout(5_000));
  return { ms, text: "" };
}

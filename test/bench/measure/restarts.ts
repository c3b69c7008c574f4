/** Measures how long a session has no answer after its worker or its browser is killed. */
import { testClient } from "../../harness/daemon.ts";
import { startTroupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { servePages } from "../capacity/footprint.ts";
import { attempt, type Run } from "./rounds.ts";

export const restartsPage = "restarts";

const VICTIMS = { "kill-worker": "workerPid", "kill-browser": "browserPid" } as const;
const DEADLINE_MS = 30_000;
/** It stands on the page, so an answer that finds it comes from the restored page. */
const ON_PAGE = "Catalogue";

export async function measureRestarts(run: Run): Promise<void> {
  const rounds = run.quick ? 1 : 5;
  run.say(`${restartsPage}: ${rounds} rounds`);
  await attempt(run, { contender: "troupe", page: restartsPage }, async (keep) => {
    await using site = await servePages();
    for (const [measure, victim] of Object.entries(VICTIMS)) {
      // Each role crashes once, because a role that crashes again waits longer.
      const names = Array.from({ length: rounds }, (_, round) => `killed${round}`);
      await using troupe = await startTroupe({ roles: Object.fromEntries(names.map((name) => [name, {}])) });
      const client = testClient(troupe.address);
      try {
        for (const role of names) {
          run.signal.throwIfAborted();
          const given = { session: "s1", role, deadlineMs: DEADLINE_MS };
          const isAnswered = async () =>
            (await client.tool("Find", { text: ON_PAGE }, given)).ok?.text.includes(`heading "${ON_PAGE}"`);
          const { status } = await client.tool("Navigate", { url: `${site.url}/10` }, given);
          if (status) throw status;
          if (!(await isAnswered())) throw new Error(`the page does not show ${ON_PAGE}`);
          const { ok } = await client.ask("GetRole", { name: role });
          const pid = ok?.role?.[victim];
          if (!pid) throw new Error(`${role} has no ${victim}`);
          process.kill(pid, "SIGKILL");
          const beganMs = performance.now();
          await until(isAnswered, `${role} answers again`, DEADLINE_MS);
          keep(measure, { ms: performance.now() - beganMs, text: "" });
        }
      } finally {
        client.close();
      }
    }
  });
}

/** Measures from nothing to the first page: how long a client waits for its server and for the first page. */
import type { Contender, Running } from "../contenders/contender.ts";
import { joinTroupe } from "../contenders/troupe.ts";
import type { Site } from "../pages/site.ts";
import { attempt, type Keep, type Run } from "./rounds.ts";

/** No process of the contender runs. */
export const coldStart = "starts";
/** Troupe's daemon runs, and its role has served other sessions. */
export const warmStart = "starts-warm";

export async function measureStarts(run: Run, contenders: readonly Contender[], site: Site): Promise<void> {
  const rounds = run.quick ? 1 : 5;
  run.say(`${coldStart}: ${rounds} rounds`);
  const warm = run.entrants.find(({ contender }) => contender.id === "troupe");
  const out = new Set<Contender>();
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders.filter((each) => !out.has(each))) {
      const { id } = contender;
      const failed = await attempt(run, { contender: id, page: coldStart }, async (keep) => {
        await using started = await contender.start(run.signal);
        await firstPage(started.server, contender, { site, keep, signal: run.signal });
      });
      if (failed) out.add(contender);
    }
    if (warm) {
      await attempt(run, { contender: "troupe", page: warmStart }, async (keep) => {
        await using server = await joinTroupe(warm.running, run.signal);
        await firstPage(server, warm.contender, { site, keep, signal: run.signal });
      });
    }
  }
}

async function firstPage(
  server: Running["server"],
  { id, dialect }: Contender,
  { site, keep, signal }: { site: Site; keep: Keep; signal: AbortSignal },
): Promise<void> {
  keep("connect", { ms: server.connectMs, text: "" });
  keep("first-page", await server.call(dialect.navigate(site.stage(id).small()), signal));
}

/** Measures the first look, click and typing of a new server, and the same again once it is warm. */
import type { Contender } from "../contenders/contender.ts";
import { endOfList } from "../pages/list-page.ts";
import type { Site } from "../pages/site.ts";
import { begin } from "./actions.ts";
import { Entrant } from "./entrant.ts";
import { attempt, type Keep, type Run } from "./rounds.ts";

export const coldPage = "cold";
/** The same server, after it has done the same so often. */
export const warmPage = "cold-warm";

const ROWS = 125;
const TIMES_UNTIL_WARM = 8;

/** No entrant may run yet, because a new server takes its place at the site. */
export async function measureCold(run: Run, contenders: readonly Contender[], site: Site): Promise<void> {
  const rounds = run.quick ? 1 : 5;
  run.say(`${coldPage}: ${rounds} rounds`);
  const out = new Set<Contender>();
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders.filter((each) => !out.has(each))) {
      const failed = await attempt(run, { contender: contender.id, page: coldPage }, async (keep) => {
        await using entrant = await Entrant.enter(contender, site, run.signal);
        await once(entrant, keep);
        for (let time = 1; time < TIMES_UNTIL_WARM; time++) await once(entrant, () => {});
        await attempt(run, { contender: contender.id, page: warmPage }, (kept) => once(entrant, kept));
      });
      if (failed) out.add(contender);
    }
  }
}

async function once(entrant: Entrant, keep: Keep): Promise<void> {
  const { dialect } = entrant.contender;
  await entrant.stage.visit(`rows/${ROWS}`);
  keep("full-first", await entrant.look("full", endOfList(ROWS)));
  const { button, field } = await begin(entrant);
  keep("click", await entrant.do(dialect.click(button)));
  keep("type", await entrant.do(dialect.type(field, "Ada")));
}

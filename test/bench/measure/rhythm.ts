/** Measures looks again in an agent's rhythm: it thinks between its calls, while processor and processes go to rest. */
import { elapsed } from "../capacity/elapsed.ts";
import { endOfList, listPage } from "../pages/list-page.ts";
import { inTurn, type Run } from "./rounds.ts";

export const PAUSE_MS = 200;
export const rhythmSizes = [125, 1250] as const;
export const rhythmPage = (rows: number) => listPage(rows).replace("rows", "rhythm");

export async function measureRhythm(run: Run, isChosen: (page: string) => boolean): Promise<void> {
  for (const rows of rhythmSizes.filter((each) => isChosen(rhythmPage(each)))) {
    const rounds = run.quick ? 2 : 11;
    await inTurn(run, { page: rhythmPage(rows), rounds }, async ({ entrant, round, keep }) => {
      const { stage, contender } = entrant;
      // Troupe shows the whole page at a second look again without an action between, so each has its own visit.
      await stage.visit(`rows/${rows}`);
      await entrant.look("full", endOfList(rows));
      await elapsed(PAUSE_MS);
      const price = `$4${100 + round}.50`;
      await stage.change({ rows: [rows >> 1], price, toggle: false });
      keep("one-row", await entrant.look("again", price));

      await stage.visit(`rows/${rows}`);
      await entrant.look("full", endOfList(rows));
      await elapsed(PAUSE_MS);
      keep("unchanged", await entrant.look("again", contender.dialect.unchanged ?? endOfList(rows)));
    });
  }
}

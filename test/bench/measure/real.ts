/** Measures snapshots of pages that others made. */

import type { Unavailable } from "../contenders/peer-packages.ts";
import { realPages } from "../pages/real-pages.ts";
import { inTurn, type Run } from "./rounds.ts";

/** `unavailable`: the packages whose pages cannot be shown. */
export async function measureRealPages(
  run: Run,
  isChosen: (page: string) => boolean,
  unavailable: readonly Unavailable[],
): Promise<void> {
  for (const { id, path, holds, ...page } of realPages.filter((each) => isChosen(each.id))) {
    const missing = unavailable.find(({ name }) => name === page.package);
    if (missing) {
      run.results.failures.push({
        contender: "everyone",
        page: id,
        measure: "its installation",
        reason: missing.reason,
      });
      continue;
    }
    await inTurn(run, { page: id, rounds: run.quick ? 1 : 5 }, async ({ entrant, keep }) => {
      const place = `real/${id}/${path}`;
      await entrant.stage.visit(place);
      keep("full-first", await entrant.look("full", holds));
      if (entrant.contender.id !== "troupe") return;
      await entrant.stage.visit(place);
      keep("default-first", await entrant.look("default", ""));
    });
  }
}

/** Looks at pages that others made. */
import { realPages } from "../pages/real-pages.ts";
import { inTurn, type Run } from "./rounds.ts";

export async function measureRealPages(run: Run, isChosen: (page: string) => boolean): Promise<void> {
  for (const { id, path, holds } of realPages.filter((page) => isChosen(page.id))) {
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

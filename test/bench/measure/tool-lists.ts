/** Measures what a model has to read before its first call. */
import { attempt, type Run } from "./rounds.ts";

export const toolsPage = "tools";

export async function measureToolLists(run: Run): Promise<void> {
  run.say(`${toolsPage}: once`);
  for (const { contender, running } of run.entrants) {
    await attempt(run, { contender: contender.id, page: toolsPage }, async () => {
      const characters = await running.server.toolListCharacters();
      const where = { contender: contender.id, page: toolsPage, measure: "tools" };
      run.results.samples.push({ ...where, ms: 0, characters });
    });
  }
}

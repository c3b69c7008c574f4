/** Measures the memory of awake sessions with a plain page, in each kind of browser, and what they need unused. */
import { type FoundBrowser, findBrowser } from "../../../worker/chrome/find-browser.ts";
import { ofAwake, total } from "../capacity/footprint.ts";
import { TROUPE } from "../contenders/troupe.ts";
import { attempt, type Run } from "./rounds.ts";

export const densityPage = "density";

const PLAIN_PAGE = "data:text/html,<title>Plain</title><h1>Plain</h1>";
const MS_PER_PERCENT = 10;

export async function measureDensity(run: Run): Promise<void> {
  const sessions = run.quick ? 10 : 50;
  for (const { kind, executable } of await browsersOfEachKind()) {
    run.say(`${densityPage}: ${sessions} sessions in ${kind}`);
    await attempt(run, { contender: "troupe", page: densityPage }, async () => {
      const { added, all, idleMs } = await ofAwake(PLAIN_PAGE, {
        sessions,
        browser: executable,
        cli: TROUPE,
      });
      const keep = (measure: string, value: number, unit: "MiB" | "% of a core") => {
        run.say(`  ${measure}: ${value.toFixed(1)} ${unit}`);
        run.results.quantities.push({ page: densityPage, measure: `${measure}, ${kind}`, value, unit });
      };
      keep("one more session", total(added), "MiB");
      keep("all processes", total(all), "MiB");
      keep("daemon", all.daemon, "MiB");
      keep("worker", all.worker, "MiB");
      keep("idle", total(idleMs) / MS_PER_PERCENT, "% of a core");
    });
  }
}

/** The headless shell is the embedded one if the machine has none. A machine may have no full browser. */
export async function browsersOfEachKind(): Promise<FoundBrowser[]> {
  const { TROUPE_BROWSER: _, ...env } = process.env;
  const found = [
    await findBrowser({ env }),
    await findBrowser({ env, needsWindow: true }),
    await findBrowser({ env, configured: "embedded" }),
  ];
  const kinds = ["headless-shell", "chrome"] as const;
  return kinds.flatMap((wanted) => found.find(({ kind }) => kind === wanted) ?? []);
}

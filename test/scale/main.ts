/** `npm run test:scale` lets the daemons of one PostgreSQL come, die, stop and leave, and judges what becomes of sessions. */
import type { Outcome } from "../chaos/scenario/agent.ts";
import { type Figure, isReached, tableOf } from "../chaos/scenario/figures.ts";
import { runProgram } from "../harness/arguments.ts";
import { serveApplication } from "./application.ts";
import { beginAudit, foreignWrites } from "./audit.ts";
import { changes } from "./changes.ts";
import { hopFigures, storeFigures } from "./costs.ts";
import { Crowd } from "./crowd.ts";
import { Deployment } from "./deployment.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { rolling } from "./rolling.ts";
import { figuresOf, unnoticedFigures } from "./verdicts.ts";

const INTERRUPTED = 130;
const DAEMONS = 3;
const TEXT_CHARS = 300;
const PHASES = ["changes", "rolling", "hop", "store"] as const;

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

async function main(options: Options): Promise<number> {
  const chosen = new Set(
    PHASES.filter((name) => options.only.length === 0 || options.only.some((each) => name.startsWith(each))),
  );
  if (chosen.size === 0) {
    console.error(`no phase is named so; there are ${PHASES.join(", ")}`);
    return 64;
  }
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      interrupted.abort();
      process.exit(INTERRUPTED);
    });
  }
  let missed = 0;
  for await (const { title, figures, examples = [] } of played(chosen, options, interrupted.signal)) {
    console.log(`\n${title}:\n${tableOf(figures)}`);
    if (examples.length > 0) console.log(`\n  an example of each failure:\n    ${examples.join("\n    ")}`);
    missed += figures.filter((figure) => !isReached(figure)).length;
  }
  console.log(missed === 0 ? "\nevery bar is reached" : `\n${missed} bars are not reached`);
  return missed === 0 ? 0 : 1;
}

interface Part {
  title: string;
  figures: Figure[];
  /** Texts of failures, as clients read them. */
  examples?: string[];
}

async function* played(
  chosen: ReadonlySet<(typeof PHASES)[number]>,
  options: Options,
  interrupted: AbortSignal,
): AsyncGenerator<Part> {
  if (chosen.has("hop")) yield { title: "the cost of a hop", figures: await hopFigures(interrupted) };
  if (chosen.has("store"))
    yield { title: "the cost of PostgreSQL", figures: await storeFigures(interrupted) };
  if (chosen.has("changes") || chosen.has("rolling")) yield* underLoad(chosen, options, interrupted);
}

async function* underLoad(
  chosen: ReadonlySet<(typeof PHASES)[number]>,
  { sessions, seconds }: Options,
  interrupted: AbortSignal,
): AsyncGenerator<Part> {
  const beganMs = performance.now();
  const say = (line: string) =>
    console.log(`${((performance.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  await using application = await serveApplication();
  await using deployment = await Deployment.start(DAEMONS, interrupted);
  await beginAudit(deployment.postgres, deployment.url);
  say(`${DAEMONS} daemons run; ${sessions} sessions begin…`);
  await using crowd = new Crowd({ address: deployment.address, origin: application.origin, sessions });
  await crowd.begin();
  const stage = { deployment, seconds, say };
  const judged = async (events: Awaited<ReturnType<typeof changes>>, sinceMs: number) => ({
    calls: crowd.outcomes.filter(({ endedMs }) => endedMs >= sinceMs),
    events,
    ledger: application.ledger,
    strangers: crowd.visitors.flatMap(({ strangers }) => strangers).length,
    absences: crowd.visitors.flatMap(({ absences }) => absences).length,
    foreignWrites: (await foreignWrites(deployment.postgres, deployment.url)).length,
  });
  if (chosen.has("changes")) {
    const sinceMs = performance.now();
    const events = await changes(stage);
    const evidence = await judged(events, sinceMs);
    yield {
      title: "3, then 6, then 2 daemons",
      figures: figuresOf(evidence),
      examples: examplesOf(crowd, evidence.calls),
    };
  }
  if (!chosen.has("rolling")) return;
  while (deployment.running.length < DAEMONS) await deployment.add();
  await deployment.route();
  const sinceMs = performance.now();
  const events = await rolling(stage);
  await crowd.end();
  const evidence = await judged(events, sinceMs);
  const figures = [...unnoticedFigures(evidence), ...figuresOf(evidence)];
  yield { title: "a rolling restart", figures, examples: examplesOf(crowd, evidence.calls) };
}

/** Returns the beginning of a text for each tool and type of failure, and for each kind of wrong page. */
function examplesOf({ visitors }: Crowd, calls: readonly Outcome[]): string[] {
  const failed = calls.filter(({ answer }) => answer !== "ok");
  const kinds = Map.groupBy(failed, ({ tool, type, answer }) => `${tool} ${type ?? answer}`);
  const [stranger] = visitors.flatMap(({ strangers }) => strangers);
  const [absence] = visitors.flatMap(({ absences }) => absences);
  const texts = [...kinds].map(([kind, [first]]): [string, string | undefined] => [kind, first?.text]);
  return [...texts, ["another's storage", stranger] as const, ["without the page", absence] as const]
    .filter(([, text]) => text !== undefined)
    .map(([kind, text]) => `${kind}: ${text?.slice(0, TEXT_CHARS).replaceAll("\n", " ")}`);
}

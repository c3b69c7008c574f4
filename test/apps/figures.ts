// Sums up an application's replies, in figures and in words.
import type { Step } from "./person.ts";
import type { Outcome } from "./play.ts";

interface Figures {
  actions: number;
  /** Actions whose reply alone said what happened. */
  enough: number;
  calls: number;
  characters: number;
  medianMs: number;
  slowestMs: number;
  wrong: number;
  double: number;
  /** Replies after which a further snapshot added something. */
  late: number;
  /** Replies that said nothing of what happened. */
  silent: number;
}

const SHOWN_MAX = 1_500;

function figuresOf({ steps, calls, characters, wrong, double }: Outcome): Figures {
  // The page itself decides how fast it opens.
  const took = steps
    .filter(({ call }) => !call.startsWith("browser_navigate"))
    .flatMap(({ tookMs }) => tookMs ?? []);
  return {
    actions: steps.length,
    enough: steps.filter(({ unsaid, late }) => unsaid.length === 0 && late === "").length,
    calls,
    characters,
    medianMs: median(took),
    slowestMs: Math.max(0, ...took),
    wrong: wrong.length,
    double: double.length,
    late: steps.filter(({ late }) => late !== "").length,
    silent: steps.filter((step) => step.unsaid.length > 0 && isSilent(step)).length,
  };
}

/** Prints a line for each application, and one for all. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const heads = [
    "actions",
    "enough",
    "calls",
    "chars",
    "median",
    "slowest",
    "wrong",
    "double",
    "late",
    "silent",
  ];
  const width = Math.max(12, ...outcomes.map(({ name }) => name.length));
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)} ${cells.map((cell) => String(cell).padStart(8)).join("")}`;
  const all = outcomes.map((each) => [each.name, figuresOf(each)] as const);
  const rows = all.map(([name, figures]) => line(name, cellsOf(figures)));
  return [line("application", heads), ...rows, line("all", cellsOf(summed(outcomes)))].join("\n");
}

/** Says which share of the calls and characters the same tasks took in steps. */
export function comparison(oneByOne: readonly Outcome[], inSteps: readonly Outcome[]): string {
  const share = (of: (outcome: Outcome) => number) => {
    const sum = (outcomes: readonly Outcome[]) => outcomes.reduce((total, each) => total + of(each), 0);
    return (sum(inSteps) / sum(oneByOne)).toFixed(2);
  };
  return `of the calls ${share(({ calls }) => calls)}, of the characters ${share(({ characters }) => characters)}`;
}

/** Lists the faults, each with the text that the agent had read. Empty if there are none. */
export function faultsOf({ steps, wrong, double, undone, stopped }: Outcome): string[] {
  return [
    ...steps.flatMap(faultOf),
    ...wrong.map((each) => `acted on the wrong element: ${each}`),
    ...double.map((each) => `acted twice: ${each}`),
    ...undone.map((each) => `never happened: ${each}`),
    ...(stopped === undefined ? [] : [`the script stopped: ${stopped}`]),
  ];
}

function faultOf({ call, unsaid, late, text }: Step): string[] {
  if (unsaid.length === 0 && late === "") return [];
  const parts = [
    ...(unsaid.length === 0 ? [] : [`the reply does not say: ${unsaid.join("; ")}`]),
    `the reply: ${shortened(text)}`,
    ...(late === "" ? [] : [`a look after it added: ${shortened(late)}`]),
  ];
  return [`${call}\n${parts.join("\n").replace(/^/gm, "    ")}`];
}

function cellsOf({ medianMs, slowestMs, ...rest }: Figures): (string | number)[] {
  const { actions, enough, calls, characters, wrong, double, late, silent } = rest;
  return [actions, enough, calls, characters, ms(medianMs), ms(slowestMs), wrong, double, late, silent];
}

function summed(outcomes: readonly Outcome[]): Figures {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0);
  return figuresOf({
    name: "all",
    steps: outcomes.flatMap(({ steps }) => steps),
    calls: sum(({ calls }) => calls),
    characters: sum(({ characters }) => characters),
    wrong: outcomes.flatMap(({ wrong }) => wrong),
    double: outcomes.flatMap(({ double }) => double),
    undone: [],
    stopped: undefined,
  });
}

function isSilent({ text }: Step): boolean {
  return !/^(?:[~+] |- |removed from )/m.test(text);
}

const ms = (value: number) => `${Math.round(value)} ms`;
const shortened = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)} …` : text);

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

// The figures of a run: by error type, the recovered faults and their calls, with the plan and without.
import type { ErrorType } from "../../proto/errors/catalogue.ts";
import type { Reader } from "./play.ts";

/** The result of one fault. */
export interface Result {
  type: ErrorType;
  fault: string;
  recovers: "yes" | "asks" | "no";
  reader: Reader;
  recovered: boolean;
  calls: number;
  /** True if an agent with an intent chose when the plan asked. */
  chose?: boolean;
  /** The number of plans that came twice. */
  twice?: number;
  /** The reason that the fault could not be played. */
  broken?: string;
}

export interface Summary {
  recoverable: number;
  recovered: number;
  callsMean: number;
  callsMax: number;
}

/** Returns the number of recovered faults of those that can recover, and their calls. */
export function summaryOf(results: readonly Result[], reader: Reader): Summary {
  return summed(results.filter((each) => each.reader === reader && each.recovers === "yes"));
}

/** Returns the same for an agent with an intent, with the faults whose plan asks it to choose. */
export function intentSummary(results: readonly Result[]): Summary {
  return summed(
    results.filter((each) => each.reader === "plan" && (each.recovers === "yes" || each.chose === true)),
  );
}

function summed(tried: readonly Result[]): Summary {
  const recovered = tried.filter((each) => each.recovered);
  const calls = recovered.map((each) => each.calls);
  return {
    recoverable: tried.length,
    recovered: recovered.length,
    callsMean: calls.length === 0 ? 0 : calls.reduce((sum, each) => sum + each, 0) / calls.length,
    callsMax: Math.max(0, ...calls),
  };
}

/** Returns the report as Markdown. */
export function reportText(
  results: readonly Result[],
  { date, machine }: { date: string; machine: string },
): string {
  const planned = results.filter(({ reader }) => reader === "plan");
  const types = [...new Set(planned.map(({ type }) => type))];
  const asks = planned.filter(({ recovers }) => recovers === "asks").length;
  const nobody = planned.filter(({ recovers }) => recovers === "no").length;
  const left = planned.filter((each) => (each.recovers === "yes" || each.chose) && !each.recovered);
  const twice = planned.reduce((sum, each) => sum + (each.twice ?? 0), 0);
  const chosen = planned.filter(({ chose }) => chose).length;
  return [
    "# Recovery",
    "",
    `Written by \`npm run bench:recovery\`, ${date}, ${machine}. Each fault is arranged on a real daemon with real browsers; an`,
    "agent that does not think then follows the steps of the error, or, without them, looks at the page and makes the same",
    "call again, with the values that the message names in place of those that it refuses. Recovered is what the site or the server saw done that the failed call was meant to do.",
    "",
    `${planned.length} faults of ${types.length} error types: ${planned.length - asks - nobody} that an agent can recover from by the steps alone, ${asks} whose`,
    `plan ends by asking its reader to choose or to judge, ${nobody} where somebody else must act. In ${chosen} of those that ask, an agent`,
    `with an intent makes the choice that a person would make from the texts. Plans that were given twice: ${twice}.`,
    "",
    "| | recovered | calls, mean | calls, at most |",
    "| --- | --- | --- | --- |",
    line("**all, by the plan**", summaryOf(results, "plan")),
    line("**all, by the plan and an intent**", intentSummary(results)),
    line("all, by the message alone", summaryOf(results, "message")),
    "",
    "| error type | faults | by the plan | calls, mean / most | by the message alone | asks | others must act |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...types.map((type) =>
      typeLine(
        results.filter((each) => each.type === type),
        type,
      ),
    ),
    ...(left.length === 0
      ? []
      : [
          "",
          "Not recovered from:",
          ...left.map(({ fault, type, broken }) => `- ${type}: ${fault}${broken ? ` (${broken})` : ""}`),
        ]),
    "",
  ].join("\n");
}

function line(name: string, { recovered, recoverable, callsMean, callsMax }: Summary): string {
  const share = recoverable === 0 ? 0 : Math.round((100 * recovered) / recoverable);
  return `| ${name} | ${recovered} of ${recoverable} (${share}%) | ${callsMean.toFixed(1)} | ${callsMax} |`;
}

function typeLine(results: readonly Result[], type: string): string {
  const planned = results.filter(({ reader }) => reader === "plan");
  const count = (recovers: Result["recovers"]) => planned.filter((each) => each.recovers === recovers).length;
  const plan = summaryOf(results, "plan");
  const message = summaryOf(results, "message");
  const of = ({ recovered, recoverable }: Summary) =>
    recoverable === 0 ? "" : `${recovered} of ${recoverable}`;
  const calls = plan.recovered === 0 ? "" : `${plan.callsMean.toFixed(1)} / ${plan.callsMax}`;
  const cells = [type, planned.length, of(plan), calls, of(message), count("asks") || "", count("no") || ""];
  return `| ${cells.join(" | ")} |`;
}

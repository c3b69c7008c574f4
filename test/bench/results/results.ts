/** Collects a run's samples, and answers questions about them afterwards. */
import { median } from "./statistics.ts";

export const contenderIds = ["troupe", "playwright", "chrome-devtools", "agent-browser"] as const;
export type ContenderId = (typeof contenderIds)[number];

/** One measured answer. */
export interface Sample {
  contender: ContenderId;
  /** The page of the sample, as {@link Pages} name it. */
  page: string;
  measure: string;
  ms: number;
  /** The length of the answer's text, if it has one. */
  characters?: number;
}

/** A measurement that failed. */
export interface Failure {
  contender: ContenderId | "everyone";
  page: string;
  measure: string;
  /** One line, without paths and addresses. */
  reason: string;
}

/** The summary of one contender's samples of a measure. */
export interface Figure {
  ms: number;
  characters: number | undefined;
  /** The number of samples. */
  n: number;
}

export type Unit = "calls/s" | "MiB" | "% of a core" | "ms" | "calls" | "sessions";

/** A measured value of Troupe that is not the time of an answer. */
export interface Quantity {
  page: string;
  measure: string;
  value: number;
  unit: Unit;
}

/** All results of a run. */
export interface Results {
  samples: Sample[];
  quantities: Quantity[];
  failures: Failure[];
}

/** Returns the figure of one cell, or undefined if nothing was measured. */
export function figure(
  { samples }: Pick<Results, "samples">,
  wanted: Pick<Sample, "contender" | "page" | "measure">,
): Figure | undefined {
  const found = samples.filter(
    ({ contender, page, measure }) =>
      contender === wanted.contender && page === wanted.page && measure === wanted.measure,
  );
  const ms = median(found.map((sample) => sample.ms));
  if (ms === undefined) return undefined;
  const characters = found.flatMap((sample) => sample.characters ?? []);
  return { ms, characters: median(characters), n: found.length };
}

/** Returns the median of a quantity's values, or undefined if it was not measured. */
export function quantity(
  { quantities }: Pick<Results, "quantities">,
  wanted: Pick<Quantity, "page" | "measure">,
): number | undefined {
  const found = quantities.filter(({ page, measure }) => page === wanted.page && measure === wanted.measure);
  return median(found.map(({ value }) => value));
}

/** Returns an error's one line that can be printed anywhere: no paths of the machine, no addresses, no colours. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.replaceAll(/\u001b\[[\d;]*m/g, "").split("\n");
  const said = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  return (said[0] ?? "no reason given")
    .replaceAll(/\b(?:https?|wss?|file):\/\/\S+/g, "…")
    .replaceAll(/(?<![\w.])(?:\/[\w.@+~-]+){2,}/g, "…")
    .slice(0, REASON_CHARACTERS_MAX);
}

const REASON_CHARACTERS_MAX = 160;

/** Compares a run with that of the last release. Peers of the same versions show how fast the machine is this time. */
import { type ContenderId, contenderIds, figure, quantity, type Results, type Unit } from "./results.ts";
import { median } from "./statistics.ts";

/** The medians of a whole run, as they are kept for a release. */
export interface Baseline {
  versions: Record<ContenderId, string>;
  figures: { contender: ContenderId; page: string; measure: string; ms: number; characters?: number }[];
  quantities: { page: string; measure: string; value: number; unit: Unit }[];
}

export interface Regression {
  page: string;
  measure: string;
  what: "time" | "characters" | Unit;
  before: number;
  now: number;
  /** 1.2 for a fifth worse. */
  times: number;
}

const TIMES_MAX = 1.1;
/** Smaller differences are noise of the clock and the scheduler. */
const NOISE_MS = 0.5;
const NOISE_PERCENT = 0.2;

/** Returns the medians of a run. */
export function baselineOf(results: Results, versions: Baseline["versions"]): Baseline {
  return {
    versions,
    figures: unique(results.samples).map(({ contender, page, measure }) => {
      const { ms = 0, characters } = figure(results, { contender, page, measure }) ?? {};
      return { contender, page, measure, ms, ...(characters !== undefined && { characters }) };
    }),
    quantities: unique(results.quantities).map(({ page, measure, unit }) => ({
      page,
      measure,
      value: quantity(results, { page, measure }) ?? 0,
      unit,
    })),
  };
}

/**
 * Returns how many times as slow the machine is as at the release: the median of the peers' times. It is 1 if no peer
 * of the same version was measured.
 */
export function slowness(before: Baseline, now: Baseline): number {
  const same = contenderIds.filter((id) => id !== "troupe" && before.versions[id] === now.versions[id]);
  const ratios = pairs(before.figures, now.figures)
    .filter(({ was }) => same.includes(was.contender) && was.ms > 0)
    .map(({ was, is }) => is.ms / was.ms);
  return median(ratios) ?? 1;
}

/** Returns Troupe's figures that are more than a tenth worse, the worst first. */
export function regressions(before: Baseline, now: Baseline): Regression[] {
  const slow = slowness(before, now);
  const ofFigures = pairs(before.figures, now.figures)
    .filter(({ was }) => was.contender === "troupe")
    .flatMap(({ was, is }) => [
      regression(was, "time", { before: was.ms * slow, now: is.ms, noise: NOISE_MS }),
      regression(was, "characters", { before: was.characters ?? 0, now: is.characters ?? 0 }),
    ]);
  const ofQuantities = pairs(before.quantities, now.quantities).map(({ was, is }) => {
    if (was.unit === "calls/s")
      return regression(was, was.unit, { before: is.value, now: was.value / slow, swapped: true });
    const [faster, noise] = was.unit === "MiB" ? [1, 0] : [slow, NOISE_PERCENT];
    return regression(was, was.unit, { before: was.value * faster, now: is.value, noise });
  });
  return [...ofFigures, ...ofQuantities].flatMap((each) => each ?? []).sort((a, b) => b.times - a.times);
}

/** Returns a line for people. */
export function regressionLine({ page, measure, what, before, now, times }: Regression): string {
  const shown = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  const unit = what === "time" ? " ms" : ` ${what}`;
  return `${measure}, ${page}: ${shown(before)} → ${shown(now)}${unit}, ${Math.round((times - 1) * 100)} % worse`;
}

/** `swapped`: a value of which more is better. */
function regression(
  { page, measure }: { page: string; measure: string },
  what: Regression["what"],
  {
    before,
    now,
    noise = 0,
    swapped = false,
  }: { before: number; now: number; noise?: number; swapped?: boolean },
): Regression | undefined {
  if (before <= 0 || now <= before * TIMES_MAX || now - before <= noise) return undefined;
  const [was, is] = swapped ? [now, before] : [before, now];
  return { page, measure, what, before: was, now: is, times: now / before };
}

interface Key {
  contender?: ContenderId;
  page: string;
  measure: string;
}

const keyOf = ({ contender = "troupe", page, measure }: Key) => `${contender} ${page} ${measure}`;

function unique<T extends Key>(all: readonly T[]): T[] {
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}

function pairs<T extends Key>(before: readonly T[], now: readonly T[]): { was: T; is: T }[] {
  const current = new Map(now.map((each) => [keyOf(each), each]));
  return before.flatMap((was) => {
    const is = current.get(keyOf(was));
    return is ? [{ was, is }] : [];
  });
}

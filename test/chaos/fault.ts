// Strikes one fault under load, waits for the recovery, and returns figures.

import { within } from "../harness/within.ts";
import { typesOf, wentWell } from "./scenario/agent.ts";
import { lostRecords } from "./scenario/call-log.ts";
import type { Figure } from "./scenario/figures.ts";
import type { Hand } from "./scenario/load.ts";
import type { Role, Stage } from "./scenario/stage.ts";

export interface Fault {
  title: string;
  /** The roles that the fault may harm. All others must notice nothing. */
  harms: readonly Role[];
  /** Returns the process to hit. */
  aim(stage: Stage): number | Promise<number>;
  /** Strikes. `later` takes a function that undoes the rest of the fault once the role serves again. */
  strike(pid: number, stage: Stage, later: (undo: () => void) => void): void | Promise<void>;
  /** Only sessions with an error count for the recovery, because the fault does not harm the others. */
  single?: boolean;
  /** The longest time to the role's next answer, in milliseconds. It is above 2000 if a hang must first be detected. */
  servesWithinMs?: number;
}

/** The longest time from the fault until the last session works again. */
const WELL_MS_MAX = 45_000;
const SERVES_MS_MAX = 2000;

/** Strikes the fault while the load goes on. */
export async function strike(stage: Stage, fault: Fault): Promise<Figure[]> {
  const { load, audit } = stage;
  const hands = load.hands.filter(({ agent }) => fault.harms.some((role) => role === agent.role));
  const others = load.hands.filter((hand) => !hands.includes(hand));
  audit.look(stage.daemon());
  const pid = await fault.aim(stage);
  const roundsBefore = new Map(load.hands.map((hand) => [hand, hand.rounds]));
  const backBefore = new Map(hands.map((hand) => [hand, hand.lookBacks.length]));
  const struckMs = performance.now();
  const undone: (() => void)[] = [];
  await fault.strike(pid, stage, (undo) => void undone.push(undo));
  const serves = () => servedMs(hands, struckMs, fault.single === true);
  const wentOn = (hand: Hand) => hand.rounds > (roundsBefore.get(hand) ?? 0) + 1;
  await within(WELL_MS_MAX, () => serves() !== undefined);
  for (const undo of undone) undo();
  // Each session works two more rounds, so that late effects show too.
  await within(WELL_MS_MAX, () => load.hands.every(wentOn));
  const since = (of: readonly Hand[]) =>
    of.flatMap(({ agent }) => agent.outcomes).filter(({ endedMs }) => endedMs >= struckMs);
  const backs = hands.map((hand) => hand.lookBacks.slice(backBefore.get(hand)));
  const told = backs.flatMap((each) => each.slice(0, 1));
  const idle = load.hands.filter((hand) => !wentOn(hand));
  const left = await audit.leftOver(stage.daemon());
  const lost = await lostRecords(stage.troupe.address, load.outcomes);
  const most = (bar: number) => ({ bar: { most: bar } });
  const failed = since(others).filter(({ answer }) => answer !== "ok");
  const pages = told.filter(({ page }) => !page);
  const storage = told.filter((each) => !each.storage);
  return [
    ...(others.length > 0
      ? [{ name: "errors in other roles", value: failed.length, ...most(0), ...noted(typesOf(failed)) }]
      : []),
    {
      name: "serves again after",
      value: (serves() ?? Number.NaN) - struckMs,
      unit: "ms",
      ...most(fault.servesWithinMs ?? SERVES_MS_MAX),
    },
    {
      name: "sessions that were told",
      value: told.length,
      ...noted(typesOf(since(hands).filter((each) => each.answer !== "ok"))),
    },
    { name: "  of these without their page", value: pages.length, ...most(0) },
    {
      name: "  without their cookies or storage",
      value: storage.length,
      ...most(0),
      ...noted(storage[0]?.note),
    },
    {
      name: "sessions that did not go on",
      value: idle.length,
      ...most(0),
      ...noted(idle[0]?.agent.session),
    },
    {
      name: "calls without an answer",
      value: since(load.hands).filter(({ answer }) => answer === "unanswered").length,
      ...most(0),
    },
    {
      name: "cross-talk, odd replies",
      value: sum(load.hands, ({ crossTalk, odd }) => crossTalk + odd.length),
      ...most(0),
    },
    { name: "orphans", value: left.orphans.length, ...most(0) },
    { name: "zombies", value: left.zombies.length, ...most(0) },
    { name: "lost journal records", value: lost.length, ...most(0), ...noted(typesOf(lost)) },
  ];
}

/** Returns the time until a harmed session was first served again. */
function servedMs(hands: readonly Hand[], struckMs: number, single: boolean): number | undefined {
  const wells = hands.flatMap(({ agent }) => {
    const after = agent.outcomes.filter(({ endedMs }) => endedMs >= struckMs);
    const failedMs = after.find((each) => !wentWell(each))?.endedMs;
    if (single && failedMs === undefined) return [];
    const well = after.find((each) => wentWell(each) && each.beganMs >= (failedMs ?? struckMs));
    return well ? [well.endedMs] : [];
  });
  return wells.length > 0 ? Math.min(...wells) : undefined;
}

function noted(note: string | undefined): { note?: string } {
  return note ? { note } : {};
}

function sum<T>(of: readonly T[], number: (each: T) => number): number {
  return of.reduce((all, each) => all + number(each), 0);
}

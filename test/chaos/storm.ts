// One overloading page under load: a session of its own opens and leaves it, and the result is figures.

import { renderersOf, workersOf } from "../faults/stage/processes.ts";
import { testClient } from "../harness/daemon.ts";
import { pssMiB } from "../harness/proc.ts";
import { refOf } from "../harness/troupe.ts";
import { within } from "../harness/within.ts";
import { Agent, type Outcome, typesOf } from "./scenario/agent.ts";
import { lostRecords } from "./scenario/call-log.ts";
import type { Figure } from "./scenario/figures.ts";
import type { Role, Stage } from "./scenario/stage.ts";
import type { StormPage } from "./storm-pages.ts";

/** The role with the overloading pages. */
export const BAD: Role = "red";
/** The rounds that the other sessions work meanwhile. */
const ROUNDS = 2;
const ROUNDS_MS_MAX = 45_000;
/** Two calls that reach their limit of 10 s, and the calls after them. */
const LEFT_MS_MAX = 30_000;
/** The memory that a worker may gain: the messages of a flood are kept for a while. */
const GROWN_MIB_MAX = 150;
const GONE_MS_MAX = 10_000;
const FREED_MS_MAX = 90_000;
const DIALOGS_MAX = 5;
/** The tab of the warm session, which came meanwhile and stays. */
const SPARE = 1;
/** The errors for a ref of another page. */
const OF_REFS: ReadonlySet<string> = new Set(["UNKNOWN_REF", "STALE_REF", "ELEMENT_CHANGED"]);
const WELL = "All is well";

/** Opens the page, waits until the others have gone on, and leaves. */
export async function weather(stage: Stage, storm: StormPage, number: number): Promise<Figure[]> {
  const { load, audit, site, troupe } = stage;
  const before = { renderers: new Set(renderersIn(stage)), memory: workerMiB(stage) };
  const struckMs = performance.now();
  const pid = workersOf(troupe, BAD)[0]?.pid;
  using agent = new Agent({ address: troupe.address, role: BAD, name: `storm-${number}` });
  const rounds = new Map(load.hands.map((hand) => [hand, hand.rounds]));
  await meet(agent, storm.serve(site));
  let peak = 0;
  const wentOn = () => {
    peak = Math.max(peak, workerMiB(stage));
    return load.hands.every((hand) => hand.rounds >= (rounds.get(hand) ?? 0) + ROUNDS);
  };
  await within(ROUNDS_MS_MAX, wentOn);
  // The daemon measures the role's memory every 15 s. It closes the page with most memory, or replaces the worker.
  const hog = heaviest(renderersIn(stage));
  const isReplaced = () => (workersOf(troupe, BAD)[0]?.pid ?? pid) !== pid;
  const isFreed = () => isReplaced() || !renderersIn(stage).includes(hog);
  const freedMs =
    storm.hogs && (await within(FREED_MS_MAX, isFreed)) ? performance.now() - struckMs : Number.NaN;
  const freedBy = isReplaced() ? "a new worker" : "closing the page";
  await agent.call("browser_console_messages");
  const tabs = await agent.call("browser_tabs", { action: "list" });
  const left = await leave(agent, site.page(`<title>Well</title><h1>${WELL}</h1>`));
  await end(agent, troupe.address);
  const fresh = renderersIn(stage).filter((pid) => !before.renderers.has(pid));
  const ofIts = () => {
    const living = new Set(renderersIn(stage));
    return fresh.filter((pid) => living.has(pid)).length;
  };
  // After a recycling the role's other sessions have new renderers too.
  await within(GONE_MS_MAX, () => ofIts() === 0 || storm.hogs === true);
  const found = await audit.leftOver(stage.daemon());
  const since = (of: readonly Outcome[]) => of.filter(({ endedMs }) => endedMs >= struckMs);
  const [own, others] = [load.in(BAD), load.hands.filter((hand) => hand.agent.role !== BAD)].map((hands) =>
    since(hands.flatMap((hand) => hand.agent.outcomes)),
  ) as [Outcome[], Outcome[]];
  const all = [...own, ...others, ...agent.outcomes];
  const failed = (of: readonly Outcome[]) => of.filter(({ answer }) => answer !== "ok");
  const lost = await lostRecords(troupe.address, all);
  const none = { bar: { most: 0 } };
  // A worker is replaced between two calls, so a ref from before belongs to an earlier page.
  const [ofRefs = [], foul = []] = [true, false].map((mayBe) =>
    failed(own).filter(({ type = "" }) => (storm.hogs === true && OF_REFS.has(type)) === mayBe),
  );
  return [
    { name: "errors in other roles", value: failed(others).length, ...none, note: typesOf(failed(others)) },
    {
      name: "errors in the role's other sessions",
      value: foul.length,
      ...none,
      note: typesOf(foul),
    },
    ...(storm.hogs
      ? [{ name: "  refs of a page before", value: ofRefs.length, bar: { most: load.in(BAD).length } }]
      : []),
    { name: "calls into the storm", value: agent.outcomes.length, note: storyOf(agent.outcomes) },
    { name: "calls without an answer", value: ofAnswer(all, "unanswered") + ofAnswer(all, "lost"), ...none },
    {
      name: "errors that nobody foresaw (INTERNAL)",
      value: all.filter(({ type }) => type === "INTERNAL").length,
      ...none,
    },
    {
      name: "tabs of the session",
      value: tabsListed(tabs.text),
      bar: { most: 50 },
    },
    {
      name: "the session is well again after",
      value: left.tookMs,
      unit: "ms",
      bar: { most: LEFT_MS_MAX },
      note: left.by,
    },
    {
      name: "memory of the worker at most",
      value: peak,
      unit: "MiB",
      bar: { most: before.memory + GROWN_MIB_MAX },
      note: `${Math.round(before.memory)} MiB before`,
    },
    storm.hogs
      ? {
          name: "its memory is given back after",
          value: freedMs,
          unit: "ms",
          bar: { most: FREED_MS_MAX },
          note: freedBy,
        }
      : { name: "processes of its pages left", value: ofIts(), bar: { most: SPARE } },
    { name: "orphans", value: found.orphans.length, ...none },
    { name: "zombies", value: found.zombies.length, ...none },
    { name: "lost journal records", value: lost.length, ...none, note: typesOf(lost) },
  ];
}

/** Opens the page and uses it as far as possible. */
async function meet(agent: Agent, url: string): Promise<void> {
  const opened = await agent.call("browser_navigate", { url });
  const seen = opened.answer === "ok" ? opened : await agent.call("browser_snapshot", { full: true });
  const ref = refIn(seen.text);
  if (ref) await agent.call("browser_click", { ref });
  await agent.call("browser_find", { text: "Storm" });
}

function refIn(text: string): string | undefined {
  return text.includes('button "Go"') ? refOf(text, "button", "Go") : undefined;
}

/**
 * Follows the plans: it answers dialogs, then opens another address. At last it closes the tab or opens another one.
 */
async function leave(agent: Agent, url: string): Promise<{ tookMs: number; by: string }> {
  const beganMs = performance.now();
  const well = async (outcome: Outcome) => {
    if (outcome.answer !== "ok") return false;
    return (await agent.call("browser_snapshot", { full: true })).text.includes(WELL);
  };
  const ways: [string, () => Promise<boolean>][] = [
    ["navigating", async () => well(await agent.call("browser_navigate", { url }))],
    ["answering dialogs", () => answering(agent, () => agent.call("browser_navigate", { url }).then(well))],
    [
      "closing the tab",
      async () => {
        await agent.call("browser_tabs", { action: "close" });
        return well(await agent.call("browser_navigate", { url }));
      },
    ],
    ["another tab", async () => well(await agent.call("browser_tabs", { action: "new", url }))],
  ];
  for (const [by, way] of ways) if (await way()) return { tookMs: performance.now() - beganMs, by };
  return { tookMs: Number.NaN, by: "no way" };
}

async function answering(agent: Agent, go: () => Promise<boolean>): Promise<boolean> {
  for (let dialogs = 0; dialogs < DIALOGS_MAX; dialogs++) {
    if (agent.outcomes.at(-1)?.type !== "DIALOG_OPEN") return false;
    const { answer, text } = await agent.call("browser_handle_dialog", { accept: true });
    if (answer === "ok" && text.includes(WELL)) return true;
    if (await go()) return true;
  }
  return false;
}

async function end({ session }: Agent, address: string): Promise<void> {
  const control = testClient(address);
  await control.ask("CloseSession", { session });
  control.close();
}

/** Returns the number of tabs in a reply of browser_tabs. */
export function tabsListed(text: string): number {
  return text.match(/^t\d+ /gm)?.length ?? 0;
}

/** Returns the calls with their results and durations. */
export function storyOf(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(
      ({ tool, answer, type, beganMs, endedMs }) =>
        `${tool.replace("browser_", "")} ${type ?? answer} ${Math.round(endedMs - beganMs)}`,
    )
    .join(", ");
}

function ofAnswer(outcomes: readonly Outcome[], wanted: Outcome["answer"]): number {
  return outcomes.filter(({ answer }) => answer === wanted).length;
}

/** Returns 0 if no worker runs at the moment. */
function workerMiB({ troupe }: Stage): number {
  return workersOf(troupe, BAD).reduce((sum, { pid }) => sum + pssMiB(pid), 0);
}

function heaviest(pids: readonly number[]): number {
  return [...pids].sort((one, other) => pssMiB(other) - pssMiB(one))[0] ?? Number.NaN;
}

function renderersIn({ troupe }: Stage): number[] {
  return workersOf(troupe, BAD).length > 0 ? renderersOf(troupe, BAD) : [];
}

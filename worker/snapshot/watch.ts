// Watches a tab: sends its tree, then each change. Updates go out as fast as the reader takes them, but not before the
// page settles.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Input, SnapshotUpdate, WatchRequest } from "../../proto/gen/troupe.ts";
import type { Call } from "../core/call.ts";
import { isGone } from "../core/gone.ts";
import { Delivered, type SnapshotRecord } from "../refs/delivered.ts";
import type { Frame } from "../tab/frames/frame.ts";
import { type Halt, isHalt } from "../tab/interrupts.ts";
import { loaded } from "../tab/load.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import { haltLine } from "./notes.ts";
import { deltaText, pageInfo, pageText, roomFor, takeSnapshot } from "./reply.ts";

/**
 * Some changes have no event, such as a value that a script sets. They are looked for this often; a quiet page answers
 * at once.
 */
const LOOK_AGAIN_MS = 1_000;
/** Changes that come close together go into one update. None waits longer than `maxMs`. */
const TOGETHER = { windowMs: 50, changedMs: 50, maxMs: 250 };

const WATCHERS_MAX = 8;

type Update = Input<SnapshotUpdate>;

/**
 * Sends updates of the tab as long as the call lasts. `send` resolves when the reader has room again. Changes until
 * then go into one update. Rejects with the error that ends the call or the tab.
 */
export async function watch(
  tab: Tab,
  call: Call,
  { maxTokens, whole = false }: WatchRequest,
  send: (update: Update) => Promise<void>,
): Promise<never> {
  if (tab.watches.size >= WATCHERS_MAX) throw tooMany(tab);
  tab.watches.add(call);
  try {
    return await follow(tab, call, { maxTokens, whole }, send);
  } finally {
    tab.watches.delete(call);
  }
}

async function follow(
  tab: Tab,
  call: Call,
  wanted: Pick<Following, "maxTokens" | "whole">,
  send: (update: Update) => Promise<void>,
): Promise<never> {
  const following: Following = { delivered: new Delivered(), asked: new Map(), arrived: "", ...wanted };
  let halt: Halt | undefined;
  for (;;) {
    const page = new Page(tab, call);
    call.signal.throwIfAborted();
    tab.interrupts.check({ haltInterrupts: false });
    if (tab.halt) {
      if (halt !== tab.halt) await send(haltUpdate(page, tab.halt, following));
      halt = tab.halt;
      await page.during(tab.activity.changed(call.signal), { haltInterrupts: false });
      continue;
    }
    try {
      const update = await nextUpdate(page, following);
      if (update) await send(update);
      await news(page, following);
    } catch (error) {
      if (!isInterruption(error, tab)) throw error;
      await page.nextDocument();
    }
  }
}

/** Returns what the tab shows now, if it differs from the last update. */
async function nextUpdate(page: Page, following: Following): Promise<Update | undefined> {
  const { delivered, maxTokens, whole } = following;
  // A document is waited for only once: it may be incomplete for as long as it is there.
  if (page.tab.activity.navigating || page.tab.frames.main?.loaderId !== following.arrived) {
    await loaded(page);
    following.arrived = page.main().loaderId;
  }
  const before = delivered.snapshot?.loaderId === page.main().loaderId ? delivered.snapshot : undefined;
  const room = roomFor(page, [], maxTokens);
  const options = { delivered, room, watching: true };
  let { seen, now } = await takeSnapshot(page, before, options);
  const isDelta = before !== undefined && seen.kind !== "full";
  const isElsewhere = before && (before.url !== now.url || before.title !== now.title);
  if (isDelta && seen.text === "" && !isElsewhere) return undefined;
  if (isDelta && whole) ({ seen, now } = await takeSnapshot(page, undefined, options));
  const isWhole = !isDelta || whole;
  const { text } = isWhole
    ? pageText(page, seen, { maxTokens })
    : deltaText(page, before, now, seen.text, { maxTokens });
  page.tab.delivered.show(text, page.worlds, page.trees);
  const kind = isWhole ? "SNAPSHOT_KIND_FULL" : "SNAPSHOT_KIND_DELTA";
  return { page: infoOf(page, delivered), kind, elementCount: seen.elementCount, text };
}

/** The state of a watch: the watcher's deliveries and the open questions. */
interface Following {
  delivered: Delivered;
  /** The pending answers by frame: true if the frame has news. */
  asked: Map<string, Promise<boolean>>;
  /** The document that was already waited for. */
  arrived: string;
  maxTokens: number | undefined;
  /** Each update is the whole tree. */
  whole: boolean;
}

/** A stream counts its own snapshots. */
function infoOf(page: Page, { snapshot }: Delivered) {
  return { ...pageInfo(page), snapshotId: snapshot?.id ?? 0 };
}

/** Resolves when a frame or the tab may show something else, including what follows at once. */
async function news(page: Page, { delivered: { snapshot: seen }, asked }: Following): Promise<void> {
  const { tab, call } = page;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, call.signal]);
  // Frames that were not read were not delivered, so their changes are not news.
  const frames = [page.main(), ...tab.frames.children].flatMap((frame) => {
    const snapshot = seen && snapshotOf(seen, frame.id);
    return snapshot === undefined ? [] : [{ frame, snapshot }];
  });
  try {
    await page.during(
      Promise.race([
        tab.activity.changed(signal),
        tab.frames.changed(signal),
        ...frames.map(({ frame, snapshot }) => frameChanged(page, frame, snapshot, asked)),
      ]),
    );
  } finally {
    over.abort();
  }
  await page.ask(page.main(), "quiet", TOGETHER);
}

/** Asks each frame once at a time. A frame that does not answer, or goes away, has no news. */
async function frameChanged(
  page: Page,
  frame: Frame,
  snapshot: number,
  asked: Map<string, Promise<boolean>>,
): Promise<void> {
  const answer = asked.get(frame.id) ?? page.ask(frame, "changed", snapshot, LOOK_AGAIN_MS);
  asked.set(frame.id, answer);
  try {
    await answer;
  } catch (error) {
    if (!isGone(error)) throw error;
    await page.tab.frames.changed(page.call.signal);
  } finally {
    if (asked.get(frame.id) === answer) asked.delete(frame.id);
  }
}

function snapshotOf({ frames }: SnapshotRecord, id: string): number | undefined {
  const seen = frames.get(id);
  return seen && "snapshot" in seen ? seen.snapshot : undefined;
}

/** Returns true for what interrupts a reading but not the watch: a halt, or a document that goes away. */
function isInterruption(error: unknown, tab: Tab): boolean {
  return isGone(error) || (isHalt(error) && tab.isOpen);
}

function tooMany({ id }: Tab) {
  const limit = `a tab has at most ${WATCHERS_MAX} watchers, and ${id} has as many`;
  return fail("BUSY", { limit, holders: [], own: "watches" });
}

function haltUpdate(page: Page, halt: Halt, { delivered }: Following): Update {
  const text = haltLine(halt);
  return { page: infoOf(page, delivered), kind: "SNAPSHOT_KIND_UNCHANGED", elementCount: 0, text };
}

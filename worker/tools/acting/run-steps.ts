// Carries out several actions, and stops at the first surprise. One reply reports all of it.
import type { ElementInfo, StepsEnd, StepsResponse, WaitForRequest } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { takeBlocked } from "../../actions/blocked-document.ts";
import { consequences, type State, stateBefore } from "../../actions/perform.ts";
import { checkRef, isAnyLost, pinTrees, refOfTarget, type Target } from "../../actions/step-refs.ts";
import { END_WORDS, endAfter } from "../../actions/steps-end.ts";
import { timeLeftMs } from "../../core/time-left.ts";
import type { Located, Page } from "../../tab/page.ts";
import { fulfilled, wishOf } from "../reading/wait-for.ts";
import type { Reply, ToolContext } from "../tool.ts";
import type { ReadyStep, StepDone } from "./step-kinds.ts";

/** `done`: begins the reply, which says how many were carried out. */
export interface StepsAsked {
  steps: ReadyStep[];
  until?: WaitForRequest | undefined;
  done: string;
}

/** Carries out the steps in order, then waits for a condition. All of them are checked before the first is begun. */
export async function runSteps(
  context: ToolContext,
  { steps, until, done: heading }: StepsAsked,
): Promise<Reply<"Steps">> {
  const run: Run = { context, steps, until, heading, done: [] };
  checkRequests(run);
  const page = await context.page();
  const state = await stateBefore(page, context.session);
  await checkRefs(run, page);
  // The last action is watched until the reply has read the page.
  using watching = new Watching();
  const end = (await carryOutAll(run, page, state, watching)) ?? (await waitAtEnd(run, page, state));
  const reply = await consequences(page, context.session, { ...state, said: inWords(run, end) });
  return { ...reply, ...fieldsOf(run, end) };
}

/** The steps, and what has been done of them. */
interface Run {
  context: ToolContext;
  steps: ReadyStep[];
  until: WaitForRequest | undefined;
  heading: string;
  done: StepDone[];
  waited?: string;
  /** Says why there is no element of that role and name. */
  missing?: string;
}

/** Holds the watch of one action at a time. */
class Watching implements Disposable {
  #newest = new DisposableStack();

  next(): DisposableStack {
    this.#newest.dispose();
    this.#newest = new DisposableStack();
    return this.#newest;
  }

  [Symbol.dispose](): void {
    this.#newest.dispose();
  }
}

/** Notes the step that an error from now on is about. Steps count from 1; the wait at the end comes after the last. */
function beginStep({ context: { call }, steps: all, done }: Run, index: number): void {
  call.step = { at: index + 1, of: all.length, done: done.length };
}

function checkRequests(run: Run): void {
  for (const [index, step] of run.steps.entries()) {
    beginStep(run, index);
    step.check(run.context);
  }
  beginStep(run, run.steps.length);
  if (run.until) wishOf(run.until, run.context);
  delete run.context.call.step;
}

/** Throws the error of the first element that no action could be carried out on, before anything is done. */
async function checkRefs(run: Run, page: Page): Promise<void> {
  const located: Located[] = [];
  for (const [index, { targets }] of run.steps.entries()) {
    beginStep(run, index);
    // The steps before it may bring forth an element that is named. The first step has none before it.
    for (const target of targets.filter(({ label }) => !label || index === 0)) {
      const found = await refOfTarget(page, target);
      located.push((await checkRef(page, "ref" in found ? found.ref : target.text)).at);
    }
  }
  await pinTrees(page, located);
  page.located = undefined;
}

async function carryOutAll(
  run: Run,
  page: Page,
  state: State,
  watching: Watching,
): Promise<StepsEnd | undefined> {
  for (const [index, step] of run.steps.entries()) {
    beginStep(run, index);
    const refs = await refsOf(run, page, step);
    if (!refs) return "STEPS_END_ELEMENT";
    const documentBefore = page.main().loaderId;
    run.done.push(await step.run(page, run.context, watching.next(), refs));
    const blocked = takeBlocked(page.tab);
    if (blocked) throw blocked;
    const isLast = index === run.steps.length - 1;
    const end = isLast ? undefined : await surprise(run, page, { ...state, documentBefore });
    if (end) return end;
  }
  return undefined;
}

/** Returns undefined if an element is missing, and notes why. */
async function refsOf(run: Run, page: Page, { targets }: ReadyStep): Promise<string[] | undefined> {
  const refs: string[] = [];
  for (const target of targets) {
    const found = await refOfTarget(page, target);
    if ("missing" in found) {
      run.missing = found.missing;
      return undefined;
    }
    refs.push(found.ref);
  }
  return refs;
}

async function surprise(
  { context, steps: all, done }: Run,
  page: Page,
  { tabsBefore, documentBefore }: Pick<State, "tabsBefore"> & { documentBefore: string | undefined },
): Promise<StepsEnd | undefined> {
  const { tab, call } = page;
  const { located } = page;
  const left = all.slice(done.length).flatMap(({ targets }) => targets);
  const refs = left.filter(({ label }) => !label).map(({ text }) => text);
  const elementLost = !tab.halt && tab.isOpen && (await isAnyLost(page, refs));
  page.located = located;
  return endAfter({
    dialog: tab.dialog !== undefined,
    paused: tab.interrupts.pause !== undefined,
    tabOpen: tab.isOpen,
    newTab: context.session.tabs.open.some((each) => !tabsBefore.has(each)),
    newDocument: tab.activity.navigating || tab.frames.main?.loaderId !== documentBefore,
    mayNavigate: all[done.length - 1]?.mayNavigate === true,
    elementLost,
    leftMs: timeLeftMs(call, "settling"),
  });
}

/** Waits for the condition, unless the page to wait on is no longer the one that the steps were carried out on. */
async function waitAtEnd(run: Run, page: Page, { tabsBefore }: State): Promise<StepsEnd | undefined> {
  const { context, until } = run;
  const { tab } = page;
  if (!until) return undefined;
  if (tab.dialog) return "STEPS_END_DIALOG";
  if (tab.halt) return "STEPS_END_PAUSED";
  if (!tab.isOpen) return "STEPS_END_TAB_CLOSED";
  if (context.session.tabs.open.some((each) => !tabsBefore.has(each))) return "STEPS_END_NEW_TAB";
  beginStep(run, run.steps.length);
  run.waited = (await fulfilled(wishOf(until, context), page)).said;
  return undefined;
}

function inWords(
  { steps: all, done, until, waited, missing, heading }: Run,
  end: StepsEnd | undefined,
): string {
  const left = leftInWords(all, done.length);
  if (until && waited === undefined) left.push("until");
  return [
    `${heading}: ${done.length} of ${all.length}`,
    ...done.map((each, index) => `${index + 1}. ${doneInWords(each, all[index]?.targets ?? [])}`),
    ...(waited === undefined ? [] : [waited]),
    ...(end ? [`Stopped: ${missing ?? END_WORDS[end]}. Not done: ${left.join(", ")}`] : []),
  ].join("\n");
}

/** The caller knows what its refs stand for, so only an element that it named is described. */
function doneInWords({ said, element }: StepDone, [target, ...others]: readonly Target[]): string {
  if (!element || !target || target.label || others.length > 0) return said;
  const { ref, role, name, tag } = element as ElementInfo;
  return said.replace(`${ref} ${named({ role, name, tag })}`, () => ref);
}

/** The caller knows its steps, so only the next one is written out. */
function leftInWords(all: readonly ReadyStep[], done: number): string[] {
  const [next, ...others] = all.slice(done);
  if (!next) return [];
  const from = done + 2;
  const rest =
    others.length > 1 ? `${from} to ${all.length}` : others.map(({ words }) => `${from}. ${words}`);
  return [`${done + 1}. ${next.words}`, ...[rest].flat()];
}

function fieldsOf({ done }: Run, end: StepsEnd = "STEPS_END_DONE"): Omit<StepsResponse, "text" | "page"> {
  const element = done.findLast((each) => each.element)?.element ?? null;
  return { element: element as StepsResponse["element"], done: done.length, end };
}

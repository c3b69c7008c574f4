// Gathers a step's elements with their locators. Most come with the answer that makes an element ready for its action.
// Others are asked for, before the action too.
import type { Tool } from "../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { ActedOn } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import type { StepNotes } from "../core/step-notes.ts";
import { parseRef } from "../refs/ref-text.ts";
import type { Frame } from "../tab/frames/frame.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import { framesAround, inBackground, locatorsOf } from "./locate.ts";
import type { RecordedStep, RecordedTarget } from "./recorded-step.ts";

/** A step that is about to be carried out. */
export interface StepBegun {
  tool: Tool;
  /** The arguments of its call, as JSON. */
  args: JsonObject;
  tab: Tab | undefined;
  call: Call;
  /** The tabs of the session. */
  tabs: {
    readonly open: readonly Tab[];
    readonly currentId: string | undefined;
    /** The address of a tab, open or yet to be restored. */
    addressOf(id: string | undefined): string | undefined;
  };
}

const LOCATORS_MAX = 2;
/** The arguments that name elements. */
const REFS = ["ref", "from", "to"];
/** Actions of these tools meet their elements. */
const MEETING: ReadonlySet<string> = new Set(
  "browser_click browser_hover browser_drag browser_type browser_select_option browser_fill_form".split(" "),
);

export interface StepElements {
  /** The step's action notes the facts of its elements. */
  areMet: boolean;
  /** Adds the elements to the step. Returns a promise if answers are under way. */
  complete(step: RecordedStep, notes: StepNotes, did: StepDid): Promise<void> | undefined;
}

/** `shown`: the step's tab, which the call itself may have opened. `acted`: the ref of the element that it acted on. */
interface StepDid {
  shown: Tab | undefined;
  acted: string | undefined;
}

interface NamedElement {
  name: string;
  ref: string;
  asked?: Promise<RecordedTarget | undefined> | undefined;
  frames?: Promise<string[] | undefined> | undefined;
}

/** Asks now for what the action does not note. */
export function stepElements({ tool, args, tab, call }: StepBegun): StepElements {
  const page = pageOf(tab, call);
  const areMet = MEETING.has(tool.name);
  const named = REFS.flatMap((name): NamedElement[] => {
    const ref = parseRef(typeof args[name] === "string" ? args[name] : "");
    const frame = ref && page?.tab.frames.numbered(ref.frame);
    // A frame that is not ready would answer when the action is over.
    if (!page || !ref || !frame || frame === "gone" || !frame.world) return [];
    const asked = areMet ? undefined : target(page, frame, ref.whole);
    const frames = frame.parent && areMet ? quietly(framesAround(page, frame)) : undefined;
    return [{ name, ref: ref.whole, asked, frames }];
  });
  return {
    areMet,
    complete(step, { on }, { shown, acted }) {
      const all: NamedElement[] =
        named.length === 0 && acted && on.has(acted) ? [{ name: "ref", ref: acted }] : named;
      // The call may have opened the tab again, with a field that has the focus.
      const now = page ?? pageOf(shown, call);
      const late: Promise<void>[] = [];
      for (const { name, ref, asked, frames } of all) {
        const met = on.get(ref);
        if (met && parseRef(ref)?.frame === 0) step.targets[name] = targetOf(met, []);
        else if (met && now) late.push(addFramed(step, name, met, frames ?? around(now, ref)));
        else if (asked) late.push(addAsked(step, name, asked));
      }
      return late.length > 0 ? Promise.all(late).then(() => undefined) : undefined;
    },
  };
}

function pageOf(tab: Tab | undefined, call: Call): Page | undefined {
  return tab && new Page(tab, inBackground(call));
}

async function addAsked(
  step: RecordedStep,
  name: string,
  asked: Promise<RecordedTarget | undefined>,
): Promise<void> {
  const found = await asked;
  if (found) step.targets[name] = found;
}

async function addFramed(
  step: RecordedStep,
  name: string,
  met: ActedOn,
  frames: Promise<string[] | undefined>,
): Promise<void> {
  const found = await frames;
  step.targets[name] = found ? targetOf(met, found) : { ...targetOf(met, []), locators: [] };
}

function targetOf({ element, locators, labelled }: ActedOn, frames: string[]): RecordedTarget {
  const { role, name, tag } = element;
  return { role, name, tag, frames, locators, labelled };
}

async function around(page: Page, text: string): Promise<string[] | undefined> {
  const ref = parseRef(text);
  const frame = ref && page.tab.frames.numbered(ref.frame);
  return frame && frame !== "gone" ? await quietly(framesAround(page, frame)) : undefined;
}

async function target(page: Page, frame: Frame, ref: string): Promise<RecordedTarget | undefined> {
  const found = await quietly(locatorsOf(page, { frame, ref }, { most: LOCATORS_MAX }));
  return found?.state === "found" ? targetOf(found, found.frames) : undefined;
}

/** A step is recorded without what its page does not answer. The export says so. */
async function quietly<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}

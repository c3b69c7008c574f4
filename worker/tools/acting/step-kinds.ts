// The kinds of steps. Each is an action of a tool, so it passes the same guards as a call of that tool alone.
import { argumentsOf } from "../../../proto/calls/arguments.ts";
import type { BrowserMethods, DragRequest, ElementInfo, Input, Step } from "../../../proto/gen/troupe.ts";
import { type Tool, toolOfRpc } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { carryOut } from "../../actions/perform.ts";
import { react } from "../../actions/settle.ts";
import { type Target, targetOf } from "../../actions/step-refs.ts";
import { recordStep } from "../../recording/begin-step.ts";
import type { Page } from "../../tab/page.ts";
import { fulfilled, wishOf } from "../reading/wait-for.ts";
import type { ToolContext } from "../tool.ts";
import type { Action } from "./acting.ts";
import { clicking } from "./click.ts";
import { dragging } from "./drag.ts";
import { hovering } from "./hover.ts";
import { pressing } from "./press-key.ts";
import { scrolling } from "./scroll.ts";
import { selecting } from "./select-option.ts";
import { typing } from "./type.ts";

/** A step in words, and its element. */
export interface StepDone {
  said: string;
  element?: Input<ElementInfo> | null;
}

/** A step that is ready to be carried out. */
export interface ReadyStep {
  /** For example `click e7`. It repeats nothing that is typed. */
  words: string;
  /** The elements that it acts on, by ref, or by role and name. */
  targets: readonly Target[];
  mayNavigate: boolean;
  /** Refuses a step that is wrong on every page. */
  check(context: ToolContext): void;
  /**
   * Carries it out until it has settled. Whatever it disposes of lasts until the next step or the reply. `refs`: the
   * elements that its targets name now.
   */
  run(page: Page, context: ToolContext, until: DisposableStack, refs: readonly string[]): Promise<StepDone>;
}

export function readyStep(step: Step): ReadyStep {
  const {
    click,
    type,
    selectOption,
    pressKey,
    scroll,
    waitFor,
    hover,
    drag,
    expectNavigation: mayNavigate = false,
  } = step;
  if (click) return { ...actionStep("click", clicking, click), mayNavigate };
  if (type) return { ...actionStep("type", typing, type), mayNavigate };
  if (selectOption) return { ...actionStep("selectOption", selecting, selectOption), mayNavigate };
  if (pressKey) return { ...actionStep("pressKey", pressing, pressKey), mayNavigate };
  if (scroll) return { ...actionStep("scroll", scrolling, scroll), mayNavigate };
  if (hover) return { ...actionStep("hover", hovering, hover), mayNavigate };
  if (drag) return { ...dragStep(drag), mayNavigate };
  if (waitFor) return { ...waitStep(waitFor), mayNavigate };
  throw new Error("the step has no action");
}

type ActionRpc = "Click" | "Type" | "SelectOption" | "PressKey" | "Scroll" | "Hover";

function actionStep<M extends ActionRpc>(
  word: string,
  action: Action<M>,
  request: BrowserMethods[M]["request"],
): Omit<ReadyStep, "mayNavigate"> {
  const { ref: text }: BrowserMethods[ActionRpc]["request"] & { ref?: string } = request;
  return {
    words: inWords(word, text),
    targets: text ? [targetOf(text)] : [],
    check: (context) => action.check?.(request, context),
    run: (page, context, until, [ref]) => {
      const now = ref === undefined ? request : { ...request, ref };
      return recorded(word, now, page, context, () => acted(action, now, page, until));
    },
  };
}

function dragStep(request: DragRequest): Omit<ReadyStep, "mayNavigate"> {
  return {
    words: inWords("drag", request.from),
    targets: [targetOf(request.from), targetOf(request.to)],
    check: (context) => dragging.check?.(request, context),
    run: (page, context, until, [from = "", to = ""]) => {
      const now = { ...request, from, to };
      return recorded("drag", now, page, context, () => acted(dragging, now, page, until));
    },
  };
}

async function acted<M extends ActionRpc | "Drag">(
  action: Action<M>,
  request: BrowserMethods[M]["request"],
  page: Page,
  until: DisposableStack,
): Promise<StepDone> {
  const reaction = until.use(react(page));
  const { said, fields } = await carryOut(page, reaction, (send) => action.act(request, { page, send }));
  return { said, ...(fields as Pick<StepDone, "element">) };
}

/** The wait decides itself what becomes of its element. */
function waitStep(request: NonNullable<Step["waitFor"]>): Omit<ReadyStep, "mayNavigate"> {
  return {
    words: inWords("waitFor", request.ref),
    targets: [],
    check: (context) => void wishOf(request, context),
    run: (page, context) =>
      recorded("waitFor", request, page, context, () => fulfilled(wishOf(request, context), page)),
  };
}

/** Records the step as a call of its tool alone would be. */
async function recorded(
  word: string,
  request: object,
  page: Page,
  context: ToolContext,
  work: () => Promise<StepDone>,
): Promise<StepDone> {
  const tool = toolOfRpc(word.charAt(0).toUpperCase() + word.slice(1));
  return tool ? await recordedAs(tool, argumentsOf(tool, { ...request }), page, context, work) : await work();
}

/** Records a part of a call, in the JSON arguments of a tool. */
export async function recordedAs<R extends StepDone>(
  tool: Tool,
  args: JsonObject,
  page: Page,
  { session }: ToolContext,
  work: () => Promise<R>,
): Promise<R> {
  const begun = { tool, args, tab: page.tab, call: page.call, tabs: session.tabs };
  return await recordStep(session.recording, begun, work);
}

function inWords(word: string, ref: string | undefined): string {
  return ref ? `${word} ${ref}` : word;
}

// Records a step: the facts of its elements from before the action, and its outcome. No reply waits for any of it.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import { publicUrl } from "../../proto/text/environment.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { ExpectedText } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import type { StepNotes } from "../core/step-notes.ts";
import { parseRef } from "../refs/ref-text.ts";
import type { Tab } from "../tab/tab.ts";
import { appearedIn } from "./appeared.ts";
import { ExpectedTexts } from "./expected-texts.ts";
import type { RecordedOutcome, RecordedStep } from "./recorded-step.ts";
import type { Recording } from "./recording.ts";
import { isCharacter, keptArguments } from "./step-arguments.ts";
import { type StepBegun, type StepElements, stepElements } from "./step-elements.ts";

/** The reply's facts that an export needs. */
export interface StepReply {
  text?: string | undefined;
  element?: { ref?: string | null } | null | undefined;
  chosen?: readonly string[] | undefined;
  moved?: number | undefined;
  requestedUrl?: string | undefined;
  /** The tool that does the same to this element; "" if nothing was done. */
  by?: string | undefined;
}

/** Carries out a step and records it. */
export async function recordStep<R extends StepReply>(
  recording: Recording,
  begun: StepBegun,
  work: () => Promise<R>,
): Promise<R> {
  const taking = new Taking(recording, begun);
  try {
    const reply = await work();
    taking.succeeded(reply);
    return reply;
  } catch (error) {
    taking.failed(error);
    throw error;
  } finally {
    delete begun.call.notes;
  }
}

/** Takes down a step from its beginning on. */
class Taking {
  readonly #recording: Recording;
  readonly #begun: StepBegun;
  readonly #notes: StepNotes;
  readonly #elements: StepElements;
  readonly #expected: ExpectedTexts | undefined;
  readonly #before;
  #focusIsSecret: boolean | undefined;
  #isHidden = false;

  constructor(recording: Recording, begun: StepBegun) {
    const { tool, tab, tabs, call } = begun;
    this.#recording = recording;
    this.#begun = begun;
    this.#before = {
      url: tab?.url ?? tabs.addressOf(call.tab || undefined) ?? "",
      loaderId: tab?.frames.main?.loaderId,
      id: (call.tab || tabs.currentId)?.trim().toLowerCase(),
      tabs: new Set(tabs.open),
      hasDialog: tab?.dialog !== undefined,
    };
    this.#expected = recording.expected;
    const texts = this.#expected?.texts ?? [];
    const { world } = this.#expected ?? {};
    this.#notes = {
      on: new Map(),
      expected: world && texts.length > 0 ? { world, texts } : undefined,
      met: ({ secret }) => secret && this.#hideTyped(),
      focusIs: (isSecret) => {
        this.#focusIsSecret = isSecret;
        if (isSecret) this.#hideTyped();
        else recording.typedCharacters.end();
      },
      kept: () => recording.secretsKept(),
    };
    call.notes = this.#notes;
    if (!TYPING.has(tool.name)) recording.typedCharacters.moved();
    // A pasted text may be a secret, and no export says it.
    if (typeof begun.args.clipboard === "string") recording.hide(begun.args.clipboard);
    this.#elements = stepElements(begun);
    // The question before the action carries the texts with it. Without one, they are asked for by themselves.
    const isAsked = this.#elements.areMet && isInMain(begun.args) && world === tab?.frames.main?.world;
    if (!isAsked && tool.name !== "browser_handle_dialog") void this.#expected?.checkAgain();
  }

  succeeded(reply: StepReply): void {
    const { repeatable, expected } = this.#notes;
    if (repeatable && expected) this.#expected?.answered(expected.texts, repeatable);
    if (reply.by !== "") this.#add(reply);
  }

  failed(error: unknown): void {
    const { tab } = this.#begun;
    if (tab?.dialog && !this.#before.hasDialog) this.#add({});
    else if (isTroupeError(error) && MAY_HAVE_ACTED.has(error.type)) this.#add({}, error.type);
  }

  #add(reply: StepReply, failed?: string): void {
    const { tab, tabs, tool, args, call } = this.#begun;
    // A call may have opened the tab that it acts on, anew or again.
    const id = tab?.id ?? this.#before.id ?? tabs.currentId;
    const shown = tab ?? tabs.open.find((each) => each.id === id);
    const name = reply.by ?? tool.name;
    const kept = keptArguments({ tool, name }, args, reply.requestedUrl);
    const step: RecordedStep = {
      tool: name,
      tab: id ?? "",
      urlBefore: publicUrl(this.#before.url).url,
      ...kept,
      targets: {},
      ...(reply.chosen?.length && { chosen: reply.chosen.map((each) => each.slice(0, LABEL_LENGTH_MAX)) }),
      ...(reply.moved !== undefined && { moved: reply.moved }),
      ...(failed !== undefined && { failed }),
      outcome: { url: "", moved: false, shown: [] },
    };
    if (shown) note(step.outcome, shown, this.#before);
    const opened = tabs.open.find((each) => each !== shown && this.#isOpened(each, shown));
    if (opened) step.outcome.opened = opened.id;
    this.#keepSecret(step, reply);
    const acted = reply.element?.ref ?? undefined;
    const completed = this.#elements.complete(step, this.#notes, { shown, acted });
    this.#recording.add(step, completed);
    if (shown && reply.text) tell(this.#recording, step, reply.text, shown, call);
  }

  /** Returns true if the step opened the tab. Tabs that are restored meanwhile have no opener. */
  #isOpened(tab: Tab, shown: Tab | undefined): boolean {
    const { tool, args, tabs } = this.#begun;
    if (this.#before.tabs.has(tab)) return false;
    if (tool.name === "browser_tabs") return args.action === "new" && tab.id === tabs.currentId;
    return shown !== undefined && tab.openerId === shown.targetId;
  }

  /** Notes the text before the page has it: the worker may die in the action. */
  #hideTyped(): void {
    if (this.#isHidden) return;
    this.#isHidden = true;
    for (const [name, value] of typedIn(this.#begun.args)) this.#recording.hideTyped(name, value);
  }

  /** Takes out what was typed if it is a secret. */
  #keepSecret(step: RecordedStep, { element }: StepReply): void {
    const { on } = this.#notes;
    const { tool, args } = this.#begun;
    const met = [...on.values()];
    // A field that was not asked may be a secret's.
    const isUnknown = step.tool === "browser_type" && met.length === 0 && args.text !== "";
    const secret =
      isUnknown || (this.#focusIsSecret ?? (tool.name === "browser_press_key" && element === undefined));
    if (!secret && !met.some((each) => each.secret)) return;
    this.#hideTyped();
    for (const [name] of typedIn(step.args)) {
      delete step.args[name];
      step.hidden[name] = "secret";
    }
  }
}

/** Notes the texts that the reply of the last step says appeared. */
export function tell(recording: Recording, step: RecordedStep, text: string, tab: Tab, call: Call): void {
  if (/^Download: "/m.test(text)) step.outcome.download = true;
  const texts = appearedIn(text);
  const stays = (shown: ExpectedText[]) => recording.stays(step, shown);
  if (texts.length > 0) recording.expects(new ExpectedTexts({ stays, tab, call, texts }));
}

const MESSAGE_LENGTH_MAX = 300;
const LABEL_LENGTH_MAX = 1_000;

/** The arguments that are secret if their element is. */
const TYPED: ReadonlySet<string> = new Set(["text", "key"]);
/** The tools that type, and one that only waits. */
const TYPING: ReadonlySet<string> = new Set(["browser_type", "browser_press_key", "browser_wait_for"]);
/** The name of a secret that the model does not see. */
const PLACEHOLDER = /^\{\{[\w.-]+\}\}$/;

/** Returns the texts that would be secrets in a field for secrets. */
function typedIn(args: JsonObject): [name: string, value: string][] {
  return Object.entries(args).flatMap(([name, value]): [string, string][] => {
    if (!TYPED.has(name) || typeof value !== "string" || PLACEHOLDER.test(value)) return [];
    return name === "key" && !isCharacter(value) ? [] : [[name, value]];
  });
}

/** These errors come from actions that were sent. */
const MAY_HAVE_ACTED: ReadonlySet<string> = new Set(
  "TIMEOUT PAGE_CRASHED BROWSER_CRASHED PAGE_UNRESPONSIVE NAVIGATION_BLOCKED NAVIGATION_FAILED CANCELLED".split(
    " ",
  ),
);

function isInMain({ ref, from }: JsonObject): boolean {
  const named = ref ?? from;
  return named === undefined || (typeof named === "string" && parseRef(named)?.frame === 0);
}

function note(
  outcome: RecordedOutcome,
  tab: Tab,
  before: { url: string; loaderId: string | undefined },
): void {
  outcome.url = publicUrl(tab.url).url;
  const isAnew = before.loaderId !== undefined && tab.frames.main?.loaderId !== before.loaderId;
  outcome.moved = tab.url !== before.url || isAnew;
  const { dialog } = tab;
  if (dialog) outcome.dialog = { type: dialog.type, message: dialog.text.slice(0, MESSAGE_LENGTH_MAX) };
  if (!tab.isOpen) outcome.closed = true;
}

// Lets a person work in a session: shows its current tab, and passes the person's input on to it.
import { fail } from "../../proto/errors/catalogue.ts";
import type {
  Input,
  PersonFrame,
  WorkerTakeOverRequest,
  WorkerTakeOverResponse,
} from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import { focusedByPerson } from "../actions/element.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone, unlessGone } from "../core/gone.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { Session } from "../session/session.ts";
import type { PersonsTurn } from "../session/turn.ts";
import { isHalt } from "../tab/interrupts.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import { PersonInput } from "./person-input.ts";
import { Screencast, type ViewSize } from "./screencast.ts";
import { type FocusedField, TypedSecrets } from "./typed-secrets.ts";

/** An agent's call that is under way may go on for so long once the person has come. */
const GRACE_MS = 5_000;
/** An agent's call waits so long for the session. */
const CALL_WAIT_MS = 3_000;
const RETRY_AFTER_MS = 5_000;
/** A page that is slower to say what has the focus counts as if it was a field for a secret. */
const LOOK_MS_MAX = 500;
const HISTORY_MS_MAX = 2_000;
/** A look at a page that hangs holds up the inputs behind it. Beyond so many, further ones are dropped. */
const WAITING_MAX = 1_000;
/** A page that hangs does not keep the session from its agent. */
const SETTLE_MS_MAX = 5_000;
const VIEW_DEFAULT: ViewSize = { width: 1_280, height: 800 };

export interface TakeOverParts {
  role: string;
  session: Session;
  /** Keeps secrets out of the worker's log and events. */
  redactor: Redactor;
  /** How long it may last. */
  timeMs: number;
  send(output: Input<WorkerTakeOverResponse>): void;
}

/** A tab that is shown. */
interface Shown {
  tab: Tab;
  cast: Screencast;
  hands: PersonInput;
  secrets: TypedSecrets;
  hide(): void;
}

/** A person's turn in a session. {@link TakeOver.run} begins it, {@link TakeOver.end} ends it. */
export class TakeOver {
  readonly #parts: TakeOverParts;
  readonly #over = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #view = VIEW_DEFAULT;
  #shown: Shown | undefined;
  #lastFrame = 0;
  #isReady = false;
  #isLeaving = false;
  /** Inputs are handled one after the other. */
  #handling: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failed: unknown;

  constructor(parts: TakeOverParts) {
    this.#parts = parts;
  }

  /** Resolves when the session is handed back, which it is in time, even if the daemon does not say so. */
  async run(): Promise<void> {
    const { session, timeMs } = this.#parts;
    const { signal } = this.#over;
    this.#sendState();
    const over = session.context.kept.begin();
    const timeout = setTimeout(() => this.end(), timeMs);
    try {
      await within({ signal }, session.rest.use(signal));
      await session.turns.takeOver(this.#turn(), signal, () => this.#work());
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearTimeout(timeout);
      this.#over.abort(new Error("the take-over is over"));
      over();
      session.changed();
    }
    if (this.#failed !== undefined) throw this.#failed;
  }

  /** Ends the person's turn. */
  end(): void {
    this.#isLeaving = true;
    this.#ended.resolve();
    if (!this.#isReady) this.#over.abort(new Error("the person has left"));
  }

  /** Takes an input. Before the turn has come, only the size of the view counts. */
  take(input: WorkerTakeOverRequest): void {
    if (input.view) this.#sized(input.view);
    if (input.shown) this.#shown?.cast.shown(input.shown.number);
    if (!this.#isReady || this.#waiting >= WAITING_MAX) return;
    this.#waiting++;
    this.#handling = this.#handling
      .then(() => this.#handle(input))
      .catch((error: unknown) => this.#broke(error))
      .finally(() => this.#waiting--);
  }

  #turn(): PersonsTurn {
    const { role, timeMs } = this.#parts;
    const endsAtMs = performance.now() + timeMs;
    return {
      graceMs: GRACE_MS,
      waitMs: CALL_WAIT_MS,
      isLeaving: () => this.#isLeaving,
      refusal: (effect) =>
        fail("PERSON_AT_WORK", {
          role,
          effect,
          retryAfterMs: RETRY_AFTER_MS,
          endsInMs: Math.max(0, Math.round(endsAtMs - performance.now())),
        }),
    };
  }

  #hide(secret: string): void {
    const { session, redactor } = this.#parts;
    session.typedSecrets.add("person", secret);
    for (const each of [session.redactor, redactor]) each.watchFor(secret);
  }

  async #work(): Promise<void> {
    const { session } = this.#parts;
    await session.currentTab();
    // A person who has left meanwhile is shown nothing.
    this.#over.signal.throwIfAborted();
    const followed = () => this.#follow();
    session.followers.add(followed);
    session.visitedByPerson = true;
    try {
      this.#isReady = true;
      this.#follow();
      await this.#ended.promise;
      await within({ timeMs: SETTLE_MS_MAX }, this.#settle());
    } finally {
      this.#isReady = false;
      session.followers.delete(followed);
      this.#shown?.secrets.gone();
      this.#shown?.hide();
      this.#shown = undefined;
    }
  }

  /** The page has had all input, and its secrets are known, before the agent reads it again. */
  async #settle(): Promise<void> {
    await this.#handling;
    await this.#shown?.secrets.end();
    this.#shown?.hands.touches.letGo();
    await this.#shown?.hands.answered();
  }

  /** Nothing waits for this answer of Chrome. An error in it ends the turn, and not the worker. */
  #unawaited(answer: Promise<unknown>): void {
    unlessGone(answer).catch((error: unknown) => this.#broke(error));
  }

  #broke(error: unknown): void {
    if (isGone(error) || isHalt(error) || error instanceof FrameTimeout) return;
    this.#failed ??= error;
    this.end();
  }

  #sized({ width, height }: ViewSize): void {
    this.#view = { width, height };
    this.#sendState();
    this.#shown?.cast.begin(this.#view);
  }

  /** Shows the current tab, which the person or a page may have changed. */
  #follow(): void {
    if (!this.#isReady) return;
    const current = this.#parts.session.tabs.get();
    if (current !== this.#shown?.tab) {
      this.#shown?.secrets.gone();
      this.#shown?.hide();
      this.#shown = current && this.#show(current);
    }
    this.#sendState();
  }

  #show(tab: Tab): Shown {
    const { client } = tab;
    const send = (frame: Input<PersonFrame>) => {
      this.#lastFrame = frame.number ?? 0;
      this.#parts.send({ frame });
    };
    const failed = (error: unknown) => this.#broke(error);
    const cast = new Screencast(client, { send, failed }).numberedFrom(this.#lastFrame);
    // Chrome may answer a look before the click that moves the focus.
    const look = async (): Promise<FocusedField | undefined> => {
      await hands.answered();
      return await this.#lookAt(tab);
    };
    const { typedSecrets } = this.#parts.session;
    const hiding = {
      watchFor: (secret: string) => this.#hide(secret),
      typing: (text: string) => typedSecrets.typing("person", text),
      kept: () => typedSecrets.kept(),
    };
    const secrets = new TypedSecrets(hiding, look);
    const hands: PersonInput = new PersonInput(client, secrets);
    const state = () => this.#sendState();
    // A page that is left takes its fields along.
    const left = ({ frame }: { frame: { parentId?: string } }) => {
      if (frame.parentId === undefined) secrets.gone();
    };
    // The title may change without an event, so it is read when the tab is left, too.
    const title = () => this.#unawaited(tab.readTitle());
    const events = [
      ["Page.javascriptDialogOpening", state],
      ["Page.javascriptDialogClosed", state],
      ["Page.domContentEventFired", title],
      ["Page.loadEventFired", title],
    ] as const;
    for (const [event, listener] of events) client.on(event, listener);
    client.on("Page.frameNavigated", left);
    this.#unawaited(client.send("Page.bringToFront"));
    cast.begin(this.#view);
    title();
    const hide = () => {
      for (const [event, listener] of events) client.off(event, listener);
      client.off("Page.frameNavigated", left);
      hands.touches.letGo();
      cast[Symbol.dispose]();
      title();
    };
    return { tab, cast, hands, secrets, hide };
  }

  async #handle(input: WorkerTakeOverRequest): Promise<void> {
    const shown = this.#shown;
    if (input.tab) return await this.#choose(input.tab.id);
    if (!shown?.tab.isOpen) return;
    if (input.dialog) return await this.#answer(shown.tab, input.dialog);
    if (input.move) return await this.#move(shown, input.move.where);
    await shown.hands.pass(input);
  }

  async #choose(id: string): Promise<void> {
    const { session } = this.#parts;
    await this.#shown?.secrets.end();
    const tab = session.tabs.get(id);
    if (!tab) return;
    session.tabs.select(tab.id);
    session.changed();
  }

  async #answer(tab: Tab, { accept, text }: { accept: boolean; text: string }): Promise<void> {
    const { dialog } = tab;
    const owner = this.#parts.session.tabs.get(dialog?.tab);
    if (!dialog || !owner) return;
    if (dialog.type === "beforeunload" && !accept) owner.navigation.failed();
    const promptText = dialog.type === "prompt" && accept ? text : undefined;
    await unlessNoDialog(owner.client.send("Page.handleJavaScriptDialog", { accept, promptText }));
  }

  async #move({ tab, secrets }: Shown, where: string): Promise<void> {
    await secrets.end();
    const { client } = tab;
    if (where === "reload") {
      this.#unawaited(client.send("Page.reload"));
      return;
    }
    const { currentIndex, entries } = await withinTime(
      () => client.send("Page.getNavigationHistory"),
      HISTORY_MS_MAX,
    );
    const entry = entries[currentIndex + (where === "back" ? -1 : 1)];
    // A page that asks before it is left answers only after its dialog.
    if (entry) this.#unawaited(client.send("Page.navigateToHistoryEntry", { entryId: entry.id }));
  }

  async #lookAt(tab: Tab) {
    if (tab.halt) return undefined;
    const page = new Page(tab, this.#call());
    try {
      const focused = await withinTime(() => focusedByPerson(page), LOOK_MS_MAX);
      return focused ?? { isSecret: false, value: "" };
    } catch (error) {
      if (isGone(error) || isHalt(error) || error instanceof FrameTimeout) return undefined;
      throw error;
    }
  }

  /** A person's view of a page is a call without a tool. */
  #call(): Call {
    const { role, session } = this.#parts;
    return {
      tool: "",
      arguments: {},
      profile: "core",
      role,
      session: "",
      tab: "",
      sessionKey: session.key,
      requestId: "",
      signal: this.#over.signal,
      deadline: performance.now() + LOOK_MS_MAX,
      waitsFor: "the person",
    };
  }

  #sendState(): void {
    const { session, send } = this.#parts;
    const current = session.tabs.get();
    const dialog = current?.dialog;
    send({
      state: {
        isReady: this.#isReady,
        tabs: session.tabs.open.map((tab) => ({
          id: tab.id,
          title: tab.title,
          url: withoutUserinfo(tab.url),
          current: tab === current,
        })),
        dialog: dialog && { type: dialog.type, text: dialog.text },
      },
    });
  }
}

/** The page may have closed its dialog itself. */
async function unlessNoDialog(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!isGone(error) && !(error instanceof Error && /No dialog is showing/.test(error.message)))
      throw error;
  }
}

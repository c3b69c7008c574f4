// A tab as one call sees it: every question to the page ends with the call, a dialog, a crash or the tab's end.

import type { CDPSession } from "puppeteer-core";
import { type Candidate, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Remembered } from "../../proto/errors/remembered.ts";
import type { Bridge, ToldIn } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../core/frame-time.ts";
import { DocumentGone, isGone } from "../core/gone.ts";
import type { DeliveredTree, Tells } from "../refs/delivered.ts";
import { labelsIn } from "../refs/label-text.ts";
import { type ParsedRef, parseRef } from "../refs/ref-text.ts";
import type { Frame, World } from "./frames.ts";
import type { GuardOptions, Tab } from "./tab.ts";

/** A frame and a ref as its own bridge knows it. */
export interface Located {
  frame: Frame;
  local: string;
  /** As the session writes it. */
  ref: string;
  /** The trees of its frame in which the session was last told of it. */
  told?: ToldIn | undefined;
}

type Method = Exclude<keyof Bridge, "refOf" | "seen">;
type Answer<M extends Method> = Awaited<ReturnType<Bridge[M]>>;

/** One call's view of a tab. */
export class Page {
  readonly tab: Tab;
  readonly call: Call;
  /** By frame number: the world that answered this call. Refs in its reply are of these documents, whatever the frames show by then. */
  readonly worlds = new Map<number, string>();
  /** Likewise: the number of the tree that its answer was read from. */
  readonly trees = new Map<number, DeliveredTree>();
  /** What the call's reply tells of the refs in it. */
  tells: Tells = "rows";
  /** The ref that the call was about. */
  located: ParsedRef | undefined;

  constructor(tab: Tab, call: Call) {
    this.tab = tab;
    this.call = call;
  }

  /** Throws what would end a wait at once: an aborted call, a closed tab, a dialog. Asked before anything is sent. */
  check(): void {
    this.call.signal.throwIfAborted();
    this.tab.check();
  }

  /** Waits for what Chrome does, no longer than call and tab last. */
  async during<T>(promise: Promise<T>, options?: GuardOptions): Promise<T> {
    return await this.tab.guard(promise, this.call.signal, options);
  }

  /** The main frame, as soon as Chrome has told of it. */
  main(): Frame {
    const { main } = this.tab.frames;
    if (!main) throw new DocumentGone("the tab has no document yet");
    return main;
  }

  /** Where a document has gone, another one comes, or the tab's end, which Chrome tells of somewhat later than of its frame's. */
  async nextDocument(): Promise<void> {
    const { client, frames } = this.tab;
    const isOver = client.detached || (frames.main && !frames.has(frames.main));
    if (isOver) await this.during(this.tab.whenClosed());
  }

  /** Asks a frame's bridge. Rejects with DocumentGone, or with what ends the wait. */
  async ask<M extends Method>(frame: Frame, method: M, ...args: Parameters<Bridge[M]>): Promise<Answer<M>> {
    return await this.during(this.#ask(frame, method, args, true));
  }

  /** Asks in passing: the reply tells nothing of the answer, so what the frame has answered for it stays as it was. */
  async askInPassing<M extends Method>(
    frame: Frame,
    method: M,
    ...args: Parameters<Bridge[M]>
  ): Promise<Answer<M>> {
    return await this.during(this.#ask(frame, method, args, false));
  }

  /**
   * Has a frame's bridge take something back, whatever has become of the call. Not waited for, as a dialog may hold it
   * up; what is asked later comes after it. A failure is recorded; a document that is gone has nothing to take back.
   */
  takeBack<M extends Method>(frame: Frame, method: M, ...args: Parameters<Bridge[M]>): void {
    if (!frame.world) return;
    this.#send(frame, frame.world, method, args, true).catch(
      (error: Error) => isGone(error) || this.tab.failures.cleanup(method, error),
    );
  }

  /**
   * Does what needs objects of a page by reference, all asked for under the name of a group: until that is released,
   * Chrome holds them, and the page cannot be rid of them. Not waited for; a page that is gone holds nothing.
   */
  async holding<T>(client: CDPSession, work: (objectGroup: string) => Promise<T>): Promise<T> {
    const objectGroup = crypto.randomUUID();
    try {
      return await work(objectGroup);
    } finally {
      client
        .send("Runtime.releaseObjectGroup", { objectGroup })
        .catch((error: Error) => isGone(error) || this.tab.failures.cleanup("releaseObjectGroup", error));
    }
  }

  /**
   * The frame and local ref that a session's ref names. Throws UNKNOWN_REF where it was not told from the document that
   * is shown, and FRAME_DETACHED where its frame is gone.
   */
  async locate(text: string): Promise<Located> {
    const parsed = parseRef(text);
    if (!parsed)
      throw fail("UNKNOWN_REF", {
        ref: text.slice(0, 100),
        cause: "malformed",
        ...(await this.#called(text)),
      });
    const frame = this.tab.frames.numbered(parsed.frame);
    if (frame === "gone") throw await this.#detached(parsed);
    const world = frame && (await this.during(this.tab.frames.worldOf(frame, this.call.signal)));
    const known = this.tab.told.knows(parsed, world?.uniqueId);
    if (known === "earlier-page") {
      const meant = await this.#meant(parsed);
      throw fail("UNKNOWN_REF", { ref: parsed.whole, cause: known, ...meant });
    }
    if (known !== "known") throw fail("UNKNOWN_REF", { ref: parsed.whole, cause: known });
    if (!frame) throw await this.#detached(parsed);
    this.located = parsed;
    // It has been shown the page as it is now.
    this.tab.lost = [];
    return { frame, local: parsed.local, ref: parsed.whole, told: this.tab.told.toldIn(parsed) };
  }

  /** The prefix of a frame's refs. */
  prefixOf(frame: Frame): string {
    return frame.number === 0 ? "" : `f${frame.number}_`;
  }

  /** The ref of a frame's `<iframe>` in its parent's bridge; undefined where it has none any more. */
  async ownerRef(frame: Frame): Promise<string | undefined> {
    const { parent } = frame;
    if (!parent || frame.ownerRef) return frame.ownerRef;
    try {
      const { client } = parent;
      const finding = this.holding(client, (objectGroup) => findOwner(frame, parent, objectGroup));
      frame.ownerRef = await this.during(finding);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return frame.ownerRef;
  }

  /** What has the name that stands in the place of a ref: the one element, or those to choose from. */
  async #called(text: string): Promise<Remembered & { called?: Candidate[] }> {
    for (const { role, name } of labelsIn(text)) {
      const all = await this.#askAll((frame) => this.ask(frame, "called", name, role, this.prefixOf(frame)));
      const found = all.flat().map(candidate);
      this.#tell(found);
      const [only, ...others] = found;
      if (only && others.length === 0) return { role: only.role, name: only.name, candidates: found };
      if (only) return { called: found };
    }
    return {};
  }

  /** What an error names may be used at once. */
  #tell(elements: readonly Candidate[]): void {
    for (const { ref } of elements) this.tab.told.deliver(`[ref=${ref}]`, this.worlds, this.trees, "lines");
  }

  /** FRAME_DETACHED of an element whose frame went while the call was under way; its page may be making it anew. */
  whileUnderWay({ frame, ref }: Located, cause: Error): TroupeError {
    const parsed = parseRef(ref);
    const was = parsed && this.tab.told.toldOf(parsed);
    const { lost } = this.tab;
    return fail(
      "FRAME_DETACHED",
      {
        frame: `f${frame.number}`,
        reason: "it was removed or navigated",
        underWay: true,
        ...(was && { ref, ...was }),
        ...(lost.length > 0 && { lost }),
      },
      cause,
    );
  }

  async #detached(ref: ParsedRef): Promise<TroupeError> {
    return fail("FRAME_DETACHED", { frame: `f${ref.frame}`, ref: ref.whole, ...(await this.#meant(ref)) });
  }

  /** What a ref of a document that is gone was told as, and the one element of that role and name that there is now. */
  async #meant(ref: ParsedRef): Promise<Remembered> {
    const { lost } = this.tab;
    return { ...(await this.again(ref)), ...(lost.length > 0 && { lost }) };
  }

  /** Where an element is now that a ref of a document which is gone was told as. */
  async again(ref: ParsedRef): Promise<Remembered> {
    const toldOf = this.tab.told.toldOf(ref);
    if (!toldOf) return {};
    const { role, name } = toldOf;
    const all = await this.#askAll((frame) => this.ask(frame, "alone", role, name, this.prefixOf(frame)));
    const alike = all.reduce((sum, found) => sum + found.alike, 0);
    const candidates = alike === 1 ? all.flatMap(({ likely }) => likely.map(candidate)) : [];
    this.#tell(candidates);
    return { role, name, candidates };
  }

  /** What the frames answer, in their order. A child that has gone, or does not answer in time, answers nothing. */
  async #askAll<T>(ask: (frame: Frame) => Promise<T>): Promise<T[]> {
    const main = this.main();
    const askChild = async (frame: Frame): Promise<T[]> => {
      try {
        return [await withinTime(() => ask(frame), frameTimeMs(this.call))];
      } catch (error) {
        if (isGone(error) || error instanceof FrameTimeout) return [];
        throw error;
      }
    };
    const children = this.tab.frames.children.filter(({ world }) => world);
    const own = main.world ? ask(main).then((answer) => [answer]) : [];
    return (await Promise.all([own, ...children.map(askChild)])).flat();
  }

  /** A frame whose document changed between two answers has refs of neither. */
  #answered({ number }: Frame, { uniqueId }: World, snapshot: number): void {
    this.trees.set(number, { snapshot });
    const before = this.worlds.get(number);
    this.worlds.set(number, before === undefined || before === uniqueId ? uniqueId : "");
  }

  async #ask<M extends Method>(
    frame: Frame,
    method: M,
    args: Parameters<Bridge[M]>,
    isTold: boolean,
  ): Promise<Answer<M>> {
    // Where the bridge is there it is asked at once: what is sent after it is done after it.
    const world = frame.world ?? (await this.tab.frames.worldOf(frame, this.call.signal));
    if (!world) throw new DocumentGone(`frame ${frame.number} is gone`);
    // What is sent under a dialog is done when the dialog is answered: after its call has failed.
    this.check();
    return await this.#send(frame, world, method, args, isTold);
  }

  async #send<M extends Method>(
    frame: Frame,
    world: World,
    method: M,
    args: Parameters<Bridge[M]>,
    isTold: boolean,
  ): Promise<Answer<M>> {
    try {
      const call = () => this.#callBridge(frame, world, method, args);
      let answered = await call();
      if (!answered) {
        // A script that was stopped while the document began may have been the bridge's own.
        const { bridge: expression } = this.tab;
        await frame.client.send("Runtime.evaluate", { expression, uniqueContextId: world.uniqueId });
        answered = await call();
      }
      if (!answered) throw new Error(`bridge.${method}: there is no bridge`);
      const { answer, seen } = answered;
      if (isTold) this.#answered(frame, world, seen);
      return answer;
    } catch (error) {
      if (!isGone(error)) throw error;
      this.tab.frames.forget(frame, world);
      throw new DocumentGone(error.message);
    }
  }

  /** Undefined where the world has no bridge. */
  async #callBridge<M extends Method>(
    frame: Frame,
    world: World,
    method: M,
    args: Parameters<Bridge[M]>,
  ): Promise<{ answer: Answer<M>; seen: number } | undefined> {
    const { result, exceptionDetails } = await frame.client.send("Runtime.callFunctionOn", {
      functionDeclaration: CALL_BRIDGE,
      arguments: [{ value: method }, { value: args }],
      uniqueContextId: world.uniqueId,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails)
      throw new Error(
        `bridge.${method}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    return result.value;
  }
}

/** As an error names it. */
function candidate({ ref, role, name }: Candidate): Candidate {
  return { ref, role, name };
}

/** JSON has no undefined: an argument that is left out travels as null. */
const CALL_BRIDGE = `async (method, args) => {
  if (!Object.hasOwn(globalThis, "__troupe")) return;
  const answer = await globalThis.__troupe[method](...args.map((each) => each ?? undefined));
  return { answer, seen: globalThis.__troupe.seen() };
}`;

/** Only the parent's session knows a frame's owner; its bridge is handed the element itself. */
async function findOwner(frame: Frame, parent: Frame, objectGroup: string): Promise<string | undefined> {
  const { client } = parent;
  const world = parent.world;
  if (!world) return undefined;
  const { backendNodeId } = await client.send("DOM.getFrameOwner", { frameId: frame.id });
  const { object } = await client.send("DOM.resolveNode", {
    backendNodeId,
    executionContextId: world.contextId,
    objectGroup,
  });
  const { result } = await client.send("Runtime.callFunctionOn", {
    functionDeclaration: "function () { return globalThis.__troupe.refOf(this); }",
    objectId: object.objectId,
    returnByValue: true,
  });
  return typeof result.value === "string" ? result.value : undefined;
}

// One call's view of a tab. Every question to the page ends with the call, a dialog, a crash or the tab's end.

import type { CDPSession } from "puppeteer-core";
import { type Candidate, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Remembered } from "../../proto/errors/steps/remembered.ts";
import type { Bridge, DeliveredIn } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../core/frame-time.ts";
import { DocumentGone, isGone } from "../core/gone.ts";
import type { DeliveredTree, Detail } from "../refs/delivered.ts";
import { type Label, labelsIn } from "../refs/label-text.ts";
import { type ParsedRef, parseRef, refPrefix } from "../refs/ref-text.ts";
import { type BridgeAnswer, type BridgeMethod, callBridge } from "./bridge-call.ts";
import type { Frame, World } from "./frames/frame.ts";
import type { GuardOptions } from "./interrupts.ts";
import type { Tab } from "./tab.ts";

/** A ref with its frame. */
export interface Located {
  frame: Frame;
  ref: string;
  /** The trees of its frame in which the session last received it. */
  deliveredIn?: DeliveredIn | undefined;
}

/** One call's view of a tab. */
export class Page {
  readonly tab: Tab;
  readonly call: Call;
  /**
   * The world that answered this call, by frame number. Refs in its reply belong to these documents, even if the frames
   * show others by then.
   */
  readonly worlds = new Map<number, string>();
  /** The tree that the answer was read from, by frame number. */
  readonly trees = new Map<number, DeliveredTree>();
  /** How much the call's reply shows of the refs in it. */
  detail: Detail = "rows";
  /** The ref that the call acts on. */
  located: ParsedRef | undefined;

  constructor(tab: Tab, call: Call) {
    this.tab = tab;
    this.call = call;
  }

  /**
   * Throws the error that would end a wait at once: an aborted call, a closed tab, a dialog. It is called before
   * anything is sent.
   */
  check(): void {
    this.call.signal.throwIfAborted();
    this.tab.interrupts.check();
  }

  /** Waits for Chrome no longer than the call and the tab last. */
  async during<T>(promise: Promise<T>, options?: GuardOptions): Promise<T> {
    return await this.tab.interrupts.guard(promise, this.call.signal, options);
  }

  /** Returns the main frame. Throws DocumentGone before Chrome has reported one. */
  main(): Frame {
    const { main } = this.tab.frames;
    if (!main) throw new DocumentGone("the tab has no document yet");
    return main;
  }

  /**
   * Waits after a document has gone: for another one, or for the tab's end. Chrome reports a tab's end later than its
   * frame's.
   */
  async nextDocument(): Promise<void> {
    const { client, frames } = this.tab;
    const isOver = client.detached || (frames.main && !frames.has(frames.main));
    if (isOver) await this.during(this.tab.interrupts.whenClosed);
  }

  /** Asks a frame's bridge. Rejects with DocumentGone, or with the error that ends the wait. */
  async ask<M extends BridgeMethod>(
    frame: Frame,
    method: M,
    ...args: Parameters<Bridge[M]>
  ): Promise<BridgeAnswer<M>> {
    return await this.during(this.#ask(frame, method, args, true));
  }

  /** Asks without delivering the answer, so the trees and worlds of the reply stay unchanged. */
  async askInPassing<M extends BridgeMethod>(
    frame: Frame,
    method: M,
    ...args: Parameters<Bridge[M]>
  ): Promise<BridgeAnswer<M>> {
    return await this.during(this.#ask(frame, method, args, false));
  }

  /** Asks the document of this world, and no later one of its frame. */
  async askDocument<M extends BridgeMethod>(
    frame: Frame,
    world: World,
    method: M,
    ...args: Parameters<Bridge[M]>
  ): Promise<BridgeAnswer<M>> {
    this.check();
    return await this.during(this.#send(frame, world, method, args, true));
  }

  /**
   * Makes a frame's bridge undo something, however the call ended. It is not awaited, because a dialog may block it.
   * Later questions come after it. A failure is recorded. A document that is gone has nothing to undo.
   */
  takeBack<M extends BridgeMethod>(frame: Frame, method: M, ...args: Parameters<Bridge[M]>): void {
    if (!frame.world) return;
    const sent = this.#send(frame, frame.world, method, args, true);
    sent.catch((error: Error) => this.tab.failures.cleanup(method, error));
  }

  /**
   * Does work with references to objects of a page, all in one object group. Chrome keeps them from garbage collection
   * until the group is released. The release is not awaited. A page that is gone holds nothing.
   */
  async holding<T>(client: CDPSession, work: (objectGroup: string) => Promise<T>): Promise<T> {
    const objectGroup = crypto.randomUUID();
    try {
      return await work(objectGroup);
    } finally {
      client
        .send("Runtime.releaseObjectGroup", { objectGroup })
        .catch((error: Error) => this.tab.failures.cleanup("releaseObjectGroup", error));
    }
  }

  /**
   * Returns the frame of a session's ref, and the ref as Troupe writes it. Throws UNKNOWN_REF if it was not delivered
   * from the shown document. Throws FRAME_DETACHED if its frame is gone.
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
    const known = this.tab.delivered.knows(parsed, world?.uniqueId);
    if (known === "earlier-page") {
      const meant = await this.#meant(parsed);
      throw fail("UNKNOWN_REF", { ref: parsed.whole, cause: known, ...meant });
    }
    if (known !== "known") throw fail("UNKNOWN_REF", { ref: parsed.whole, cause: known });
    if (!frame) throw await this.#detached(parsed);
    this.located = parsed;
    // The session has seen the new page, so the loss needs no more reports.
    this.tab.touched.successorSeen();
    return { frame, ref: parsed.whole, deliveredIn: this.tab.delivered.treesOf(parsed) };
  }

  /** Returns the ref of a frame's `<iframe>`. Undefined if it no longer has one. */
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

  /**
   * Looks for elements with the name that the caller gave instead of a ref. Returns the one element, or a list to
   * choose from.
   */
  async #called(text: string): Promise<Remembered & { called?: Candidate[] }> {
    for (const label of labelsIn(text)) {
      const found = await this.called(label);
      const [only, ...others] = found;
      if (only && others.length === 0) return { role: only.role, name: only.name, candidates: found };
      if (only) return { called: found };
    }
    return {};
  }

  /** Returns the elements of that role and name that a client can act on. They count as delivered. */
  async called({ role, name }: Label): Promise<Candidate[]> {
    const all = await this.#askAll((frame) => this.ask(frame, "called", name, role));
    const found = all.flat().map(candidate);
    this.#deliver(found);
    return found;
  }

  /** Delivers the elements that an error names, so that they may be used at once. */
  #deliver(elements: readonly Candidate[]): void {
    for (const { ref } of elements)
      this.tab.delivered.deliver(`[ref=${ref}]`, this.worlds, this.trees, "lines");
  }

  /** Returns FRAME_DETACHED for an element whose frame went away during the call. Its page may be rebuilding it. */
  whileUnderWay({ frame, ref }: Located, cause: Error): TroupeError {
    const parsed = parseRef(ref);
    const was = parsed && this.tab.delivered.elementOf(parsed);
    const { lost } = this.tab.touched;
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

  /** Returns how a dead document's ref was delivered, and the one element that now has the same role and name. */
  async #meant(ref: ParsedRef): Promise<Remembered> {
    const { lost } = this.tab.touched;
    return { ...(await this.again(ref)), ...(lost.length > 0 && { lost }) };
  }

  /** Finds the present element for a ref of a dead document. */
  async again(ref: ParsedRef): Promise<Remembered> {
    const element = this.tab.delivered.elementOf(ref);
    if (!element) return {};
    const { role, name } = element;
    const all = await this.#askAll((frame) => this.ask(frame, "alone", role, name));
    const alike = all.reduce((sum, found) => sum + found.alike, 0);
    const candidates = alike === 1 ? all.flatMap(({ likely }) => likely.map(candidate)) : [];
    this.#deliver(candidates);
    return { role, name, candidates };
  }

  /**
   * Returns the frames' answers, in their order. A child frame that has gone, or does not answer in time, is left out.
   */
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

  /**
   * Makes an answer that was asked in passing part of the reply. If a frame's document changed between two answers, the
   * refs of neither are valid.
   */
  delivers({ number }: Frame, { uniqueId }: World, snapshot: number): void {
    this.trees.set(number, { snapshot });
    const before = this.worlds.get(number);
    this.worlds.set(number, before === undefined || before === uniqueId ? uniqueId : "");
  }

  async #ask<M extends BridgeMethod>(
    frame: Frame,
    method: M,
    args: Parameters<Bridge[M]>,
    isDelivered: boolean,
  ): Promise<BridgeAnswer<M>> {
    // If the bridge is ready, it is asked at once, so that later commands run after it.
    const world = frame.world ?? (await this.tab.frames.worldOf(frame, this.call.signal));
    if (!world) throw new DocumentGone(`frame ${frame.number} is gone`);
    // A command that is sent under a dialog runs after the dialog, when its call has already failed.
    this.check();
    return await this.#send(frame, world, method, args, isDelivered);
  }

  async #send<M extends BridgeMethod>(
    frame: Frame,
    world: World,
    method: M,
    args: Parameters<Bridge[M]>,
    isDelivered: boolean,
  ): Promise<BridgeAnswer<M>> {
    try {
      const call = () => callBridge(frame, world, method, args);
      let answered = await call();
      if (!answered) {
        // A script that was stopped while the document began may have been the bridge itself.
        const { bridge: expression } = this.tab.owner;
        await frame.client.send("Runtime.evaluate", { expression, uniqueContextId: world.uniqueId });
        answered = await call();
      }
      if (!answered) throw new Error(`bridge.${method}: there is no bridge`);
      const { answer, seen } = answered;
      if (isDelivered) this.delivers(frame, world, seen);
      return answer;
    } catch (error) {
      if (!isGone(error)) throw error;
      this.tab.frames.forget(frame, world);
      throw new DocumentGone(error.message);
    }
  }
}

/** Returns the element's fields for an error. */
function candidate({ ref, role, name }: Candidate): Candidate {
  return { ref, role, name };
}

const OWN_REF = `function (prefix) {
  globalThis.__troupe.setPrefix(prefix);
  return globalThis.__troupe.refOf(this);
}`;

/** Only the parent's session knows a frame's owner. Its bridge is handed the element itself. */
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
    functionDeclaration: OWN_REF,
    arguments: [{ value: refPrefix(parent.number) }],
    objectId: object.objectId,
    returnByValue: true,
  });
  return typeof result.value === "string" ? result.value : undefined;
}

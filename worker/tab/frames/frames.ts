// Follows the frames of a tab in all their processes, and the bridge's world in each.
import type { CDPSession, Protocol } from "puppeteer-core";
import { keepNewest } from "../../../proto/machine/newest.ts";
import { Waiters } from "../../activity/waiters.ts";
import { BRIDGE_WORLD, type Frame, newFrame, UNREAD, type World } from "./frame.ts";

const FAILED_LOADS_MAX = 200;
/** Frames without end may be announced that are never attached. */
const EARLY_FRAMES_MAX = 100;
const EARLY_EVENTS_MAX = 20;

/** After a 204 or a 205, a browser stays on its page. */
const NO_CONTENT: ReadonlySet<number> = new Set([204, 205]);

/** The events of the frames that a tab handles. */
export interface FrameEvents {
  /** The main frame shows another document. */
  newDocument(frame: Frame): void;
  /** A frame shows Chrome's own page instead of the document at that address. */
  unreachable(frame: Frame): void;
  /** The main frame's address changed within its document. */
  moved(frame: Frame): void;
}

/** An event of a frame that waits until that frame or its parent is attached. */
interface EarlyEvent {
  client: CDPSession;
  /** The frame that it is about. */
  id: string;
  /** The world that it is about. */
  uniqueId?: string;
  repeat(): void;
}

/** The frame tree, kept current by Chrome's events. */
export class Frames {
  readonly #frames = new Map<string, Frame>();
  readonly #waiters = new Waiters();
  readonly #events: FrameEvents;
  /** Chrome's reasons why documents did not come, by loader. */
  readonly #failedLoads = new Map<string, string>();
  /**
   * The events of frames that are not attached yet, by frame. A frame's process and its parent's report independently,
   * so either may be first.
   */
  readonly #early = new Map<string, EarlyEvent[]>();
  #lastNumber = 0;
  #main: Frame | undefined;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** The main frame. Undefined before Chrome has reported it. */
  get main(): Frame | undefined {
    return this.#main;
  }

  /** All frames except the main one, in the order of their numbers. */
  get children(): Frame[] {
    return [...this.#frames.values()].filter((frame) => frame.parent).sort((a, b) => a.number - b.number);
  }

  /** A CDP session for each process that draws a part of the page. */
  get clients(): CDPSession[] {
    return [...new Set([...this.#frames.values()].map(({ client }) => client))];
  }

  /** Is true if all frames live in the main one's process. */
  get inOneProcess(): boolean {
    for (const { client } of this.#frames.values()) if (client !== this.#main?.client) return false;
    return true;
  }

  /** Returns the frame of that number, `gone` if this document had it, or undefined if it never did. */
  numbered(number: number): Frame | "gone" | undefined {
    const found = [...this.#frames.values()].find((frame) => frame.number === number);
    return found ?? (number > 0 && number <= this.#lastNumber ? "gone" : undefined);
  }

  /** Returns the number of the frame with Chrome's id. Undefined if it is no frame of this tab. */
  numberOf(id: string): number | undefined {
    return this.#frames.get(id)?.number;
  }

  /** The frames that show a PDF. */
  get pdfs(): Frame[] {
    return [...this.#frames.values()].filter(({ isPdf }) => isPdf);
  }

  /** Returns Chrome's reason why the frame does not show its document. Undefined if it does. */
  whyUnreachable({ isUnreachable, loaderId }: Frame): string | undefined {
    return isUnreachable ? (this.#failedLoads.get(loaderId) ?? "net::ERR_FAILED") : undefined;
  }

  /** Returns true if the frame is still part of the tab. */
  has(frame: Frame): boolean {
    return this.#frames.get(frame.id) === frame;
  }

  /** Resolves when the frame's bridge is ready, the frame is gone, or the signal aborts. */
  async worldOf(frame: Frame, signal?: AbortSignal): Promise<World | undefined> {
    while (this.has(frame) && !frame.world && !signal?.aborted) await this.#waiters.next(signal);
    return frame.world;
  }

  /** Resolves when the next document of any frame has its bridge, a frame goes away, or the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#waiters.next(signal);
  }

  /** Drops a world that Chrome reports as gone, even if no event said so. Callers then wait for the next one. */
  forget(frame: Frame, world: World): void {
    if (frame.world?.uniqueId === world.uniqueId) frame.world = undefined;
  }

  /**
   * Drops all worlds of a dead process. Returns the child frames that died with it: if one loads again, it is a new
   * frame.
   */
  crashed(client: CDPSession): Frame[] {
    this.#worldsGone(client);
    this.#outdated((event) => event.client === client);
    const lost = this.children.filter((frame) => frame.client === client);
    for (const frame of lost) this.#remove(frame);
    return lost;
  }

  /** Listens to one process's session. The listeners must be in place before the domains are enabled. */
  watch(client: CDPSession): void {
    client.on("Page.frameAttached", ({ frameId, parentFrameId }) =>
      this.#attached(client, frameId, parentFrameId),
    );
    client.on("Page.frameStartedNavigating", ({ frameId }) => this.#asked(frameId));
    client.on("Page.frameNavigated", ({ frame }) => this.#navigated(client, frame));
    client.on("Page.navigatedWithinDocument", ({ frameId, url }) => this.#moved(frameId, url));
    client.on("Page.frameDetached", ({ frameId, reason }) => this.#detached(frameId, reason));
    client.on("Network.responseReceived", ({ type, frameId = "", response }) => {
      if (type === "Document" && NO_CONTENT.has(response.status)) this.#leftEmpty(frameId);
    });
    client.on("Network.loadingFailed", ({ requestId, type, errorText }) => {
      // The request for a document has its loader's id.
      if (type === "Document") keepNewest(this.#failedLoads, requestId, errorText, FAILED_LOADS_MAX);
    });
    client.on("Runtime.executionContextCreated", ({ context }) => this.#worldCreated(client, context));
    client.on("Runtime.executionContextDestroyed", ({ executionContextUniqueId }) =>
      this.#worldGone(executionContextUniqueId),
    );
    client.on("Runtime.executionContextsCleared", () => this.#worldsGone(client));
  }

  /**
   * Adds the main frame before any event, because an event of its world may come first. A target has its frame's id.
   */
  begin(client: CDPSession, targetId: string): void {
    this.#mainFrame(client, targetId);
  }

  /** Adds the frames that existed before the listeners. */
  seed(client: CDPSession, tree: Protocol.Page.FrameTree): void {
    this.#navigated(client, tree.frame);
    for (const child of tree.childFrames ?? []) this.seed(client, child);
  }

  #attached(client: CDPSession, id: string, parentId: string): Frame | undefined {
    const known = this.#frames.get(id);
    if (known) return known;
    const parent = this.#frames.get(parentId);
    if (!parent)
      return this.#later(parentId, { client, id, repeat: () => this.#attached(client, id, parentId) });
    const frame = newFrame(client, id, ++this.#lastNumber, parent);
    this.#frames.set(id, frame);
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (const { repeat } of early) repeat();
    return frame;
  }

  /** Repeats an event once the frame that it needs is attached. */
  #later(frameId: string, event: EarlyEvent): undefined {
    const events = [...(this.#early.get(frameId) ?? []), event].slice(-EARLY_EVENTS_MAX);
    keepNewest(this.#early, frameId, events, EARLY_FRAMES_MAX);
  }

  /** Drops the early events that hold no more. */
  #outdated(isOver: (event: EarlyEvent) => boolean): void {
    for (const [frameId, events] of this.#early) {
      const left = events.filter((event) => !isOver(event));
      if (left.length > 0) this.#early.set(frameId, left);
      else this.#early.delete(frameId);
    }
  }

  #asked(id: string): void {
    const frame = this.#frames.get(id);
    if (!frame) return;
    frame.isAsked = true;
    frame.isLeftEmpty = false;
  }

  #leftEmpty(id: string): void {
    const frame = this.#frames.get(id);
    if (frame) frame.isLeftEmpty = true;
  }

  #navigated(client: CDPSession, document: Protocol.Page.Frame): void {
    const { id, parentId, loaderId, url, urlFragment, unreachableUrl, mimeType } = document;
    const frame =
      this.#frames.get(id) ?? (parentId ? this.#attached(client, id, parentId) : this.#mainFrame(client, id));
    if (!frame) {
      this.#later(id, { client, id, repeat: () => this.#navigated(client, document) });
      return;
    }
    const { loaderId: before } = frame;
    frame.client = client;
    frame.url = (unreachableUrl || url) + (urlFragment ?? "");
    frame.loaderId = loaderId;
    frame.isUnreachable = unreachableUrl !== undefined && unreachableUrl !== "";
    frame.isPdf = mimeType === "application/pdf";
    if (before !== loaderId) Object.assign(frame, UNREAD);
    if (unreachableUrl && before !== loaderId) this.#events.unreachable(frame);
    if (before === loaderId || frame !== this.#main) return;
    if (before !== "") {
      for (const child of this.children) this.#remove(child);
      this.#lastNumber = 0;
    }
    this.#events.newDocument(frame);
  }

  #mainFrame(client: CDPSession, id: string): Frame {
    this.#main ??= newFrame(client, id, 0);
    this.#frames.set(id, this.#main);
    return this.#main;
  }

  #moved(id: string, url: string): void {
    const frame = this.#frames.get(id);
    if (!frame) return;
    frame.url = url;
    if (frame === this.#main) this.#events.moved(frame);
  }

  #detached(id: string, reason: string): void {
    // "swap" means that the frame goes on in another process, under the same id.
    if (reason === "swap") return;
    this.#outdated((event) => event.id === id);
    const frame = this.#frames.get(id);
    if (frame) this.#remove(frame);
  }

  #remove(frame: Frame): void {
    for (const child of this.children) if (child.parent === frame) this.#remove(child);
    this.#frames.delete(frame.id);
    frame.world = undefined;
    this.#waiters.wake();
  }

  #worldCreated(client: CDPSession, context: Protocol.Runtime.ExecutionContextDescription): void {
    const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: string; isDefault?: boolean };
    if (frameId === undefined) return;
    const frame = this.#frames.get(frameId);
    if (!frame) {
      const repeat = () => this.#worldCreated(client, context);
      this.#later(frameId, { client, id: frameId, uniqueId: context.uniqueId, repeat });
      return;
    }
    if (isDefault) frame.ownWorldId = context.uniqueId;
    if (context.name !== BRIDGE_WORLD) return;
    frame.client = client;
    frame.world = { uniqueId: context.uniqueId, contextId: context.id };
    this.#waiters.wake();
  }

  #worldGone(uniqueId: string): void {
    this.#outdated((event) => event.uniqueId === uniqueId);
    for (const frame of this.#frames.values()) {
      if (frame.world?.uniqueId === uniqueId) frame.world = undefined;
      if (frame.ownWorldId === uniqueId) frame.ownWorldId = undefined;
    }
  }

  #worldsGone(client: CDPSession): void {
    this.#outdated((event) => event.client === client && event.uniqueId !== undefined);
    for (const frame of this.#frames.values())
      if (frame.client === client) {
        frame.world = undefined;
        frame.ownWorldId = undefined;
      }
  }
}

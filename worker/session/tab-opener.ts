// Opens the tabs of a session: a page of Chrome, its share of the login, and its address.
import type { CDPSession, Protocol } from "puppeteer-core";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { isGone } from "../core/gone.ts";
import { attach } from "../tab/attach.ts";
import { Tab, type TabOwner } from "../tab/tab.ts";
import type { Context } from "./context.ts";
import { PendingTabs } from "./pending-tabs.ts";
import type { RestoreOrder } from "./restore-order.ts";
import { type SessionTabs, TABS_MAX } from "./session-tabs.ts";

/** The parts that tabs are opened with. */
export interface TabOpenerParts {
  tabs: SessionTabs;
  owner: TabOwner;
  context: Context;
  /** The session's key when it was opened. The context knows its tabs by it. */
  key: string;
  /** The role's queue, in which restored tabs wait for each other. */
  restorings: RestoreOrder;
  /** The browser's own CDP session. */
  browser: CDPSession;
  /** Makes Chrome open a page in the session's context. Resolves to the target's id. */
  createTarget(): Promise<string>;
}

/** `meantFor`: the caller's own address for the tab, which survives the worker's death meanwhile. */
export interface OpenOptions {
  signal?: AbortSignal;
  meantFor?: string | undefined;
}

export class TabOpener {
  readonly #parts: TabOpenerParts;
  readonly arrivals = new PendingTabs();
  #first: Promise<Tab> | undefined;
  /** It outlives the call that began it. */
  #reopening: Promise<void> | undefined;

  constructor(parts: TabOpenerParts) {
    this.#parts = parts;
  }

  /**
   * Opens a tab, makes it the current one and begins to load the address, if there is one. The tab is closed again if
   * it cannot have its login, or if the signal has aborted. Throws BUSY beyond the bound.
   */
  async open(address = "", { signal, meantFor }: OpenOptions = {}): Promise<Tab> {
    const { tabs, owner } = this.#parts;
    if (tabs.isFull) throw tooManyTabs();
    try {
      const prepared = tabs.takePrepared();
      if (prepared && address) prepared.navigation.open(await prepared.credentials.takeFrom(address), false);
      const tab = prepared ?? (await this.#open(address, signal));
      tabs.select(tab.id);
      if (meantFor) tab.navigation.isMeantFor(meantFor);
      owner.changed();
      return tab;
    } catch (error) {
      throw this.arrivals.ended ?? error;
    }
  }

  /** Opens the session's first tab. Calls that need it at the same time share it. */
  openFirst(address: string): Promise<Tab> {
    this.#first ??= this.open(address).finally(() => {
      this.#first = undefined;
    });
    return this.#first;
  }

  /** Resolves when hanging pages are freed, and tabs whose process or worker died are open again. */
  async restored(): Promise<void> {
    const { open, closed } = this.#parts.tabs;
    await Promise.all(open.flatMap(({ lifecycle }) => lifecycle.freeing ?? []));
    if (closed.left.length === 0) return;
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    await this.#reopening;
  }

  /** Opens a tab ahead, before a client has the session. It counts as a tab only once it is used. */
  async prepare(): Promise<void> {
    this.#parts.tabs.prepare(await this.#open(""));
  }

  /** Resolves when the tab that was opened ahead is gone, or when its page crashes. */
  async whenUnprepared(): Promise<void> {
    const tab = this.#parts.tabs.prepared;
    if (!tab) return;
    const { promise: crashed, resolve } = Promise.withResolvers<void>();
    tab.client.once("Inspector.targetCrashed", () => resolve());
    await Promise.race([crashed, tab.interrupts.whenClosed]);
  }

  /** Sets up a page that Chrome has opened in this context as a tab, before its page runs. */
  async adopt(client: CDPSession, target: Protocol.Target.TargetInfo): Promise<void> {
    const { tabs, owner, context, key } = this.#parts;
    const { targetId } = target;
    if (tabs.isFull) return await this.#refuse(target);
    const id = tabs.nextId(target.openerId);
    const memory = tabs.closed.takeMemory(id);
    const tab = new Tab(owner, { id, client, target, memory });
    context.kept.watchTab(tab, key, tabs.openerOf(tab));
    tabs.add(tab);
    try {
      await attach(tab);
      this.arrivals.of(targetId).resolve(tab);
    } catch (error) {
      // The page was closed while it was being set up.
      this.arrivals.of(targetId).reject(error);
    }
    owner.changed();
  }

  /** Closes a tab without asking its page. Does nothing if the tab is already closed. */
  async discard({ targetId }: Pick<Tab, "targetId">): Promise<void> {
    try {
      await this.#parts.browser.send("Target.closeTarget", { targetId });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #open(address: string, signal?: AbortSignal): Promise<Tab> {
    const tab = await this.arrivals.of(await this.#parts.createTarget()).promise;
    try {
      const url = await tab.credentials.takeFrom(address);
      const isThere = await this.#parts.context.login.fill(tab, url);
      signal?.throwIfAborted();
      if (url) tab.navigation.open(url, isThere);
      return tab;
    } catch (error) {
      await this.discard(tab);
      throw error;
    }
  }

  async #reopen(): Promise<void> {
    const { tabs, owner, restorings } = this.#parts;
    const { currentId } = tabs;
    await tabs.closed.reopen(
      (work) => restorings.take(work),
      (url) => this.open(url),
    );
    if (currentId !== undefined) tabs.select(currentId);
    owner.changed();
  }

  /** Closes a page's own tab beyond the bound before any of its scripts run. */
  async #refuse(target: Protocol.Target.TargetInfo): Promise<void> {
    const { tabs, owner } = this.#parts;
    const words = `A page opened more than ${TABS_MAX} tabs; the others were closed.`;
    if (tabs.refused()) owner.failures.incident("too-many-tabs", words, { session: owner.key() });
    this.arrivals.of(target.targetId).reject(tooManyTabs());
    await this.discard(target);
  }
}

function tooManyTabs(): TroupeError {
  const limit = `a session has at most ${TABS_MAX} tabs in a role`;
  return fail("BUSY", { limit, holders: [], own: "tabs" });
}

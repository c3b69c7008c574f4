// The navigation that a tab's calls wait for: to its first address, to a call's address, or back after a crash.
import type { CDPSession } from "puppeteer-core";
import type { Activity } from "../activity/activity.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Frames } from "./frames/frames.ts";

/** The parts of a tab that navigations concern. */
interface Navigated {
  readonly client: CDPSession;
  readonly activity: Activity;
  readonly frames: Frames;
  readonly failures: FailureLog;
  readonly isOpen: boolean;
  readonly halt: object | undefined;
}

export class Navigation {
  readonly #tab: Navigated;
  #openedAtMs = 0;
  /** The address that the tab was opened for, until its page has come. */
  firstUrl: string | undefined;
  /** The navigation that an open dialog holds up. The call that answers the dialog finishes it. */
  held: Promise<unknown> | undefined;
  #hasCrashed = false;

  constructor(tab: Navigated) {
    this.#tab = tab;
  }

  /** Notes a call's own navigation. */
  began(sent: Promise<unknown>): void {
    // No call may ever await this after a dialog, so a rejection must count as handled.
    sent.catch(() => undefined);
    this.held = sent;
  }

  /** Notes the address that the caller is about to open in the new tab. */
  isMeantFor(url: string): void {
    this.firstUrl ??= url;
  }

  /** Notes that the page has come, so its own address counts. */
  committed(): void {
    this.firstUrl = undefined;
  }

  /** Notes that nothing is under way any more. */
  ended(): void {
    this.held = undefined;
  }

  /** Notes that the page stays. */
  failed(): void {
    this.ended();
    this.#tab.activity.main.failed();
  }

  /**
   * Gives up a navigation that has no answer, or whose page does not get ready, unless a dialog holds it up. While it is
   * under way, Chrome passes no questions on to the page that is still shown.
   */
  giveUp(): void {
    const { client, activity, failures, halt } = this.#tab;
    if (halt) return;
    this.committed();
    this.ended();
    if (!activity.navigating) return;
    client.send("Page.stopLoading").catch((error: Error) => failures.cleanup("stop-loading", error));
  }

  /**
   * Gives up a navigation whose call has timed out. A tab's first page has so long, however short the call's own time
   * was. The tab would lose its address otherwise.
   */
  timedOut(firstPageMs: number): void {
    if (this.firstUrl === undefined || performance.now() - this.#openedAtMs > firstPageMs) this.giveUp();
  }

  /** Begins to open a new tab's address. `isThere`: the tab has the address already, with nothing loaded yet. */
  open(url: string, isThere: boolean): void {
    this.firstUrl = url;
    this.#openedAtMs = performance.now();
    this.#begin("open-first-page", isThere ? this.#loadAnew() : this.#load(url));
  }

  /** Opens a crashed page again. A page that crashes while it is being opened again is left empty. */
  reopen(url: string): void {
    const { client, activity } = this.#tab;
    const again = (this.#hasCrashed && !activity.document?.loaded) || url === "" ? "about:blank" : url;
    this.#hasCrashed = true;
    activity.main.asked();
    this.#begin("reopen-crashed-page", client.send("Page.navigate", { url: again }));
  }

  #begin(step: string, begun: Promise<unknown>): void {
    begun.catch((error: Error) => this.#tab.failures.cleanup(step, error));
    this.held = begun;
  }

  async #load(url: string): Promise<void> {
    const { client, activity } = this.#tab;
    activity.main.asked();
    const { errorText } = await client.send("Page.navigate", { url });
    if (errorText) activity.main.failed();
  }

  /**
   * Loads the address that the empty document already has. If no document comes, the tab goes to about:blank, because
   * that address is not the empty document's own.
   */
  async #loadAnew(): Promise<void> {
    const { client, activity, frames } = this.#tab;
    const standIn = frames.main?.loaderId;
    activity.main.expected();
    // Chrome answers before it requests the page.
    await client.send("Page.reload");
    await this.#arrived();
    if (!this.#tab.isOpen || frames.main?.loaderId !== standIn) return;
    await this.#load("about:blank");
    await this.#arrived();
  }

  /** Resolves when the navigation under way has ended, with or without a document. */
  async #arrived(): Promise<void> {
    while (this.#tab.isOpen && this.#tab.activity.navigating) await this.#tab.activity.changed();
  }
}

// A browser context: where a session's pages, cookies and storage are. A role's sessions may share one.
import { isGone } from "../core/gone.ts";
import { type LoginParts, SessionLogin } from "../session-login/session-login.ts";
import { TrackedStorage, type TrackedStorageParts } from "../storage/tracked-storage.ts";
import type { Tab } from "../tab/tab.ts";

/** What a context is made with. */
export type ContextParts = Omit<LoginParts, "contextId" | "kept"> & TrackedStorageParts;

/** A context. Opened by {@link Context.open}, or another session's by {@link Context.shared}; ended by {@link Context.close}. */
export class Context {
  readonly id: string;
  readonly login: SessionLogin;
  /** Follows what is stored in it; the same for all who share it. */
  readonly kept: TrackedStorage;
  readonly #parts: ContextParts;
  readonly #isShared: boolean;

  /** Makes the context and puts the login's cookies into it; its web storage follows with the first tab. */
  static async open(parts: ContextParts): Promise<Context> {
    const { browser } = parts;
    const { browserContextId } = await browser.send("Target.createBrowserContext");
    try {
      await browser.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
      const kept = new TrackedStorage({ ...parts, contextId: browserContextId });
      const login = await SessionLogin.begin({ ...parts, contextId: browserContextId, kept });
      return new Context(parts, { id: browserContextId, login, kept, isShared: false });
    } catch (error) {
      await browser.send("Target.disposeBrowserContext", { browserContextId });
      throw error;
    }
  }

  /** A context of another owner, which stays when this use of it ends. */
  static shared(parts: ContextParts, { id, kept }: Context): Context {
    const login = SessionLogin.shared({ ...parts, contextId: id, kept });
    return new Context(parts, { id, login, kept, isShared: true });
  }

  private constructor(
    parts: ContextParts,
    {
      id,
      login,
      kept,
      isShared,
    }: { id: string; login: SessionLogin; kept: TrackedStorage; isShared: boolean },
  ) {
    this.#parts = parts;
    this.id = id;
    this.login = login;
    this.kept = kept;
    this.#isShared = isShared;
  }

  /** Ends the context with all that is in it; of a shared one, these tabs. What does not end is recorded. */
  async close(tabs: readonly Tab[]): Promise<void> {
    const { browser, failures, key } = this.#parts;
    if (!this.#isShared) this.kept.close();
    try {
      if (this.#isShared)
        await Promise.all(tabs.map(({ targetId }) => browser.send("Target.closeTarget", { targetId })));
      else await browser.send("Target.disposeBrowserContext", { browserContextId: this.id });
    } catch (error) {
      if (!isGone(error)) failures.cleanup("context-close", error as Error);
    }
    // Chrome tells of the tabs' end when their session is no longer known.
    for (const tab of tabs) this.kept.leaveTab(tab, key);
  }
}

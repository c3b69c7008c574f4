// Owns a browser context, which holds a session's pages, cookies and storage. A role's sessions may share one.
import { type LoginParts, SessionLogin } from "../session-login/session-login.ts";
import { TrackedStorage, type TrackedStorageParts } from "../storage/tracked-storage.ts";
import type { Tab } from "../tab/tab.ts";

/** The parts that a context is made with. */
export type ContextParts = Omit<LoginParts, "contextId" | "kept"> & TrackedStorageParts;

/**
 * A context. {@link Context.open} makes one, {@link Context.shared} uses another session's, and {@link Context.close}
 * ends it.
 */
export class Context {
  readonly id: string;
  readonly login: SessionLogin;
  /** Follows what is stored in the context. All sessions that share the context have the same one. */
  readonly kept: TrackedStorage;
  readonly #parts: ContextParts;
  readonly #isShared: boolean;

  /** Makes the context and puts the login's cookies into it. The login's web storage follows with the first tab. */
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

  /** Uses a context of another owner, which stays when this use of it ends. */
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

  /** Ends the context with everything in it. In a shared context, closes only these tabs. Failures are recorded. */
  async close(tabs: readonly Tab[]): Promise<void> {
    const { browser, failures, key } = this.#parts;
    if (!this.#isShared) this.kept.close();
    try {
      if (this.#isShared)
        await Promise.all(tabs.map(({ targetId }) => browser.send("Target.closeTarget", { targetId })));
      else await browser.send("Target.disposeBrowserContext", { browserContextId: this.id });
    } catch (error) {
      failures.cleanup("context-close", error as Error);
    }
    // Chrome reports the tabs' end only after their session has been forgotten.
    for (const tab of tabs) this.kept.leaveTab(tab, key);
  }
}

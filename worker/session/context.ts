// Owns a browser context, which holds a session's pages, cookies and storage. A role's sessions may share one.
import { rm } from "node:fs/promises";
import type { FileFolder } from "../files/file-folder.ts";
import { type LoginParts, SessionLogin } from "../session-login/session-login.ts";
import { TrackedStorage, type TrackedStorageParts } from "../storage/tracked-storage.ts";
import type { Tab } from "../tab/tab.ts";

/** The parts that a context is made with. */
export type ContextParts = Omit<LoginParts, "contextId" | "kept"> &
  TrackedStorageParts & {
    fileFolder: FileFolder;
    /** The context's own proxy. Undefined if the whole browser has one. */
    proxy: string | undefined;
    /** The person's own context, if sessions work in it. Undefined for contexts of their own. */
    personalContext: string | undefined;
  };

/**
 * A context. {@link Context.open} makes one, {@link Context.shared} uses another session's, and {@link Context.close}
 * ends it.
 */
export class Context {
  readonly id: string;
  readonly login: SessionLogin;
  /** Follows what is stored in the context. All sessions that share the context have the same one. */
  readonly kept: TrackedStorage;
  /** Chrome writes the context's downloads here. */
  readonly downloadFolder: string;
  readonly #parts: ContextParts;
  readonly #isShared: boolean;

  /** Makes the context and puts the login's cookies into it. The login's web storage follows with the first tab. */
  static async open(parts: ContextParts): Promise<Context> {
    const { browser, fileFolder, proxy, personalContext } = parts;
    if (personalContext !== undefined) return Context.#personal(parts, personalContext);
    const { browserContextId } = await browser.send("Target.createBrowserContext", {
      // A worker that dies leaves nothing in an attached browser.
      disposeOnDetach: proxy !== undefined,
      ...(proxy !== undefined && { proxyServer: proxy, proxyBypassList: "<-loopback>" }),
    });
    try {
      const downloadFolder = await fileFolder.makeWritable();
      await browser.send("Browser.setDownloadBehavior", {
        // A page's name is never a path.
        behavior: "allowAndName",
        downloadPath: downloadFolder,
        eventsEnabled: true,
        browserContextId,
      });
      const kept = new TrackedStorage({ ...parts, contextId: browserContextId });
      const login = await SessionLogin.begin({ ...parts, contextId: browserContextId, kept });
      return new Context(parts, { id: browserContextId, login, kept, downloadFolder, isShared: false });
    } catch (error) {
      await browser.send("Target.disposeBrowserContext", { browserContextId });
      throw error;
    }
  }

  /** Uses the person's own context. Nothing of it is followed, kept or filled, and downloads stay the person's. */
  static #personal(parts: ContextParts, id: string): Context {
    const kept = new TrackedStorage({ ...parts, contextId: id, isPersonal: true });
    const login = SessionLogin.shared({ ...parts, contextId: id, kept });
    return new Context(parts, { id, login, kept, downloadFolder: "", isShared: true });
  }

  /** Uses a context of another owner, which stays when this use of it ends. */
  static shared(parts: ContextParts, { id, kept, downloadFolder }: Context): Context {
    const login = SessionLogin.shared({ ...parts, contextId: id, kept });
    return new Context(parts, { id, login, kept, downloadFolder, isShared: true });
  }

  private constructor(
    parts: ContextParts,
    own: Pick<Context, "id" | "login" | "kept" | "downloadFolder"> & { isShared: boolean },
  ) {
    this.#parts = parts;
    this.id = own.id;
    this.login = own.login;
    this.kept = own.kept;
    this.downloadFolder = own.downloadFolder;
    this.#isShared = own.isShared;
  }

  /** Ends the context with everything in it. In a shared context, closes only these tabs. Failures are recorded. */
  async close(tabs: readonly Tab[]): Promise<void> {
    const { browser, failures, key } = this.#parts;
    if (!this.#isShared) this.kept.close();
    try {
      if (this.#isShared)
        await Promise.all(tabs.map(({ targetId }) => browser.send("Target.closeTarget", { targetId })));
      else {
        await browser.send("Target.disposeBrowserContext", { browserContextId: this.id });
        await rm(this.downloadFolder, { recursive: true, force: true, maxRetries: 3 });
      }
    } catch (error) {
      failures.cleanup("context-close", error as Error);
    }
    // Chrome reports the tabs' end only after their session has been forgotten.
    for (const tab of tabs) this.kept.leaveTab(tab, key);
  }
}

// Gives a browser context its first state: the role's login, or the session's state in a dead worker. Cookies come
// first, and web storage comes with the first tab. A fresher login is loaded on request.
import type { CDPSession } from "puppeteer-core";
import { DocumentGone, isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import { loadCookies, loadWebStorage, replaceCookies } from "../storage/load-storage.ts";
import { isFresher, type Login, loadPart } from "../storage/role-login.ts";
import {
  cookiesOf,
  type Items,
  isReplaced,
  ofTab,
  originsOf,
  type StoredParts,
} from "../storage/storage-parts.ts";
import type { StoredOrigin } from "../storage/storage-state.ts";
import type { TrackedStorage } from "../storage/tracked-storage.ts";
import type { Tab } from "../tab/tab.ts";

/** The parts that a context's login is loaded with. */
export interface LoginParts {
  /** The browser target's session. */
  browser: CDPSession;
  contextId: string;
  /** The script that fills origins' storage. */
  storageScript: string;
  failures: FailureLog;
  login: Login | undefined;
  /** Reads the login file again. Undefined if the file cannot be read, which is recorded. */
  loginNow(): Promise<Login | undefined>;
  /** The session's state in a dead worker. Undefined for a new session. */
  stored: StoredParts | undefined;
  /** Notes which login the context has. */
  kept: TrackedStorage;
}

/** The login that a context has, and the parts that it still needs. */
export class SessionLogin {
  readonly #parts: LoginParts;
  /** The cookies of the login are in place. */
  readonly #hasCookies: boolean;
  /** The context's own web storage waits for the first tab. */
  #isWaiting: boolean;
  /** The session storage of tabs that are to be restored. */
  readonly #own: StoredParts["session"];
  /** The login that the context was given last. */
  #given: Login | undefined;

  /** Puts the cookies into the context. Throws AUTHENTICATION_FAILED as {@link loadPart} does. */
  static async begin(parts: LoginParts): Promise<SessionLogin> {
    const { browser, contextId, failures, login, stored, kept } = parts;
    if (stored) {
      kept.known(stored);
      await restoreCookies(parts, stored);
    }
    const hasCookies =
      stored !== undefined ||
      !login ||
      (await loadPart(login, failures, () => loadCookies(browser, contextId, login.state)));
    if (login) kept.loginGiven(login.writtenAtMs);
    return new SessionLogin(parts, { hasCookies, isWaiting: true });
  }

  /** Returns the login of a shared context. Its owner has already loaded the login. */
  static shared(parts: LoginParts): SessionLogin {
    return new SessionLogin(parts, { hasCookies: true, isWaiting: false });
  }

  private constructor(
    parts: LoginParts,
    { hasCookies, isWaiting }: { hasCookies: boolean; isWaiting: boolean },
  ) {
    this.#parts = parts;
    this.#hasCookies = hasCookies;
    this.#isWaiting = isWaiting;
    this.#given = parts.login;
    this.#own = parts.stored?.session ?? new Map();
  }

  /** Keeps the session storage of a closed tab that will be opened again. `own`: by origin. */
  keep(tab: string, own: Map<string, Items>): void {
    this.#own.set(tab, own);
  }

  /**
   * Loads the web storage through the tab, which shows nothing yet. The first tab loads the context's storage too.
   * `url`: the address that the tab is opened for. Resolves to true if the tab already has that address, with an empty
   * document to be reloaded.
   */
  async fill(tab: Tab, url: string): Promise<boolean> {
    const isThere = await this.#fill(tab, url);
    this.#isWaiting = false;
    return isThere;
  }

  /**
   * Loads the login file through the tab, if it is fresher than the loaded login. The tab is left empty if the login
   * has storage. Resolves to false if nothing is fresher, or if it could not be loaded whole. Throws
   * AUTHENTICATION_FAILED as {@link loadPart} does.
   */
  async renew(tab: Tab): Promise<boolean> {
    const { browser, contextId, failures, loginNow, kept } = this.#parts;
    const login = await loginNow();
    if (!login || !isFresher(login, this.#given)) return false;
    const hasCookies = await loadPart(login, failures, () =>
      replaceCookies(browser, tab.client, contextId, login.state),
    );
    const hasStorage = await this.#loadStorage(tab, login);
    if (!hasCookies || !hasStorage) return false;
    this.#given = login;
    kept.loginGiven(login.writtenAtMs);
    failures.authLoaded();
    return true;
  }

  async #loadStorage(tab: Tab, login: Login): Promise<boolean> {
    return await loadPart(login, this.#parts.failures, async () => {
      await this.#load(tab, login.state.origins);
    });
  }

  async #fill(tab: Tab, url: string): Promise<boolean> {
    const { login, stored, failures } = this.#parts;
    if (stored || !login || !this.#isWaiting) return await this.#restore(tab, url);
    const hasStorage = await this.#loadStorage(tab, login);
    if (hasStorage && this.#hasCookies) failures.authLoaded();
    return false;
  }

  /** Restores the stored parts. A part that cannot be restored is recorded, and the session goes on with the rest. */
  async #restore(tab: Tab, url: string): Promise<boolean> {
    const { login, failures, stored } = this.#parts;
    const whole = this.#isWaiting ? stored : undefined;
    const origins = whole ? originsOf(whole, tab.id, login) : ofTab(this.#own, tab.id);
    let isThere = false;
    try {
      isThere = await this.#load(tab, origins, url);
      if (whole && isReplaced(whole, login)) failures.authLoaded();
    } catch (error) {
      if (isGone(error)) throw error;
      failures.incident("storage-not-restored", (error as Error).message, tab);
    }
    this.#own.delete(tab.id);
    return isThere;
  }

  async #load(tab: Tab, origins: readonly StoredOrigin[], url = ""): Promise<boolean> {
    const closed = async () => {
      await tab.interrupts.whenClosed;
      throw new DocumentGone("the tab was closed while its storage was loaded");
    };
    const { storageScript: script, kept } = this.#parts;
    const { client, interception } = tab;
    return await kept.fill(tab, origins, () =>
      Promise.race([loadWebStorage({ tab: client, interception, origins, script, url }), closed()]),
    );
  }
}

/** Restores the cookies. If Chrome refuses one of them, the others are set one by one. */
async function restoreCookies(
  { browser, contextId, failures, login }: LoginParts,
  stored: StoredParts,
): Promise<void> {
  const cookies = cookiesOf(stored, login);
  try {
    await loadCookies(browser, contextId, { cookies, origins: [] });
  } catch (error) {
    if (isGone(error)) throw error;
    const tries = await Promise.allSettled(
      cookies.map((cookie) => loadCookies(browser, contextId, { cookies: [cookie], origins: [] })),
    );
    const refused = tries.filter(({ status }) => status === "rejected").length;
    if (refused > 0)
      failures.incident("storage-not-restored", `${refused} of ${cookies.length} cookies were refused.`);
  }
}

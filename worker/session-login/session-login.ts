// What a browser context begins with: the role's login, or what its session had in a worker that died. Cookies from the
// beginning, web storage with the first tab, and a fresher login once it is asked for.
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

/** What a context's login is loaded with. */
export interface LoginParts {
  /** The browser target's session. */
  browser: CDPSession;
  contextId: string;
  /** The program that fills origins' storage. */
  storageScript: string;
  failures: FailureLog;
  login: Login | undefined;
  /** The login as its file has it now; undefined where it cannot be read, which is recorded. */
  loginNow(): Promise<Login | undefined>;
  /** What the session had in a worker that died; undefined for one that begins. */
  stored: StoredParts | undefined;
  /** Told which login the context has. */
  kept: TrackedStorage;
}

/** What a context has of its login, and what it still needs. */
export class SessionLogin {
  readonly #parts: LoginParts;
  /** The cookies of the login are in place. */
  readonly #hasCookies: boolean;
  /** The context's own web storage waits for the first tab. */
  #isWaiting: boolean;
  /** What tabs that are to be opened again had for themselves. */
  readonly #own: StoredParts["session"];
  /** The login that the context was given last. */
  #given: Login | undefined;

  /** Puts the cookies into the context. Throws AUTHENTICATION_FAILED as {@link loadPart}. */
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

  /** The login of a context that its owner has put it into. */
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

  /** A tab that was closed will be opened again, with its session's storage. `own`: by origin. */
  keep(tab: string, own: Map<string, Items>): void {
    this.#own.set(tab, own);
  }

  /**
   * Loads the web storage by way of the tab, which shows nothing yet: the context's with the first, and the tab's own.
   * `url`: what the tab is opened for. Resolves to whether it stands there already, with an empty document to be loaded
   * anew.
   */
  async fill(tab: Tab, url: string): Promise<boolean> {
    const isThere = await this.#fill(tab, url);
    this.#isWaiting = false;
    return isThere;
  }

  /**
   * Loads the login's file where it is fresher than what was loaded, by way of the tab, which is left empty where the
   * login has storage. False where there is nothing fresher, or it could not be loaded whole. Throws
   * AUTHENTICATION_FAILED as {@link loadPart}.
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

  /** What cannot be restored is recorded, and the session goes on with the rest. */
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
      await tab.whenClosed();
      throw new DocumentGone("the tab was closed while its storage was loaded");
    };
    const { storageScript: script, kept } = this.#parts;
    const { client, interception } = tab;
    return await kept.fill(tab, origins, () =>
      Promise.race([loadWebStorage({ tab: client, interception, origins, script, url }), closed()]),
    );
  }
}

/** One cookie that Chrome does not take must not cost the others. */
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

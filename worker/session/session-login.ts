// The login of one browser context: its cookies from the beginning, its web storage with the first tab, and a fresher
// one once it is asked for.
import type { CDPSession } from "puppeteer-core";
import { DocumentGone } from "../tab/gone.ts";
import type { Tab } from "../tab/tab.ts";
import type { FailureLog } from "./failure-log.ts";
import { loadCookies, loadWebStorage, replaceCookies } from "./load-storage.ts";
import { isFresher, type Login, loadPart } from "./login.ts";

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
}

/** What a context has of its login, and what it still needs. */
export class SessionLogin {
  readonly #parts: LoginParts;
  /** The cookies of the login are in place. */
  readonly #hasCookies: boolean;
  /** The login whose web storage waits for the first tab. */
  #waiting: Login | undefined;
  /** The login that the context was given last. */
  #given: Login | undefined;

  /** Puts the login's cookies into the context. Throws AUTHENTICATION_FAILED as {@link loadPart}. */
  static async begin(parts: LoginParts): Promise<SessionLogin> {
    const { browser, contextId, failures, login } = parts;
    const hasCookies =
      !login || (await loadPart(login, failures, () => loadCookies(browser, contextId, login.state)));
    return new SessionLogin(parts, { hasCookies, waiting: login });
  }

  /** The login of a context that its owner has put it into. */
  static shared(parts: LoginParts): SessionLogin {
    return new SessionLogin(parts, { hasCookies: true, waiting: undefined });
  }

  private constructor(
    parts: LoginParts,
    { hasCookies, waiting }: { hasCookies: boolean; waiting: Login | undefined },
  ) {
    this.#parts = parts;
    this.#hasCookies = hasCookies;
    this.#waiting = waiting;
    this.#given = parts.login;
  }

  /** Loads the web storage by way of the context's first tab, which shows nothing yet. */
  async fill(tab: Tab): Promise<void> {
    const login = this.#waiting;
    if (!login) return;
    const hasStorage = await this.#loadStorage(tab, login);
    this.#waiting = undefined;
    if (hasStorage && this.#hasCookies) this.#parts.failures.authLoaded();
  }

  /**
   * Loads the login's file where it is fresher than what was loaded, by way of the tab, which is left empty where the
   * login has storage. False where there is nothing fresher, or it could not be loaded whole. Throws
   * AUTHENTICATION_FAILED as {@link loadPart}.
   */
  async renew(tab: Tab): Promise<boolean> {
    const { browser, contextId, failures, loginNow } = this.#parts;
    const login = await loginNow();
    if (!login || !isFresher(login, this.#given)) return false;
    const hasCookies = await loadPart(login, failures, () =>
      replaceCookies(browser, tab.client, contextId, login.state),
    );
    const hasStorage = await this.#loadStorage(tab, login);
    if (!hasCookies || !hasStorage) return false;
    this.#given = login;
    failures.authLoaded();
    return true;
  }

  async #loadStorage(tab: Tab, login: Login): Promise<boolean> {
    const { failures, storageScript } = this.#parts;
    const closed = async () => {
      await tab.whenClosed();
      throw new DocumentGone("the tab was closed while its login was loaded");
    };
    return await loadPart(login, failures, () =>
      Promise.race([loadWebStorage(tab.client, login.state, storageScript), closed()]),
    );
  }
}

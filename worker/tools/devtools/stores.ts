// Reads and changes cookies and web storage of the page's origin through Chrome.
import type { Protocol } from "puppeteer-core";
import { fail } from "../../../proto/errors/catalogue.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";

export const AREAS = ["cookies", "local", "session"] as const;
export type Area = (typeof AREAS)[number];

/** One cookie or entry. */
export interface Stored {
  name: string;
  value: string;
  httpOnly: boolean;
  /** The cookie's path and flags in words. */
  attributes: string;
}

/** A place that holds entries. */
export interface Store {
  area: Area;
  /** One entry in words. */
  words: string;
  /** The place in words. */
  place: string;
  all(): Promise<Stored[]>;
  set(name: string, value: string): Promise<void>;
  /** Returns false if there is no such entry. */
  remove(name: string): Promise<boolean>;
  /** Returns how many entries were removed. */
  clear(): Promise<number>;
}

/** Returns the stores of the page's origin. Throws INVALID_ARGUMENT for a page whose origin stores nothing. */
export async function storesOf(page: Page): Promise<Record<Area, Store>> {
  const { url, client, id: frameId } = page.main();
  if (!/^https?:/i.test(url))
    throw fail("INVALID_ARGUMENT", {
      argument: "tab",
      problem: "the page is no http or https page, so it has no storage; open the site's page first",
    });
  const { storageKey } = await page.during(client.send("Storage.getStorageKeyForFrame", { frameId }));
  const { origin } = new URL(url);
  return {
    cookies: cookies(page, url),
    local: webStorage(page, { storageKey, isLocalStorage: true }, origin),
    session: webStorage(page, { storageKey, isLocalStorage: false }, origin),
  };
}

function cookies(page: Page, url: string): Store {
  const { client } = page.main();
  const found = async () => (await page.during(client.send("Network.getCookies", { urls: [url] }))).cookies;
  const drop = async (dropped: readonly Protocol.Network.Cookie[]) => {
    for (const { name, domain, path } of dropped)
      await page.during(client.send("Network.deleteCookies", { name, domain, path }));
    return dropped.length;
  };
  return {
    area: "cookies",
    words: "cookie",
    place: `Cookies for ${new URL(url).origin}`,
    all: async () => (await found()).map((cookie) => ({ ...cookie, attributes: attributesOf(cookie) })),
    async set(name, value) {
      const before = (await found()).find((each) => each.name === name);
      const kept = before && {
        domain: before.domain,
        path: before.path,
        secure: before.secure,
        httpOnly: before.httpOnly,
      };
      const lasting = before && {
        ...(before.sameSite && { sameSite: before.sameSite }),
        ...(before.expires > 0 && { expires: before.expires }),
      };
      const setting = client.send("Network.setCookie", { name, value, url, ...kept, ...lasting });
      const { success } = await page.during(setting.catch(refused));
      if (!success) refused();
    },
    remove: async (name) => (await drop((await found()).filter((each) => each.name === name))) > 0,
    clear: async () => await drop(await found()),
  };
}

function refused(): never {
  throw fail("INVALID_ARGUMENT", {
    argument: "name",
    problem:
      "the browser refuses a cookie of that name and value (RFC 6265 forbids control characters, = and ;)",
  });
}

function attributesOf({ path, httpOnly, secure, sameSite, expires }: Protocol.Network.Cookie): string {
  const until = expires > 0 ? `until ${new Date(expires * 1_000).toISOString().slice(0, 10)}` : "session";
  return [
    path === "/" ? "" : `path ${quote(path, 100)}`,
    httpOnly && "HttpOnly",
    secure && "Secure",
    sameSite,
    until,
  ]
    .filter(Boolean)
    .join(", ");
}

function webStorage(page: Page, storageId: Protocol.DOMStorage.StorageId, origin: string): Store {
  const { client } = page.main();
  const { isLocalStorage } = storageId;
  const found = async () =>
    (await page.during(client.send("DOMStorage.getDOMStorageItems", { storageId }))).entries;
  const name = isLocalStorage ? "localStorage" : "sessionStorage";
  return {
    area: isLocalStorage ? "local" : "session",
    words: `${name} entry`,
    place: `${name} of ${origin}`,
    all: async () =>
      (await found()).map(([key = "", value = ""]) => ({
        name: key,
        value,
        httpOnly: false,
        attributes: "",
      })),
    async set(key, value) {
      await page.during(client.send("DOMStorage.setDOMStorageItem", { storageId, key, value }));
    },
    async remove(key) {
      const has = (await found()).some(([each]) => each === key);
      if (has) await page.during(client.send("DOMStorage.removeDOMStorageItem", { storageId, key }));
      return has;
    },
    async clear() {
      const { length } = await found();
      await page.during(client.send("DOMStorage.clear", { storageId }));
      return length;
    },
  };
}

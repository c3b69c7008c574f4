// browser_storage: lists, shows, sets and removes cookies and web storage of the page's origin. Chrome is asked, not the
// page.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { StorageEntry, StorageRequest } from "../../../proto/gen/troupe.ts";
import { counted } from "../../../proto/text/counted.ts";
import { isSecretName, looksSecret } from "../../../proto/text/secrets.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { AREAS, type Area, type Store, type Stored, storesOf } from "./stores.ts";

const CHARACTERS_PER_TOKEN = 4;
const VALUE_LENGTH_MAX = 200;
const WHOLE_LENGTH_MAX = 500_000;
const ENTRIES_MAX = 200;

export const storage: ToolHandler<"Storage"> = async (request, context) => {
  const page = await context.page();
  page.detail = "refs";
  const stores = await storesOf(page);
  const area = areaOf(request);
  const readable = context.role.config.evaluate;
  switch (request.action) {
    case "STORAGE_ACTION_LIST":
      return await list(page, area === undefined ? AREAS : [area], stores, { name: request.name, readable });
    case "STORAGE_ACTION_GET":
      return await get(page, ...needed(request, area, stores), readable);
    case "STORAGE_ACTION_SET":
      return await set(...needed(request, area, stores), request.value, context);
    case "STORAGE_ACTION_REMOVE": {
      const [store, name] = needed(request, area, stores);
      const removed = await store.remove(name);
      return {
        text: removed
          ? `Removed ${store.words} ${quote(name)}`
          : `There is no ${store.words} ${quote(name)}.`,
        entries: [],
      };
    }
    case "STORAGE_ACTION_CLEAR": {
      const store = stores[area ?? wrongArea()];
      const count = await store.clear();
      return {
        text: `Removed ${counted(count, "entry").replace("entrys", "entries")} of ${store.place}`,
        entries: [],
      };
    }
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["list", "get", "set", "remove", "clear"],
      });
  }
};

const WIRE = {
  cookies: "STORAGE_AREA_COOKIES",
  local: "STORAGE_AREA_LOCAL",
  session: "STORAGE_AREA_SESSION",
} as const;

function areaOf({ area }: StorageRequest): Area | undefined {
  return AREAS.find((each) => WIRE[each] === area);
}

function wrongArea(): never {
  throw fail("INVALID_ARGUMENT", {
    argument: "area",
    problem: "area is missing: which of them is meant",
    allowed: [...AREAS],
  });
}

function needed(
  { name }: StorageRequest,
  area: Area | undefined,
  stores: Record<Area, Store>,
): [Store, string] {
  const store = stores[area ?? wrongArea()];
  if (name === undefined)
    throw fail("INVALID_ARGUMENT", {
      argument: "name",
      problem: "name is missing: which entry is meant",
      example: "theme",
    });
  return [store, name];
}

/** An entry, and whether its value is shown. */
interface Shown extends Stored {
  area: Area;
  masked: boolean;
}

/**
 * Values that look like secrets are masked, unless the role lets scripts run: these could read them. No script can read
 * an HttpOnly cookie, so its value is always masked.
 */
function shown(entry: Stored, area: Area, readable: boolean): Shown {
  const isSecret = isSecretName(entry.name) || looksSecret(entry.value);
  return { ...entry, area, masked: entry.httpOnly || (isSecret && !readable) };
}

async function list(
  page: Page,
  areas: readonly Area[],
  stores: Record<Area, Store>,
  { name, readable }: { name: string | undefined; readable: boolean },
) {
  const found = await Promise.all(
    // Chrome gives entries of the same moment in any order.
    areas.map(async (area) => sorted(await stores[area].all()).map((entry) => shown(entry, area, readable))),
  );
  const all = found.flat().filter((entry) => name === undefined || entry.name === name);
  const kept = all.slice(0, ENTRIES_MAX);
  const lines = areas.flatMap((area) => {
    const own = kept.filter((entry) => entry.area === area);
    return own.length === 0
      ? [`${stores[area].place}: empty`]
      : [`${stores[area].place}:`, ...own.map((entry) => entryLine(entry, VALUE_LENGTH_MAX))];
  });
  const more = all.length > kept.length ? [`… ${all.length - kept.length} more (name shows one)`] : [];
  return { text: [...lines, ...more].join("\n"), entries: kept.map(onWire), shown: page };
}

function sorted(entries: readonly Stored[]): Stored[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function get(page: Page, store: Store, name: string, readable: boolean) {
  const entry = (await store.all()).find((each) => each.name === name);
  if (!entry) return { text: `There is no ${store.words} ${quote(name)}.`, entries: [] };
  const tokens = tokensFor(page.call);
  const room = tokens === 0 ? WHOLE_LENGTH_MAX : Math.round(tokens * CHARACTERS_PER_TOKEN * 0.8);
  const found = shown(entry, store.area, readable);
  return { text: entryLine(found, room), entries: [onWire(found)] };
}

async function set(store: Store, name: string, value: string | undefined, { call }: ToolContext) {
  call.waitsFor = "the value to be stored";
  await store.set(name, value ?? "");
  return {
    text: `Set ${store.words} ${quote(name)}. The page learns of it when it reads it, at the latest after browser_reload.`,
    entries: [],
  };
}

function entryLine({ name, value, masked, httpOnly, attributes }: Shown, lengthMax: number): string {
  const length =
    value.length > lengthMax && !masked ? ` (${value.length.toLocaleString("en-US")} characters)` : "";
  const text = masked
    ? httpOnly
      ? "[masked: HttpOnly]"
      : "[masked: looks like a secret]"
    : quote(value, lengthMax);
  return `  ${quote(name)} = ${text}${length}${attributes === "" ? "" : ` (${attributes})`}`;
}

function onWire({ area, name, value, masked }: Shown): StorageEntry {
  return { area: WIRE[area], name, value: masked ? "" : value.slice(0, WHOLE_LENGTH_MAX), masked };
}

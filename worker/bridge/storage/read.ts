// Reads an origin's storage as JSON text, within bounds. A database that does not fit or does not answer is left out
// whole.
import type { LeftOut, ReadBounds, StoredIndex, StoredRecord } from "./api.ts";
import { abort, completed, NoDatabase, openDatabase } from "./databases.ts";
import { encode, NoForm } from "./encode.ts";

const DATABASES_MAX = 100;

class TooLarge extends Error {}

/** See {@link StorageProgram}. */
export async function readStorage(bounds: string): Promise<string> {
  const { originChars, databaseChars, timeMs } = JSON.parse(bounds) as ReadBounds;
  const run: Run = {
    left: originChars,
    databaseChars,
    timeMs,
    leftOut: [],
    signal: AbortSignal.timeout(timeMs),
  };
  const local = readItems("localStorage", run);
  const session = readItems("sessionStorage", run);
  const databases = await readDatabases(run);
  const parts = [
    `"origin":${JSON.stringify(location.origin)}`,
    `"localStorage":${local}`,
    `"sessionStorage":${session}`,
    `"indexedDB":[${databases.join()}]`,
    `"leftOut":${JSON.stringify(run.leftOut)}`,
  ];
  return `{${parts.join()}}`;
}

interface Run {
  /** The cost that the origin may still cause. */
  left: number;
  databaseChars: number;
  timeMs: number;
  leftOut: LeftOut[];
  signal: AbortSignal;
}

function readItems(area: "localStorage" | "sessionStorage", run: Run): string {
  try {
    const storage = globalThis[area];
    const items: { name: string; value: string }[] = [];
    let chars = 0;
    for (let at = 0; at < storage.length; at++) {
      const name = storage.key(at) ?? "";
      const value = storage.getItem(name) ?? "";
      chars += name.length + value.length;
      if (chars > run.left) throw new TooLarge();
      items.push({ name, value });
    }
    const text = JSON.stringify(items);
    if (text.length > run.left) throw new TooLarge();
    run.left -= text.length;
    return text;
  } catch (error) {
    run.leftOut.push({ area, reason: reasonOf(error) });
    return "[]";
  }
}

async function readDatabases(run: Run): Promise<string[]> {
  const area = "indexedDB";
  try {
    const all = await before(run.signal, indexedDB.databases());
    if (all.length > DATABASES_MAX) run.leftOut.push({ area, reason: "too large" });
    let turn: Promise<unknown> = Promise.resolve();
    const texts = await Promise.all(
      all.slice(0, DATABASES_MAX).map(async ({ name = "" }) => {
        try {
          // All databases are opened at once, so none waits for a blocked one. They are read in turn, so the bounds
          // also limit the memory.
          const database = await openDatabase(name, undefined, run.signal);
          const read = turn.then(() => readDatabase(database, run)).finally(() => database.close());
          turn = Promise.allSettled([read]);
          return [await read];
        } catch (error) {
          if (!(error instanceof NoDatabase))
            run.leftOut.push({ area, database: name, reason: reasonOf(error) });
          return [];
        }
      }),
    );
    return texts.flat();
  } catch (error) {
    run.leftOut.push({ area, reason: reasonOf(error) });
    return [];
  }
}

/** Returns the database's text. Records without a form are counted as left out. */
async function readDatabase(database: IDBDatabase, run: Run): Promise<string> {
  const { name, version } = database;
  const names = [...database.objectStoreNames];
  const spender = spending(run);
  // A database that does not answer leaves time for the others.
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(run.timeMs / 2)]);
  try {
    const stores = names.length === 0 ? [] : await readStores(database, names, spender.spend, signal);
    const text = `{"name":${JSON.stringify(name)},"version":${version},"stores":[${stores.map(({ text }) => text).join()}]}`;
    spender.settle(text.length);
    for (const { store, formless } of stores)
      if (formless > 0)
        run.leftOut.push({ area: "indexedDB", database: name, store, reason: "no form", records: formless });
    return text;
  } catch (error) {
    spender.settle(0);
    throw error;
  }
}

interface StoreText {
  store: string;
  text: string;
  formless: number;
}

async function readStores(
  database: IDBDatabase,
  names: string[],
  spend: Spend,
  signal: AbortSignal,
): Promise<StoreText[]> {
  const transaction = database.transaction(names, "readonly");
  const done = completed(transaction, signal);
  const reading = names.map((name) => startStore(transaction.objectStore(name), spend));
  try {
    const [stores] = await Promise.all([Promise.all(reading), done]);
    return await Promise.all(stores.map((store) => before(signal, finishStore(store))));
  } catch (error) {
    abort(transaction);
    throw error;
  }
}

interface DraftRecord {
  record: StoredRecord;
  pending: (() => Promise<void>)[];
}

interface DraftStore {
  store: string;
  head: object;
  drafts: DraftRecord[];
  formless: number;
}

/** Reads the records one by one, so at most one is held beyond the spent cost. */
function startStore(store: IDBObjectStore, spend: Spend): Promise<DraftStore> {
  const { promise, resolve, reject } = Promise.withResolvers<DraftStore>();
  const head = {
    name: store.name,
    ...keyPathOf(store.keyPath),
    autoIncrement: store.autoIncrement,
    indexes: [...store.indexNames].map((name) => indexOf(store.index(name))),
  };
  const draft: DraftStore = { store: store.name, head, drafts: [], formless: 0 };
  const request = store.openCursor();
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return resolve(draft);
    try {
      draft.drafts.push(recordOf(cursor, store.keyPath === null, spend));
    } catch (error) {
      if (!(error instanceof NoForm)) return reject(error);
      draft.formless++;
    }
    cursor.continue();
  };
  return promise;
}

async function finishStore({ store, head, drafts, formless }: DraftStore): Promise<StoreText> {
  const texts: string[] = [];
  let lost = formless;
  for (const { record, pending } of drafts) {
    try {
      for (const step of pending) await step();
      texts.push(JSON.stringify(record));
    } catch {
      // The blob can no longer be read, or the browser does not give the key.
      lost++;
    }
  }
  return {
    store,
    text: `${JSON.stringify(head).slice(0, -1)},"records":[${texts.join()}]}`,
    formless: lost,
  };
}

function recordOf({ primaryKey, value }: IDBCursorWithValue, withKey: boolean, spend: Spend): DraftRecord {
  const record: StoredRecord = {};
  const inside = encode(value, spend);
  if (inside.isPlain) record.value = value;
  else record.valueEncoded = inside.encoded;
  if (withKey) {
    const key = encode(primaryKey, spend);
    if (key.isPlain) record.key = primaryKey;
    else record.keyEncoded = key.encoded;
  }
  return { record, pending: inside.pending };
}

function indexOf({ name, keyPath, unique, multiEntry }: IDBIndex): StoredIndex {
  return { name, ...keyPathOf(keyPath), unique, multiEntry };
}

function keyPathOf(path: string | string[] | null): { keyPath?: string; keyPathArray?: string[] } {
  if (path === null) return {};
  return typeof path === "string" ? { keyPath: path } : { keyPathArray: [...path] };
}

type Spend = (chars: number) => void;

/** Counts the cost of one database: an estimate while it is read, and its text at the end. */
function spending(run: Run): { spend: Spend; settle(chars: number): void } {
  let spent = 0;
  let isSettled = false;
  const spend = (chars: number) => {
    if (isSettled || spent + chars > run.databaseChars || chars > run.left) throw new TooLarge();
    spent += chars;
    run.left -= chars;
  };
  const settle = (chars: number) => {
    run.left += spent;
    spent = 0;
    spend(chars);
    isSettled = true;
  };
  return { spend, settle };
}

function reasonOf(error: unknown): LeftOut["reason"] {
  if (error instanceof TooLarge) return "too large";
  return error instanceof DOMException && error.name === "TimeoutError" ? "no answer" : "refused";
}

async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason));
  return await Promise.race([work, promise]);
}

// Puts a storage into a document's origin. Each part is separate, and a database is written whole or not at all.
import type { OriginStorage, Refusal, StorageArea, StoredDatabase, StoredItem, StoredStore } from "./api.ts";
import { abort, completed, openDatabase } from "./databases.ts";
import { decode, importKeys } from "./decode.ts";

/** See {@link StorageProgram}. */
export async function fillStorage(text: string, timeMs: number): Promise<string> {
  const {
    localStorage: local,
    sessionStorage: session,
    indexedDB: databases,
  } = JSON.parse(text) as OriginStorage;
  const signal = AbortSignal.timeout(timeMs);
  const refusals: Refusal[] = [];
  const trying = async (area: StorageArea, work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (error) {
      refusals.push({
        area,
        kind: error instanceof Error || error instanceof DOMException ? error.name : "exception",
      });
    }
  };
  const setItems = (storage: Storage, items: StoredItem[]) => {
    for (const { name, value } of items) storage.setItem(name, value);
  };
  await trying("localStorage", () => setItems(localStorage, local));
  await trying("sessionStorage", () => setItems(sessionStorage, session));
  await Promise.all(databases.map((each) => trying("indexedDB", () => fillDatabase(each, signal))));
  return JSON.stringify(refusals);
}

interface Put {
  key: unknown;
  value: unknown;
}

type Records = Map<string, Put[]>;

async function fillDatabase(stored: StoredDatabase, signal: AbortSignal): Promise<void> {
  // The records are decoded before any transaction begins, because transactions do not wait.
  const records: Records = new Map();
  for (const store of stored.stores) records.set(store.name, await decodeRecords(store));
  signal.throwIfAborted();
  if (await refill(stored, records, signal)) return;
  await create(stored, records, signal);
}

/**
 * Returns false unless a database of the same shape exists. A database that pages have open can be filled but not
 * replaced.
 */
async function refill(stored: StoredDatabase, records: Records, signal: AbortSignal): Promise<boolean> {
  const there = (await indexedDB.databases()).some(({ name }) => name === stored.name);
  if (!there) return false;
  const database = await openDatabase(stored.name, undefined, signal);
  try {
    if (shapeOf(database) !== storedShapeOf(stored)) return false;
    await replaceRecords(database, records, signal);
    return true;
  } finally {
    database.close();
  }
}

async function replaceRecords(database: IDBDatabase, records: Records, signal: AbortSignal): Promise<void> {
  const names = [...database.objectStoreNames];
  if (names.length === 0) return;
  const transaction = database.transaction(names, "readwrite");
  const done = completed(transaction, signal);
  try {
    for (const name of names) transaction.objectStore(name).clear();
    putAll(transaction, records);
  } catch (error) {
    abort(transaction);
    // The rejection only says that the transaction was undone.
    await done.catch(() => undefined);
    throw error;
  }
  await done;
}

/** Creates the database in one transaction, and replaces one of a different shape. */
async function create(stored: StoredDatabase, records: Records, signal: AbortSignal): Promise<void> {
  await deleted(stored.name, signal);
  const made = await openDatabase(stored.name, stored.version, signal, (database, transaction) => {
    for (const { name: storeName, autoIncrement, indexes, ...store } of stored.stores) {
      const keyPath = store.keyPathArray ?? store.keyPath ?? null;
      const into = database.createObjectStore(storeName, { keyPath, autoIncrement });
      for (const { name, unique, multiEntry, ...index } of indexes)
        into.createIndex(name, index.keyPathArray ?? index.keyPath ?? "", { unique, multiEntry });
    }
    putAll(transaction, records);
  });
  made.close();
}

function putAll(transaction: IDBTransaction, records: Records): void {
  for (const [name, puts] of records) {
    const store = transaction.objectStore(name);
    for (const { key, value } of puts)
      store.keyPath === null ? store.add(value, key as IDBValidKey) : store.add(value);
  }
}

async function decodeRecords({ records }: StoredStore): Promise<Put[]> {
  const puts: Put[] = [];
  for (const { key, keyEncoded, value, valueEncoded } of records) {
    const keys = await importKeys(valueEncoded);
    puts.push({
      key: keyEncoded === undefined ? key : decode(keyEncoded, keys),
      value: valueEncoded === undefined ? value : decode(valueEncoded, keys),
    });
  }
  return puts;
}

function deleted(name: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = indexedDB.deleteDatabase(name);
  request.onsuccess = () => resolve();
  request.onerror = () => reject(request.error);
  signal.addEventListener("abort", () => reject(signal.reason));
  return promise;
}

/** Returns the shape of a database for a comparison. */
function shapeOf(database: IDBDatabase): string {
  const names = [...database.objectStoreNames];
  if (names.length === 0) return JSON.stringify([database.version, []]);
  const transaction = database.transaction(names, "readonly");
  const stores = names.map((name) => {
    const store = transaction.objectStore(name);
    const indexes = [...store.indexNames].map((each) => {
      const { keyPath, unique, multiEntry } = store.index(each);
      return JSON.stringify([each, keyPath, unique, multiEntry]);
    });
    return JSON.stringify([name, store.keyPath, store.autoIncrement, indexes.sort()]);
  });
  return JSON.stringify([database.version, stores.sort()]);
}

function storedShapeOf({ version, stores }: StoredDatabase): string {
  const shapes = stores.map(({ name, keyPath, keyPathArray, autoIncrement, indexes }) => {
    const inside = indexes.map((index) =>
      JSON.stringify([index.name, index.keyPathArray ?? index.keyPath ?? "", index.unique, index.multiEntry]),
    );
    return JSON.stringify([name, keyPathArray ?? keyPath ?? null, autoIncrement, inside.sort()]);
  });
  return JSON.stringify([version, shapes.sort()]);
}

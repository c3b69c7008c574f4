// Opens databases without blocking a page. Each is held only until a deadline, and is given up to any page that wants
// to change it.

/** The database no longer existed. */
export class NoDatabase extends Error {}

/**
 * Opens a database. `upgrade` is called if the database is new, and without `upgrade` none is created. Rejects with the
 * signal's reason if it does not open in time: a later result is closed and undone. The database is closed by the
 * caller, by the signal, or when a page wants to change it.
 */
export function openDatabase(
  name: string,
  version: number | undefined,
  signal: AbortSignal,
  upgrade?: (database: IDBDatabase, transaction: IDBTransaction) => void,
): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(name, version);
  signal.addEventListener("abort", () => reject(signal.reason));
  request.onupgradeneeded = () => {
    const transaction = request.transaction as IDBTransaction;
    const undo = (error: unknown) => {
      reject(error);
      abort(transaction);
    };
    signal.addEventListener("abort", () => undo(signal.reason));
    if (signal.aborted) return undo(signal.reason);
    if (!upgrade) return undo(new NoDatabase());
    try {
      upgrade(request.result, transaction);
    } catch (error) {
      undo(error);
    }
  };
  request.onsuccess = () => {
    const database = request.result;
    const close = () => database.close();
    database.onversionchange = close;
    signal.addEventListener("abort", close);
    if (signal.aborted) close();
    resolve(database);
  };
  request.onerror = () => reject(request.error);
  return promise;
}

/** Resolves when the transaction is complete. The signal undoes it. */
export function completed(transaction: IDBTransaction, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const undo = () => {
    reject(signal.reason);
    abort(transaction);
  };
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(transaction.error ?? new DOMException("", "AbortError"));
  if (signal.aborted) undo();
  else signal.addEventListener("abort", undo);
  return promise;
}

/** Undoes a transaction that has not ended. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // A transaction that has ended has nothing to undo.
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
  }
}

// Databases opened without holding anybody up: not beyond a deadline, and given up to any page that wants to change them.

/** The database was not there any more. */
export class NoDatabase extends Error {}

/**
 * Opens a database; `upgrade` is called where it is new, and without it none is made. Rejects with the signal's reason
 * where it does not come: what comes later is closed, and nothing of it stays. Closed by the caller, with the signal,
 * and where a page wants to change it.
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

/** Resolves when the transaction is complete; it is undone with the signal. */
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

/** Undoes a transaction, if it has not ended. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // One that has ended has nothing to undo.
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
  }
}

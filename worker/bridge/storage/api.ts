// What the storage program is asked and answers. Both ways it is JSON text: Chrome takes no deep values as they are.

/** Bounds of one reading, in characters of JSON. */
export interface ReadBounds {
  originChars: number;
  databaseChars: number;
  /** A database that does not answer by then is left out. */
  timeMs: number;
}

export type StorageArea = "localStorage" | "sessionStorage" | "indexedDB";

/** Something that is in the origin's storage, and not in what was read. */
export interface LeftOut {
  area: StorageArea;
  database?: string;
  store?: string;
  /**
   * `too large`: beyond the bound. `no answer`: a page holds the database. `no form`: records whose values have no form
   * outside of the browser, such as keys that may not be taken out. `refused`: the browser did not give it.
   */
  reason: "too large" | "no answer" | "no form" | "refused";
  /** How many records, where not the whole store is left out. */
  records?: number;
}

export interface StoredItem {
  name: string;
  value: string;
}

export interface StoredIndex {
  name: string;
  keyPath?: string;
  keyPathArray?: string[];
  unique: boolean;
  multiEntry: boolean;
}

export interface StoredRecord {
  key?: unknown;
  keyEncoded?: unknown;
  value?: unknown;
  valueEncoded?: unknown;
}

export interface StoredStore {
  name: string;
  keyPath?: string;
  keyPathArray?: string[];
  autoIncrement: boolean;
  indexes: StoredIndex[];
  records: StoredRecord[];
}

export interface StoredDatabase {
  name: string;
  version: number;
  stores: StoredStore[];
}

export interface OriginStorage {
  localStorage: StoredItem[];
  sessionStorage: StoredItem[];
  indexedDB: StoredDatabase[];
}

/** An origin's storage as it was read. */
export interface ReadStorage extends OriginStorage {
  origin: string;
  leftOut: LeftOut[];
}

/** Something that could not be put into the storage; `kind` is the exception's name. */
export interface Refusal {
  area: StorageArea;
  kind: string;
}

/** The program, in an isolated world. */
export interface StorageProgram {
  /** {@link ReadBounds} to {@link ReadStorage}. */
  read(bounds: string): Promise<string>;
  /** {@link OriginStorage}, and how long it may take, to {@link Refusal}s. */
  fill(storage: string, timeMs: number): Promise<string>;
}

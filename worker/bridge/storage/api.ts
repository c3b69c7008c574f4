// Defines the questions to the storage program and its answers. Both are JSON text, because Chrome does not pass deep
// values as they are.

/** The bounds of one reading, in characters of JSON. */
export interface ReadBounds {
  originChars: number;
  databaseChars: number;
  /** A database that does not answer within this time is left out. */
  timeMs: number;
}

export type StorageArea = "localStorage" | "sessionStorage" | "indexedDB";

/** Something in the origin's storage that the result does not have. */
export interface LeftOut {
  area: StorageArea;
  database?: string;
  store?: string;
  /**
   * `too large` means beyond the bound. `no answer` means that a page holds the database. `no form` means records whose
   * values have no form outside the browser, such as keys that are not extractable. `refused` means that the browser
   * did not give it.
   */
  reason: "too large" | "no answer" | "no form" | "refused";
  /** The number of records, unless the whole store is left out. */
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

/** Something that could not be put into the storage. `kind` is the exception's name. */
export interface Refusal {
  area: StorageArea;
  kind: string;
}

/** The program, in an isolated world. */
export interface StorageProgram {
  /** Takes {@link ReadBounds} and returns {@link ReadStorage}. */
  read(bounds: string): Promise<string>;
  /** Takes {@link OriginStorage} and a limit of time, and returns {@link Refusal}s. */
  fill(storage: string, timeMs: number): Promise<string>;
}

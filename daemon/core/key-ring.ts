// The keys that encrypt logins in the state folder: the first key writes, all keys read.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readSmallFile, type SmallFile } from "./small-file.ts";
import { StartupError } from "./startup-error.ts";

const KEY_BYTES = 32;
/** NIST SP 800-38D recommends 96 bits for GCM. Random nonces are good for 2^32 records of a key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** A digest of the key. It identifies the key and reveals nothing of it. */
  id: string;
  bytes: Buffer;
}

/** Encrypted data, and the id of its key. */
export interface Sealed {
  keyId: string;
  /** The nonce, the tag and the encrypted text. */
  data: Uint8Array;
}

/** An ordered list of keys. The first key writes. The cipher is AES-256-GCM. */
export class KeyRing {
  #keys: readonly [Key, ...Key[]];

  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys.map((bytes) => ({ id: idOf(bytes), bytes })) as [Key, ...Key[]];
  }

  /** Takes the keys of another ring from now on. Data that only a removed key opens is lost. */
  renew(other: KeyRing): void {
    this.#keys = other.#keys;
  }

  get writingId(): string {
    return this.#keys[0].id;
  }

  /** Returns true if the ring has the key. */
  has(keyId: string): boolean {
    return this.#keys.some(({ id }) => id === keyId);
  }

  /** Returns a key for another purpose, made from the writing key. */
  derived(purpose: string): Buffer {
    return derivedFrom(this.#keys[0], purpose);
  }

  /** Returns such a key of each key, the writing one first. */
  allDerived(purpose: string): readonly Buffer[] {
    return this.#keys.map((key) => derivedFrom(key, purpose));
  }

  /** Encrypts the text. `about` names its subject; {@link open} needs the same name. */
  seal(text: Uint8Array, about: string): Sealed {
    const [{ id: keyId, bytes }] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(about));
    const sealed = [cipher.update(text), cipher.final()];
    return { keyId, data: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]) };
  }

  /** Returns undefined if the ring lacks the key, or if the data or `about` differs from the sealed one. */
  open({ keyId, data }: Sealed, about: string): Buffer | undefined {
    const key = this.#keys.find(({ id }) => id === keyId);
    if (!key || data.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const bytes = Buffer.from(data);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const cipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(about));
    cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([text, cipher.final()]);
    } catch {
      // The cipher throws for one reason only: the tag does not match.
      return undefined;
    }
  }
}

/** A file's path, and the same path as the configuration writes it. */
export interface KeyFile {
  file: string;
  shown: string;
}

/**
 * Reads the keys in these files. Without files it reads the state folder's own key, and makes that key if it is
 * missing. Throws a StartupError.
 */
export function readKeyRing(files: readonly KeyFile[] | undefined, own: string): KeyRing {
  const [first, ...others] = files ?? [];
  if (first) return new KeyRing([readKey(first), ...others.map((each) => readKey(each))]);
  // A daemon that died during the write leaves an empty file. The mode of that file is right already.
  if (!existsSync(own) || readFileSync(own, "utf8").trim() === "")
    writeFileSync(own, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600 });
  return new KeyRing([readKey({ file: own, shown: own })]);
}

function readKey({ file, shown }: KeyFile): Buffer {
  const found = readStateKey(file);
  if ("bytes" in found) return found.bytes;
  throw new StartupError("configuration", `stateKeys: ${shown} ${found.why}`);
}

/** Returns the key in a file, or the reason that there is none. The reason's words follow the file's name. */
export function readStateKey(file: string): SmallFile {
  const found = readSmallFile(file);
  if ("why" in found || found.bytes.length === KEY_BYTES) return found;
  const text = found.bytes.toString("latin1").trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return { bytes: Buffer.from(text, "hex") };
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return { bytes: Buffer.from(text, "base64") };
  return {
    why: "is no key; a key is 32 bytes, as they are, in hexadecimal or in base64, such as: openssl rand -hex 32",
  };
}

function derivedFrom({ bytes }: Key, purpose: string): Buffer {
  return createHmac("sha256", bytes).update(`troupe ${purpose}\n`).digest();
}

function idOf(key: Buffer): string {
  return createHash("sha256").update("troupe state key\n").update(key).digest("hex").slice(0, 16);
}

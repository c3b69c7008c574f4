// The keys that encrypt what the state folder keeps of logins: the first writes, all read.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readSmallFile, type SmallFile } from "./small-file.ts";
import { StartupError } from "./startup-error.ts";

const KEY_BYTES = 32;
/** What NIST SP 800-38D recommends for GCM; drawn at random, good for 2^32 records of a key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** A digest of the key: tells keys apart, and says nothing of them. */
  id: string;
  bytes: Buffer;
}

/** Something encrypted, and by which key. */
export interface Sealed {
  keyId: string;
  /** Nonce, tag, text. */
  data: Uint8Array;
}

/** Keys, the one that writes first. AES-256-GCM. */
export class KeyRing {
  readonly #keys: readonly [Key, ...Key[]];

  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys.map((bytes) => ({ id: idOf(bytes), bytes })) as [Key, ...Key[]];
  }

  get writingId(): string {
    return this.#keys[0].id;
  }

  /** `about`: what the text is of; it opens only as that. */
  seal(text: Uint8Array, about: string): Sealed {
    const [{ id: keyId, bytes }] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(about));
    const sealed = [cipher.update(text), cipher.final()];
    return { keyId, data: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]) };
  }

  /** Undefined where its key is not in the ring, or it is not what was sealed. */
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
      // Its only error: the tag is another.
      return undefined;
    }
  }
}

/** A file's path, and how the configuration writes it. */
export interface KeyFile {
  file: string;
  shown: string;
}

/** The keys of these files; without any, the one of the state folder, made where there is none. Throws a Refusal. */
export function readKeyRing(files: readonly KeyFile[] | undefined, own: string): KeyRing {
  const [first, ...others] = files ?? [];
  if (first) return new KeyRing([readKey(first), ...others.map((each) => readKey(each))]);
  // A daemon that died while it wrote leaves an empty file, whose mode is right.
  if (!existsSync(own) || readFileSync(own, "utf8").trim() === "")
    writeFileSync(own, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600 });
  return new KeyRing([readKey({ file: own, shown: own })]);
}

function readKey({ file, shown }: KeyFile): Buffer {
  const found = readStateKey(file);
  if ("bytes" in found) return found.bytes;
  throw new StartupError("configuration", `stateKeys: ${shown} ${found.why}`);
}

/** The key in a file, or why there is none, in words that follow the file's name. */
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

function idOf(key: Buffer): string {
  return createHash("sha256").update("troupe state key\n").update(key).digest("hex").slice(0, 16);
}

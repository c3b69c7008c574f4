// A PDF that opens only with a password (ISO 32000-1, 7.6: the standard security handler, revision 2, RC4 of 40 bits).
import { createHash } from "node:crypto";

/** The parts that a program needs to write such a file. */
export interface Lock {
  /** The entries of the trailer, and the object of the encryption dictionary. */
  dictionary: string;
  id: string;
  /** Locks a stream or a string of that object. The content is latin1 text. */
  lock(objectNumber: number, content: string): string;
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const ID = Buffer.from("0123456789abcdef0123456789abcdef", "hex");
/** The password permits everything. */
const PERMISSIONS = -4;

/** Locks with one password for readers and owners. */
export function lockOf(password: string): Lock {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(Buffer.concat([padded, owner, permissions, ID])).subarray(0, 5);
  const user = rc4(key, PADDING);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString("hex")}> /U <${user.toString("hex")}> /P ${PERMISSIONS} >>`,
    id: ID.toString("hex"),
    lock(objectNumber, content) {
      const salt = Buffer.alloc(5);
      salt.writeUIntLE(objectNumber, 0, 3);
      const own = md5(Buffer.concat([key, salt])).subarray(0, 10);
      return rc4(own, Buffer.from(content, "latin1")).toString("latin1");
    },
  };
}

const md5 = (data: Buffer) => createHash("md5").update(data).digest();

/** OpenSSL no longer has RC4, and PDFs still use it. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number) => state[index & 255] ?? 0;
  const swap = (one: number, other: number) => {
    const kept = at(one);
    state[one & 255] = at(other);
    state[other & 255] = kept;
  };
  for (let one = 0, other = 0; one < 256; one++) {
    other = (other + at(one) + (key[one % key.length] ?? 0)) & 255;
    swap(one, other);
  }
  let one = 0;
  let other = 0;
  return Buffer.from(
    data.map((byte) => {
      one = (one + 1) & 255;
      other = (other + at(one)) & 255;
      swap(one, other);
      return byte ^ at(at(one) + at(other));
    }),
  );
}

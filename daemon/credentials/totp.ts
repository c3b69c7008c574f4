// Computes time-based one-time passwords (RFC 6238, with HOTP of RFC 4226).
import { createHmac } from "node:crypto";

const ALGORITHMS = { SHA1: "sha1", SHA256: "sha256", SHA512: "sha512" } as const;
const DIGITS = { least: 6, most: 10 };
const PERIOD_S_MAX = 3_600;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export interface Seed {
  key: Buffer;
  algorithm: (typeof ALGORITHMS)[keyof typeof ALGORITHMS];
  digits: number;
  periodS: number;
}

/** Reads a seed: base32 (RFC 4648, 6), or an `otpauth://totp/` address. Returns why it is none: `holds no seed`. */
export function seedOf(text: string): Seed | { problem: string } {
  const trimmed = text.trim();
  if (/^otpauth:/i.test(trimmed)) return seedOfAddress(trimmed);
  const key = fromBase32(trimmed);
  if (!key) return { problem: "holds no seed: neither base32 nor an otpauth:// address" };
  return { key, algorithm: "sha1", digits: 6, periodS: 30 };
}

/** Returns the code of that moment. */
export function codeAt({ key, algorithm, digits, periodS }: Seed, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 1000 / periodS)));
  const hash = createHmac(algorithm, key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

function seedOfAddress(text: string): Seed | { problem: string } {
  if (!URL.canParse(text)) return { problem: "holds a malformed otpauth:// address" };
  const { host, searchParams } = new URL(text);
  if (host.toLowerCase() !== "totp")
    return { problem: "holds an otpauth:// address of another kind than totp" };
  const key = fromBase32(searchParams.get("secret") ?? "");
  const named = (searchParams.get("algorithm") ?? "SHA1").toUpperCase();
  const algorithm = Object.hasOwn(ALGORITHMS, named)
    ? ALGORITHMS[named as keyof typeof ALGORITHMS]
    : undefined;
  const digits = Number(searchParams.get("digits") ?? 6);
  const periodS = Number(searchParams.get("period") ?? 30);
  if (!key) return { problem: "holds an otpauth:// address without a base32 secret" };
  if (!algorithm) return { problem: "holds an otpauth:// address with an unknown algorithm" };
  if (!Number.isInteger(digits) || digits < DIGITS.least || digits > DIGITS.most)
    return { problem: `holds an otpauth:// address whose digits are not ${DIGITS.least} to ${DIGITS.most}` };
  if (!Number.isInteger(periodS) || periodS < 1 || periodS > PERIOD_S_MAX)
    return { problem: "holds an otpauth:// address whose period is not 1 to 3600 seconds" };
  return { key, algorithm, digits, periodS };
}

function fromBase32(text: string): Buffer | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, "").replace(/=+$/, "");
  if (!/^[A-Z2-7]{2,}$/.test(letters)) return undefined;
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of letters) {
    bits = ((bits << 5) | BASE32.indexOf(letter)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  return Buffer.from(bytes);
}

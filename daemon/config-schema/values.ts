// The kinds of values in the configuration. Each one checks a value and describes the allowed ones.
import * as z from "zod";

const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const SIZE = /^(\d+(?:\.\d+)?)(B|KiB|MiB|GiB)$/;
const RATE = /^(\d+)\/(s|m|h)$/;

/** A role's name. It becomes part of addresses and metric labels. */
export const ROLE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Converts `250ms`, `30s`, `5m`, `1h` or `30d` to milliseconds. Returns undefined for any other text. */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  return match ? Math.round(Number(match[1]) * MS[match[2] as keyof typeof MS]) : undefined;
}

/** Converts a size such as `1500MiB` to bytes. Returns undefined for any other text. */
function parseSizeBytes(text: string): number | undefined {
  const match = SIZE.exec(text);
  return match ? Math.round(Number(match[1]) * BYTES[match[2] as keyof typeof BYTES]) : undefined;
}

/** A duration within bounds, in milliseconds. */
export function duration(least: string, most: string) {
  const [from = 0, to = 0] = [parseDurationMs(least), parseDurationMs(most)];
  return measured(
    parseDurationMs,
    from,
    to,
    DURATION,
    `a duration from ${least} to ${most}, such as ${durationsWithin(from, to)}`,
  );
}

/** A duration within bounds in milliseconds, or `never` as 0. */
export function durationOrNever(least: string, most: string) {
  const given = duration(least, most);
  const { allowed } = given.meta() as { allowed: string };
  return z
    .union([z.literal("never").transform(() => 0), given])
    .meta({ allowed: `${allowed}, or never`, words: ["never"] });
}

function durationsWithin(least: number, most: number): string {
  const within = ["250ms", "30s", "5m", "1h", "30d"].filter((text) => {
    const ms = parseDurationMs(text) ?? 0;
    return ms >= least && ms <= most;
  });
  return within.join(", ").replace(/, (\w+)$/, " or $1");
}

/** A size within bounds, in bytes. */
export function size(least: string, most: string) {
  const [from = 0, to = 0] = [parseSizeBytes(least), parseSizeBytes(most)];
  return measured(parseSizeBytes, from, to, SIZE, `a size from ${least} to ${most}, such as 64MiB or 1.5GiB`);
}

/** A rate: a number of events, and the milliseconds in which they may come. */
export function rate() {
  return z
    .string()
    .regex(RATE)
    .transform((text) => {
      const [, count = "", unit = "s"] = RATE.exec(text) ?? [];
      return { count: Number(count), perMs: MS[unit as keyof typeof MS] };
    })
    .meta({ allowed: "a rate such as 20/s, 100/m or 1000/h" });
}

/** A whole number within bounds. */
export function whole(least: number, most: number) {
  return z
    .int()
    .min(least)
    .max(most)
    .meta({ allowed: `a whole number from ${least} to ${most}` });
}

export function flag() {
  return z.boolean().meta({ allowed: "true or false" });
}

export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words).meta({ allowed: words.join(", "), words: [...words] });
}

/** Text that `allowed` describes. */
export function text(allowed: string, pattern: RegExp = /^[^\0]{1,4096}$/) {
  return z.string().regex(pattern).meta({ allowed });
}

/** sqlite, or the address of a PostgreSQL. No message shows it, because it may hold a password. */
export function storeAddress() {
  return z
    .string()
    .regex(/^(?:sqlite|postgres(?:ql)?:\/\/[^\s/?#]+\/[^\s/?#]+(?:\?[^\s#]*)?)$/)
    .refine((text) => text === "sqlite" || URL.canParse(text))
    .meta({
      allowed: "sqlite or postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters as %2F",
      secret: true,
    });
}

/** The path of a file, relative to the configuration's folder. */
export function filePath() {
  return text("the path of a file");
}

/** An http or https address. */
export function webAddress() {
  return z
    .string()
    .refine(isWebAddress)
    .meta({ allowed: "an http or https address, such as https://shop.example/" });
}

/** The address of a running browser. */
export function browserAddress() {
  return z
    .string()
    .refine(isBrowserAddress)
    .meta({
      allowed: "an address such as http://127.0.0.1:9222, a ws: address, or auto",
      words: ["auto"],
    });
}

/** An origin of documents or requests: `https://*.shop.example`, `http://127.0.0.1:8080`, or a whole scheme, `file:`. */
export function origin() {
  return text(
    "scheme://host[:port] without a path, where *.host means the host and all below it",
    /^[a-z][a-z0-9+.-]*:(?:\/\/(?:\*\.)?[^\s/?#@*]+)?$/i,
  );
}

/** An origin of documents. ` read-only` behind it: its pages may only be looked at. */
export function documentOrigin() {
  return text(
    "scheme://host[:port] without a path, where *.host means the host and all below it, and read-only behind it means that its pages may only be looked at",
    /^[a-z][a-z0-9+.-]*:(?:\/\/(?:\*\.)?[^\s/?#@*]+(?: +read-only)?)?$/i,
  );
}

/** Splits what `documentOrigin` allows. */
export function splitOrigin(written: string): { origin: string; readOnly: boolean } {
  const [origin = "", mode] = written.split(/ +/);
  return { origin, readOnly: mode !== undefined };
}

/** An action that waits for a person. */
export function approval() {
  return text(
    "downloads, uploads, submit:ADDRESS or navigate:ADDRESS, such as submit:https://*.bank.example/transfer*",
    /^(?:downloads|uploads|(?:submit|navigate):https?:\/\/(?:\*\.)?[^\s/?#@*]+(?:\/[^\s?#]*)?)$/i,
  );
}

function measured(
  parse: (text: string) => number | undefined,
  least: number,
  most: number,
  pattern: RegExp,
  allowed: string,
) {
  return z
    .string()
    .regex(pattern)
    .transform((text) => parse(text) ?? Number.NaN)
    .refine((value) => value >= least && value <= most)
    .meta({ allowed });
}

function isBrowserAddress(text: string): boolean {
  if (text === "auto") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^(?:https?|wss?):$/.test(protocol) && username + password === "";
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

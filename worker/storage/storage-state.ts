// Reads a login file, Playwright's storageState, and checks all of it.
import { open as openFile } from "node:fs/promises";
import * as z from "zod";
import type { StoredDatabase } from "../bridge/storage/api.ts";
import { isEncoded, isShallow } from "./encoded-value.ts";

const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Counts levels of JSON. A value inside a database has up to four for each of its own. */
const DEPTH_MAX = 1_000;
/** Chrome's own bound on a database's version. */
const VERSION_MAX = Number.MAX_SAFE_INTEGER;

const item = z.object({ name: z.string(), value: z.string() });
const cookie = z
  .object({
    name: z.string(),
    value: z.string(),
    domain: z.string().min(1).optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    path: z.string().default("/"),
    /** Seconds since the epoch; -1 for a session's cookie. */
    expires: z.number().default(-1),
    httpOnly: z.boolean().default(false),
    secure: z.boolean().default(false),
    sameSite: z.enum(["Strict", "Lax", "None"]).optional(),
    partitionKey: z.string().optional(),
    /** Playwright's name for this field. */
    _crHasCrossSiteAncestor: z.boolean().optional(),
  })
  .refine(({ domain, url }) => domain || url, { error: "a cookie needs a domain or a url" });
const keyPath = { keyPath: z.string().optional(), keyPathArray: z.array(z.string()).optional() };
const encoded = z.unknown().refine((value) => value === undefined || isEncoded(value), {
  error: "a value in no form that Playwright writes",
});
const database = z.object({
  name: z.string(),
  version: z.int().min(1).max(VERSION_MAX),
  stores: z.array(
    z.object({
      name: z.string(),
      ...keyPath,
      autoIncrement: z.boolean().default(false),
      indexes: z
        .array(
          z.object({
            name: z.string(),
            ...keyPath,
            unique: z.boolean().default(false),
            multiEntry: z.boolean().default(false),
          }),
        )
        .default([]),
      records: z
        .array(
          z.object({
            key: z.unknown().optional(),
            keyEncoded: encoded.optional(),
            value: z.unknown().optional(),
            valueEncoded: encoded.optional(),
          }),
        )
        .default([]),
    }),
  ),
}) satisfies z.ZodType<StoredDatabase>;
const schema = z.object({
  cookies: z.array(cookie).default([]),
  origins: z
    .array(
      z.object({
        origin: z.url({ protocol: /^https?$/, error: "an origin is such as https://example.com" }),
        localStorage: z.array(item).default([]),
        sessionStorage: z.array(item).default([]),
        indexedDB: z.array(database).default([]),
      }),
    )
    .default([]),
});

export type StorageState = z.infer<typeof schema>;
export type StoredCookie = StorageState["cookies"][number];
export type StoredOrigin = StorageState["origins"][number];

/** The content of a login file. */
export interface StoredLogin {
  state: StorageState;
  /** When the file was last written. */
  writtenAtMs: number;
}

/** Reads the file. Rejects with an Error that names the problem, and never quotes the content. */
export async function readStorageState(file: string, shown: string): Promise<StoredLogin> {
  try {
    await using handle = await openFile(file);
    const { mtimeMs, size } = await handle.stat();
    if (size > FILE_BYTES_MAX)
      throw new Error(
        `Failed to load auth from ${shown}: it is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`,
      );
    const text = await handle.readFile("utf8");
    return { state: parseStorageState(text, shown), writtenAtMs: mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `Failed to load auth from ${shown}: ${READ_PROBLEMS[code] ?? "it cannot be read"} (${code})`,
      { cause: error },
    );
  }
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: "file not found",
  EACCES: "the daemon's user may not read it",
  EISDIR: "it is a folder",
};

/** Checks a file's text. Throws an Error that names the problem, and never quotes the content. */
export function parseStorageState(text: string, shown: string): StorageState {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's message would quote the file.
    throw new Error(`Failed to load auth from ${shown}: it is not JSON`);
  }
  if (!isShallow(json, DEPTH_MAX))
    throw new Error(`Failed to load auth from ${shown}: no storageState: it is nested too deep`);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `Failed to load auth from ${shown}: no storageState: ${issue?.path.join(".") || "the whole"}: ${issue?.message}`,
  );
}

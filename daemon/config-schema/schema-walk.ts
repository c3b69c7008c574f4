// Finds the part of the definition at a path of the configuration.
import * as z from "zod";

/** The position of a value: keys and indexes from the top. */
export type Path = readonly PropertyKey[];

/** Returns the schema at `path`, or undefined if the definition has none. */
function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of path) at = at && below(bare(at), key);
  return at;
}

/** Returns the allowed keys of the map at `path`; empty if any key is allowed. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  const plain = at && bare(at);
  return plain instanceof z.ZodObject ? Object.keys(plain.shape) : [];
}

/** Returns the allowed values at `path` in words, the words of a choice, and if the value is a secret. */
export function meaningAt(
  schema: z.ZodType,
  path: Path,
): { allowed?: string; words?: string[]; secret?: boolean } {
  for (let at = schemaAt(schema, path); at; at = unwrapped(at)) {
    const { allowed, words, secret } = (at.meta() ?? {}) as {
      allowed?: string;
      words?: string[];
      secret?: boolean;
    };
    if (allowed) return { allowed, words, secret: secret === true };
    if (at instanceof z.ZodObject) return { allowed: `keys: ${Object.keys(at.shape).join(", ")}` };
  }
  return {};
}

function bare(schema: z.ZodType): z.ZodType {
  let at = schema;
  for (let inner = unwrapped(at); inner; inner = unwrapped(at)) at = inner;
  return at;
}

function unwrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return schema.unwrap() as z.ZodType;
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : undefined;
}

function below(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] as z.ZodType | undefined;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const list = schema.options.find((option) => bare(option as z.ZodType) instanceof z.ZodArray);
  return list && below(bare(list as z.ZodType), key);
}

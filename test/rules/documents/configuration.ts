// Writes CONFIGURATION.md, and the JSON Schema of troupe.yaml for editors, from the configuration's definition.
import { z } from "zod";
import { definition } from "../../../daemon/config-schema/definition.ts";
import { code, document, fence, table } from "./markdown.ts";

interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  allowed?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

/** Returns the schema for editors, with durations, sizes and paths as they are written. */
export function configurationSchema(): string {
  return `${JSON.stringify({ title: "troupe.yaml", ...(forEditors(schemaOf()) as object) }, null, 2)}\n`;
}

/** Removes our own words beside the standard's. Allowed values become part of the description. */
function forEditors(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(forEditors);
  if (typeof part !== "object" || part === null) return part;
  const { allowed, words: _words, secret: _secret, ...standard } = part as Record<string, unknown>;
  const { description } = standard;
  if (typeof allowed === "string" && typeof description === "string")
    standard.description = `${description} (${allowed})`;
  return Object.fromEntries(Object.entries(standard).map(([name, value]) => [name, forEditors(value)]));
}

export function configurationDocument(): string {
  const { properties = {} } = schemaOf();
  const plain = Object.entries(properties).filter(([, schema]) => rowsOf("", schema).length === 0);
  const grouped = Object.entries(properties).filter(([, schema]) => rowsOf("", schema).length > 0);
  return document([
    "# Configuration",
    "`troupe.yaml` in the current folder or a parent, `--config FILE`, or `TROUPE_CONFIG`. Nothing in it is required. Relative paths are relative to the file's folder. It is checked whole at start: a wrong key or value is answered with its line, what was found, what is allowed and the nearest key, and exit code 78. A key that is known and not acted on in this version is said at start, or refused where leaving it out would be unsafe.",
    "Editors check it with the schema beside this file. In a project with the package:",
    fence("# yaml-language-server: $schema=node_modules/troupe/docs/troupe.schema.json", "yaml"),
    table(
      HEAD,
      plain.map(([name, schema]) => row(name, schema)),
    ),
    ...grouped.flatMap(([name, schema]) => [
      `## ${name}`,
      `${schema.description ?? name}.`,
      table(HEAD, rowsOf(name, schema)),
    ]),
  ]);
}

const HEAD = ["key", "allowed", "default", "what it is"];

function schemaOf(): Schema {
  return z.toJSONSchema(definition, { io: "input" }) as Schema;
}

/** Returns the keys below one, with their paths. A list's entries are written `[]`, and a map's values NAME. */
function rowsOf(path: string, schema: Schema): string[][] {
  const below = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, inner]) => rowsAt(`${path}.${name}`, inner));
  if (below?.properties) return rowsOf(`${path}.NAME`, below);
  return schema.items?.properties ? rowsOf(`${path}[]`, schema.items) : [];
}

function rowsAt(path: string, schema: Schema): string[][] {
  const inner = rowsOf(path, schema);
  const { description = "" } = schema;
  return inner.length > 0
    ? inner.map(([key = "", allowed = "", standard = "", said]) => [
        key,
        allowed,
        standard,
        said || description,
      ])
    : [row(path, schema)];
}

function row(name: string, { allowed, type, default: standard, description = "" }: Schema): string[] {
  const shown = standard === undefined || JSON.stringify(standard) === "{}" ? "" : code(spelled(standard));
  return [code(name), allowed ?? type ?? "", shown, description];
}

function spelled(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

// Adds Troupe to the text of a file that may exist. It never changes what is there.
import { isObject } from "../../../proto/wire/struct.ts";
import { insertedJson } from "./json-insert.ts";

/** The new text, or the reason that the file stays as it is. */
export type Merge = { text: string } | { kept: string } | { problem: string; paste: string };

/** The name of the entry in clients' files. */
const NAME = "troupe";

/** Adds a server to a client's JSON. `text` is undefined if there is no file. */
export function mergedJson(text: string | undefined, key: string, server: object): Merge {
  const alone = `${JSON.stringify({ [key]: { [NAME]: server } }, undefined, 2)}\n`;
  if (text === undefined || text.trim() === "") return { text: alone };
  const paste = alone;
  const found = parsed(text.replace(/^\ufeff/, ""));
  if ("problem" in found) return { problem: found.problem, paste };
  const { value } = found;
  if (!isObject(value)) return { problem: "it is JSON, but no object", paste };
  const servers = Object.hasOwn(value, key) ? value[key] : {};
  if (!isObject(servers)) return { problem: `its ${key} is no object`, paste };
  if (Object.hasOwn(servers, NAME)) return { kept: `it has a server ${NAME} already` };
  return { text: insertedJson(text, key, NAME, server) };
}

/** Adds a table for a server to a client's TOML. `text` is undefined if there is no file. */
export function mergedToml(text: string | undefined, key: string, server: object): Merge {
  const rows = Object.entries(server).map(([name, value]) => `${name} = ${tomlValue(value)}`);
  const table = [`[${key}.${NAME}]`, ...rows, ""].join("\n");
  if (text === undefined || text.trim() === "") return { text: table };
  const servers = String.raw`["']?${key}["']?[ \t]*`;
  const own = new RegExp(String.raw`^[ \t]*\[[ \t]*${servers}\.[ \t]*["']?${NAME}["']?[ \t]*[\].]`, "m");
  if (own.test(text)) return { kept: `it has a server ${NAME} already` };
  // All servers in one value or one table: it cannot be extended by a table, or may hold this very server.
  const whole = new RegExp(String.raw`^[ \t]*(?:${servers}[.=]|\[[ \t]*${servers}\])`, "m");
  if (whole.test(text)) return { problem: `it has ${key} as one value or table`, paste: table };
  const quotes = text.match(/"""|'''/g) ?? [];
  if (quotes.length % 2 === 1) return { problem: "it has a text that does not end", paste: table };
  return { text: `${text.replace(/\n*$/, "\n")}\n${table}` };
}

/** Adds the folder with the logins to a .gitignore. */
export function mergedIgnore(text: string | undefined): Merge {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.trim());
  if (lines.some((line) => /^(\*\*\/|\/)?auth(\/(\*{1,2})?)?$/.test(line)))
    return { kept: "it has auth/ already" };
  const before = text === undefined || text === "" ? "" : text.replace(/\n?$/, "\n");
  return { text: `${before}# Logins of Troupe's roles\nauth/\n` };
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `it is not plain JSON: ${(error as Error).message.split("\n")[0]}` };
  }
}

/** A basic string of TOML has the escapes of JSON. */
function tomlValue(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map(tomlValue).join(", ")}]`
    : JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

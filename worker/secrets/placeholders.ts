// Reads the names of credentials in a text to type: `{{customer.password}}`.
import { nearest } from "../../proto/text/nearest.ts";

const PLACEHOLDER = /\{\{\s*([\w-]{1,64})(?:\.([\w-]{1,64}))?\s*\}\}/g;

/** A role's own credentials. */
export interface Known {
  role: string;
  names: readonly string[];
}

/** A text with its placeholders. `names`: of credentials, without the role's. */
export interface Template {
  names: string[];
  /** Returns the text with these values in the placeholders' places. */
  filled(values: ReadonlyMap<string, string>): string;
}

/** A placeholder for a credential that the role does not have. `nearest`: the placeholder that was probably meant. */
export interface UnknownName {
  nearest: string | undefined;
}

export function placeholderOf(role: string, name: string): string {
  return `{{${role}.${name}}}`;
}

/** Returns the text's placeholders; undefined for a text without any. */
export function templateOf(text: string, { role, names }: Known): Template | undefined {
  const used = [...text.matchAll(PLACEHOLDER)].flatMap(([, owner, name = ""]) =>
    owner === role && names.includes(name) ? name : [],
  );
  if (used.length === 0) return undefined;
  return {
    names: [...new Set(used)],
    filled: (values) =>
      text.replace(PLACEHOLDER, (whole, owner: string, name = "") =>
        owner === role ? (values.get(name) ?? whole) : whole,
      ),
  };
}

/**
 * Returns the first placeholder that names no credential of the role. In a role without credentials, braces may be
 * meant as they are, unless they name the role itself.
 */
export function unknownName(text: string, { role, names }: Known): UnknownName | undefined {
  for (const [, owner = "", name] of text.matchAll(PLACEHOLDER)) {
    const isOfRole = name !== undefined && owner === role;
    if (isOfRole && names.includes(name)) continue;
    const isMeant = isOfRole || (names.length > 0 && (name !== undefined || names.includes(owner)));
    if (!isMeant) continue;
    const meant = nearest(name ?? owner, names);
    return { nearest: meant && placeholderOf(role, meant) };
  }
  return undefined;
}

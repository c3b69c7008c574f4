// How a case is written down: markup, which element is meant, and what it must be called.

/** What the public tests of the web platform expect of one element. */
export interface Case {
  /** Unique among all cases. */
  id: string;
  /** The element that is asked for has the attribute `@`. */
  html: string;
  /** In our spelling: `img`, and `generic` for whatever means nothing. */
  role?: string;
  name?: string;
}

/** What the bridge says of a case's element, and its line in the tree where it has a ref there. */
export interface Said {
  role: string;
  name: string;
  line: string | undefined;
}

/** One case an entry: `id`, markup, the role expected. */
export function roleCases(
  subject: string,
  table: readonly [id: string, html: string, role: string][],
): Case[] {
  return table.map(([id, html, role]) => ({ id: `${subject}: ${id}`, html, role }));
}

/** One case an entry: `id`, markup, the name expected. */
export function nameCases(
  subject: string,
  table: readonly [id: string, html: string, name: string][],
): Case[] {
  return table.map(([id, html, name]) => ({ id: `${subject}: ${id}`, html, name }));
}

/** Several elements of one markup, marked `@1`, `@2`…, with the role of each in order. */
export function rolesWithin(subject: string, html: string, roles: readonly string[]): Case[] {
  return roles.map((role, index) => ({
    id: `${subject}: ${index + 1} ${role}`,
    html: only(html, index + 1),
    role,
  }));
}

/** Likewise with names. */
export function namesWithin(subject: string, html: string, names: readonly string[]): Case[] {
  return names.map((name, index) => ({ id: `${subject}: ${index + 1}`, html: only(html, index + 1), name }));
}

function only(html: string, number: number): string {
  return html.replace(/@(\d+)/g, (_mark, at) => (Number(at) === number ? "@" : ""));
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** A picture of one pixel. */
export const PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";

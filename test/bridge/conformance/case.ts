// Defines how a case is written: markup, the element in question, and its expected role or name.

/** The expectation of the web platform's public tests for one element. */
export interface Case {
  /** The id is unique among all cases. */
  id: string;
  /** The element in question has the attribute `@`. */
  html: string;
  /** The role is in the project's spelling: `img`, and `generic` for an element that means nothing. */
  role?: string;
  name?: string;
}

/** The bridge's answer for a case's element, and its line in the tree if it has a ref there. */
export interface Said {
  role: string;
  name: string;
  line: string | undefined;
}

/** Makes a case of each entry: `id`, markup, the expected role. */
export function roleCases(
  subject: string,
  table: readonly [id: string, html: string, role: string][],
): Case[] {
  return table.map(([id, html, role]) => ({ id: `${subject}: ${id}`, html, role }));
}

/** Makes a case of each entry: `id`, markup, the expected name. */
export function nameCases(
  subject: string,
  table: readonly [id: string, html: string, name: string][],
): Case[] {
  return table.map(([id, html, name]) => ({ id: `${subject}: ${id}`, html, name }));
}

/** Makes a case of each element of one markup, marked `@1`, `@2`…, with their roles in order. */
export function rolesWithin(subject: string, html: string, roles: readonly string[]): Case[] {
  return roles.map((role, index) => ({
    id: `${subject}: ${index + 1} ${role}`,
    html: only(html, index + 1),
    role,
  }));
}

/** Makes such cases with names. */
export function namesWithin(subject: string, html: string, names: readonly string[]): Case[] {
  return names.map((name, index) => ({ id: `${subject}: ${index + 1}`, html: only(html, index + 1), name }));
}

function only(html: string, number: number): string {
  return html.replace(/@(\d+)/g, (_mark, at) => (Number(at) === number ? "@" : ""));
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** A picture of one pixel. */
export const PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";

// Decides which session a person watches in a role.
import type { Session } from "../../../proto/gen/troupe.ts";
import { nearest } from "../../../proto/text/nearest.ts";
import { oneLine } from "../../../proto/text/quote.ts";
import { usageError } from "../../connection/exit-code.ts";

type Listed = Pick<Session, "id" | "roles">;

/** The person's choice. `own`: the session of this terminal's `troupe call`. */
export interface WatchChoice {
  role: string;
  session: string | undefined;
  own: string;
  tab: string | undefined;
}

/** The sessions shown in an error. */
const SHOWN_MAX = 20;

/** Returns the session's id. Throws a usage error that shows how to name one. */
export function watchedSession(
  choice: WatchChoice,
  roles: readonly string[],
  all: readonly Listed[],
): string {
  const { role, session, own, tab } = choice;
  if (!roles.includes(role)) throw usageError(unknownRole(role, roles));
  const here = all.filter((each) => each.roles.some((one) => one.role === role));
  const id = session ?? own;
  const found = here.find((each) => each.id === id);
  if (!found)
    throw usageError(session === undefined ? unnamed(role, here) : noSuch(role, session, here, all));
  const tabs = found.roles.find((each) => each.role === role)?.tabs ?? [];
  if (tab !== undefined && !tabs.some((each) => each.id === tab))
    throw usageError(`session ${id} has no tab ${JSON.stringify(tab)} in role ${role}; ${tabsOf(tabs)}`);
  if (tabs.length === 0) throw usageError(`session ${id} has no tab open in role ${role}`);
  return id;
}

function unknownRole(role: string, roles: readonly string[]): string {
  const meant = nearest(role, roles);
  return `there is no role ${JSON.stringify(role)}; ${meant ? `did you mean ${meant}?` : `there are ${roles.join(", ")}`}`;
}

function unnamed(role: string, here: readonly Listed[]): string {
  if (here.length === 0) return `no session uses role ${role}; troupe sessions lists all`;
  return `this terminal has no session in role ${role}: name one\n${commandsFor(role, here)}`;
}

function noSuch(role: string, session: string, here: readonly Listed[], all: readonly Listed[]): string {
  const elsewhere = all.find(({ id }) => id === session)?.roles.map((each) => each.role);
  if (elsewhere) {
    const others = elsewhere.length > 0 ? `it uses ${elsewhere.join(", ")}` : "it uses none";
    return `session ${session} does not use role ${role}; ${others}`;
  }
  const meant = nearest(
    session,
    here.map(({ id }) => id),
  );
  if (meant) return `no session ${JSON.stringify(session)}: did you mean ${meant}?`;
  const named = here.length > 0 ? `\n${commandsFor(role, here)}` : " and none uses this role";
  return `no session ${JSON.stringify(session)}${named}`;
}

function commandsFor(role: string, here: readonly Listed[]): string {
  const lines = here.slice(-SHOWN_MAX).map(({ id }) => `  troupe watch ${role} --session ${shellWord(id)}`);
  const left = here.length - lines.length;
  return [...(left > 0 ? [`  … ${left} older ones: troupe sessions`] : []), ...lines].join("\n");
}

function tabsOf(tabs: readonly { id: string }[]): string {
  return tabs.length > 0 ? `it has ${tabs.map(({ id }) => id).join(", ")}` : "it has none";
}

/** A session's id has any visible characters. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", "'\\''")}'`;
}

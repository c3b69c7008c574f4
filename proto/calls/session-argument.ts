// Reads `session`, the argument with which several agents share one connection.

import { createHash } from "node:crypto";
import { fail, type TroupeError } from "../errors/catalogue.ts";
import { SESSION_ID, SESSION_ID_LENGTH_MAX } from "../wire/metadata.ts";
import { namedSessionId, SESSION_NAME } from "../wire/session-name.ts";
import type { Json, JsonObject } from "../wire/struct.ts";
import { withoutQuotes } from "./argument-values.ts";

const NAME_LENGTH_MAX = 64;

/** A call's arguments without `session`, and the name that it gave. Undefined means the connection's own session. */
export interface InSession {
  session: string | undefined;
  args: JsonObject;
}

/**
 * Splits `session` from a call's arguments. Throws INVALID_ARGUMENT for a name that is not allowed. `base` is the id of
 * the connection's own session.
 */
export function splitSession(all: JsonObject, base = ""): InSession {
  const argument = "session" in all ? "session" : Object.keys(all).find((each) => ALIAS.test(each));
  if (argument === undefined) return { session: undefined, args: all };
  const { [argument]: given = null, ...args } = all;
  if (given === null || given === "") return { session: undefined, args };
  const text = textOf(given);
  if (text === undefined || !SESSION_NAME.test(text)) throw notAllowed(argument, text);
  if (!SESSION_ID.test(namedSessionId(base, text))) throw tooLong(base);
  return { session: text, args };
}

/** No tool has such an argument, so it means the session. */
const ALIAS = /^session(?:[_-]?(?:name|id))?$/i;

/** Models number their agents, so whole numbers are names too. */
function textOf(given: Json): string | undefined {
  const [only = null, ...more] = [given].flat();
  const text = Number.isSafeInteger(only) ? String(only) : only;
  return typeof text === "string" && more.length === 0 ? withoutQuotes(text) : undefined;
}

function notAllowed(argument: string, text: string | undefined): TroupeError {
  return fail("INVALID_ARGUMENT", {
    argument: "session",
    problem: `session must be a name of 1 to ${NAME_LENGTH_MAX} letters, digits, dots, underscores or hyphens`,
    hint: 'with session as one such name, such as "agent-1", or without session',
    ...(text && { corrected: { [argument]: null, session: mended(text) } }),
  });
}

function tooLong(base: string): TroupeError {
  const left = SESSION_ID_LENGTH_MAX - namedSessionId(base, "").length;
  const problem = `session is too long beside the connection's own session, whose id has ${base.length} characters`;
  return fail("INVALID_ARGUMENT", {
    argument: "session",
    problem,
    hint: left > 0 ? `with session of at most ${left} characters, or without session` : "without session",
  });
}

/**
 * Names in different words stay different, so that no two agents share a session by a correction. Spaces and
 * punctuation become hyphens.
 */
function mended(text: string): string {
  const name = text.replace(/[ -~]/g, (character) => (SESSION_NAME.test(character) ? character : "-"));
  if (SESSION_NAME.test(name) && /[a-z\d]/i.test(name)) return name;
  return `agent-${createHash("sha256").update(text.toWellFormed()).digest("hex").slice(0, 12)}`;
}

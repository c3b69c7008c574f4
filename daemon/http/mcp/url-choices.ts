// The choices that an MCP client has written into its URL: role, profile, session and budget.
import { fail, type TroupeError } from "../../../proto/errors/catalogue.ts";
import { nearest } from "../../../proto/text/nearest.ts";
import { quote } from "../../../proto/text/quote.ts";
import { SESSION_ID, tokensIn } from "../../../proto/wire/metadata.ts";
import type { ChoicePlace } from "../../admission/caller.ts";

const KEYS = ["role", "profile", "session", "maxTokens"] as const;
type Key = (typeof KEYS)[number];
type Choices = Partial<Record<Key, string>>;

/** The longest unknown key that an error repeats. */
const SHOWN_LENGTH_MAX = 64;

/**
 * Returns the values of the URL's query. An empty one counts as missing. Throws INVALID_ARGUMENT for an unknown key,
 * and for a value that cannot be one of its key. Roles and profiles are checked by their users.
 */
export function choicesIn(url: string): Choices {
  const query = new URLSearchParams(url.split("?")[1] ?? "");
  const choices: Choices = {};
  for (const [key, value] of query) {
    const known = KEYS.find((each) => each === key);
    if (!known) throw unknownKey(key);
    if (value) choices[known] ??= value;
  }
  const { session, maxTokens } = choices;
  if (session !== undefined && !SESSION_ID.test(session))
    throw notAllowed("session", "1 to 128 visible ASCII characters", "my-session");
  if (maxTokens !== undefined && tokensIn(maxTokens) === undefined)
    throw notAllowed("maxTokens", "a number of at most 9 digits", "6000");
  return choices;
}

/** Returns the place of a choice, as errors name it. */
export function keyPlace(key: Key): ChoicePlace {
  return { argument: `?${key}=`, words: `?${key}= of the URL` };
}

function unknownKey(key: string): TroupeError {
  const meant = nearest(key, KEYS);
  const problem = `/mcp has no query key ${quote(key, SHOWN_LENGTH_MAX)}`;
  const allowed = KEYS.map((each) => `?${each}=`);
  const hint = `with a URL that has only these: ${allowed.join(", ")}`;
  const likelyCause = "The key was guessed, or is meant for another server";
  const data = { argument: "query", problem, allowed, hint, likelyCause };
  return fail("INVALID_ARGUMENT", { ...data, ...(meant && { nearest: `?${meant}=` }) });
}

function notAllowed(key: Key, allowed: string, example: string): TroupeError {
  const { argument, words } = keyPlace(key);
  return fail("INVALID_ARGUMENT", {
    argument,
    problem: `${words} is not well formed; allowed are ${allowed}`,
    example,
    hint: `with ?${key}=${example} in the URL, or without it`,
    likelyCause: "The client's configuration has another text in its URL",
  });
}

// Reads the caller from a call's metadata.
import { randomUUID } from "node:crypto";
import type { Metadata } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import { understands, VERSION } from "../../proto/machine/version.ts";
import { nearest } from "../../proto/text/nearest.ts";
import { PROFILES, type Profile, profileNamed } from "../../proto/tools/read-tools.ts";
import {
  MAX_TOKENS,
  NAMED_SESSION,
  PROFILE,
  PROGRAM,
  REQUEST_ID,
  RESUME,
  RESUMES_ONCE,
  ROLE,
  SESSION,
  SESSION_ID,
  tokensIn,
  VERSION_HEADER,
} from "../../proto/wire/metadata.ts";
import { baseSessionId } from "../../proto/wire/session-name.ts";
import { type Client, sessionKey } from "./client.ts";
import { profileFor } from "./rights.ts";

/** One client's call, before its tool is known. */
export interface Caller {
  /** The session's id, as the client named it. */
  session: string;
  /** The call gave the session this name, beside its connection's own session. The id ends with it. */
  name?: string | undefined;
  /** The program that calls, as it calls itself. */
  program?: string | undefined;
  /** The client that owns the session. */
  client: Client;
  /** The client and the session id together. It identifies a session. */
  key: string;
  profile: Profile;
  /** The token budget of replies, for calls that name no other. */
  maxTokens: number | undefined;
  /** The role for this call alone. */
  role: string | undefined;
  /** Set if the client has used this session before: the resume word that it knows. */
  resumes: string | undefined;
}

const WORD = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The request's id: the caller's if it is valid, else a new one. */
export function requestIdOf(metadata: Metadata): string {
  return requestId(valueOf(metadata, REQUEST_ID));
}

/** The same for the header's value. */
export function requestId(given: string | undefined): string {
  return given !== undefined && VISIBLE.test(given) ? given : randomUUID();
}

/**
 * Reads the metadata. Throws INVALID_ARGUMENT with the name of a missing or wrong header. Throws PERMISSION_DENIED for
 * a profile that the client may not use.
 */
export function callerOf(metadata: Metadata, client: Client): Caller {
  checkVersion(valueOf(metadata, VERSION_HEADER));
  const session = sessionOf(metadata);
  const role = valueOf(metadata, ROLE);
  const name = valueOf(metadata, NAMED_SESSION);
  return {
    session,
    // A name that the id does not have makes a plain session.
    name: name !== undefined && baseSessionId(session, name) !== undefined ? name : undefined,
    program: (valueOf(metadata, PROGRAM) ?? valueOf(metadata, USER_AGENT))?.slice(0, PROGRAM_LENGTH_MAX),
    client,
    key: sessionKey(client.name, session),
    profile: profileOf(valueOf(metadata, PROFILE), client),
    maxTokens: tokensIn(valueOf(metadata, MAX_TOKENS)),
    role: role || undefined,
    resumes: resumedBy(valueOf(metadata, RESUME)),
  };
}

/** gRPC and HTTP clients say here who they are. */
const USER_AGENT = "user-agent";
const PROGRAM_LENGTH_MAX = 64;

function resumedBy(given: string | undefined): string | undefined {
  return given === RESUMES_ONCE || WORD.test(given ?? "") ? given : undefined;
}

function sessionOf(metadata: Metadata): string {
  const given = metadata.get(SESSION);
  const allowed = "1 to 128 visible ASCII characters";
  if (given.length === 0) {
    throw fail("INVALID_ARGUMENT", {
      argument: SESSION,
      problem: `the header ${SESSION} is missing: it names the session, ${allowed}`,
      ...SESSION_HELP,
    });
  }
  const [session] = given;
  if (typeof session === "string" && SESSION_ID.test(session)) return session;
  throw fail("INVALID_ARGUMENT", {
    argument: SESSION,
    problem: `the header ${SESSION} is not well formed, or given more than once; allowed are ${allowed}`,
    ...SESSION_HELP,
  });
}

const SESSION_HELP = {
  example: "my-session",
  hint: `with the header ${SESSION}, such as "my-session"`,
  likelyCause: "The program that calls sends no such header, or another's text in it",
};

/** The place in which a client has written a choice, as errors name it. */
export interface ChoicePlace {
  argument: string;
  words: string;
}

export function headerPlace(header: string): ChoicePlace {
  return { argument: header, words: `the header ${header}` };
}

/** Returns the profile of that name. Throws INVALID_ARGUMENT, or PERMISSION_DENIED if the client may not use it. */
export function profileOf(
  given: string | undefined,
  client: Client,
  { argument, words }: ChoicePlace = headerPlace(PROFILE),
): Profile {
  const profile = profileNamed(given);
  if (profile || given === undefined) return profileFor(client, profile);
  const meant = nearest(given, PROFILES);
  throw fail("INVALID_ARGUMENT", {
    argument,
    problem: `${words} names no profile`,
    allowed: [...PROFILES],
    hint: `with one of ${PROFILES.join(", ")} as ${words}, or without it`,
    likelyCause: "The profile's name was guessed",
    ...(meant && { nearest: meant }),
  });
}

function checkVersion(given: string | undefined): void {
  if (given === undefined || understands(given)) return;
  throw fail("INVALID_ARGUMENT", {
    argument: VERSION_HEADER,
    problem: `the client is of another version than the daemon, which is ${VERSION}; use both of the same`,
    hint: `from a client of version ${VERSION}; a program that is none of Troupe's own leaves the header ${VERSION_HEADER} out`,
    likelyCause: "The client or the daemon was upgraded, and the other was not",
  });
}

function valueOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

// Parses a request's body as a JSON object. Its errors never repeat the body, which may hold a secret.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";
import { Problem } from "./problem.ts";

export const BODY_BYTES_MAX = 4 * 2 ** 20;
/** No tool's arguments are deeper. Code that walks through values is recursive, so the depth needs a bound. */
const DEPTH_MAX = 32;

const HINT = 'with the tool\'s arguments as one JSON object, such as {"ref": "e5"}';
const CAUSE = "The program that sent the request put its body together by hand";

/** Returns the object; no body is an empty object. Throws a Problem (400) for anything else. */
export function jsonBody(body: Uint8Array): JsonObject {
  if (body.length === 0) return {};
  const value = parsed(decoded(body));
  // Programs that encode a model's arguments, which are text already, encode them twice.
  const object = typeof value === "string" ? parsed(value) : value;
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw wrong(`the body is ${kindOf(object)}; what is taken is one JSON object with the tool's arguments`);
  }
  if (isDeeper(object, DEPTH_MAX))
    throw wrong(`the body is nested more than ${DEPTH_MAX} levels deep, which no tool's arguments are`);
  return object;
}

function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    throw wrong("the body is not UTF-8", error);
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text.
    throw wrong("the body is not JSON", error);
  }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : `a ${typeof value}`;
}

/** Walks level by level without recursion, so that any depth can be checked. */
export function isDeeper(value: object, levels: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) =>
      Object.values(each).filter((inner) => typeof inner === "object" && inner !== null),
    );
  }
  return false;
}

function wrong(problem: string, cause?: unknown): Problem {
  return new Problem(
    400,
    fail("INVALID_ARGUMENT", { argument: "body", problem, hint: HINT, likelyCause: CAUSE }, cause),
  );
}

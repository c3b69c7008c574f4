// A session's id, named by a flag or the environment, or made up.
import { randomBytes } from "node:crypto";
import { SESSION_ID } from "../../proto/wire/metadata.ts";
import { usageError } from "../connection/exit-code.ts";

/** Makes an id that no other client has. `kind`: the kind of client. */
export function newSessionId(kind: "mcp" | "sdk" | "replay"): string {
  return `${kind}-${randomBytes(8).toString("hex")}`;
}

/** Returns the given id, or undefined if none was given. Throws a usage error. */
export function givenSessionId(...given: unknown[]): string | undefined {
  const id = given.find((each) => typeof each === "string" && each !== "");
  if (id === undefined) return undefined;
  if (SESSION_ID.test(String(id))) return String(id);
  throw usageError("a session's id has 1 to 128 visible ASCII characters, and no space");
}

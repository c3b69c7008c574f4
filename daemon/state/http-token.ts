// The token of the HTTP door where the configuration has none: made once, kept in the state folder.
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";

/** Writes the token's file where there is none. */
export function keepHttpToken(file: string): void {
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
}

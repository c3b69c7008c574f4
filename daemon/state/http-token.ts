// Makes the HTTP door's own token once and keeps it in the state folder. It is used if the configuration has no tokens.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Returns the token in the file, and writes a new one if there is none. */
export function keepHttpToken(file: string): string {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept) return kept;
  const token = randomBytes(24).toString("base64url");
  // A daemon that died during the write leaves an empty file. The mode of that file is right already.
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

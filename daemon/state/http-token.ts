// The token of the HTTP door where the configuration has none: made once, kept in the state folder.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** The token in the file, which is written where there is none. */
export function keepHttpToken(file: string): string {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept) return kept;
  const token = randomBytes(24).toString("base64url");
  // A daemon that died while it wrote leaves an empty file, whose mode is right.
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

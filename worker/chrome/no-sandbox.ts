// Recognizes a machine that allows Chrome no sandbox, and reports it.
import { SANDBOX_REMEDY } from "../../proto/machine/sandbox-remedy.ts";

/** Chrome's sandbox code ends the browser itself. As root, it refuses before that. */
const WORDS =
  /No usable sandbox|SUID sandbox helper|Failed to move to new namespace|without --no-sandbox|FATAL:\S*(?:sandbox\/linux|zygote_host_impl)/;

/** Returns true if Chrome ended because of its sandbox. `text`: its error output. */
export function saysNoSandbox(text: string): boolean {
  return WORDS.test(text);
}

/** This machine allows Chrome no sandbox. */
export class NoSandbox extends Error {
  override readonly name = "NoSandbox";
  readonly words = "this machine allows Chrome no sandbox";
  readonly mend = SANDBOX_REMEDY;

  constructor(executable: string, cause: unknown) {
    super(`${executable} finds no usable sandbox: this machine denies it user namespaces`, { cause });
  }
}

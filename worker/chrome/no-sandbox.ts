// A machine that allows Chrome no sandbox, in Chrome's words and in ours.
import { SANDBOX_REMEDY } from "../../proto/machine/sandbox-remedy.ts";

/** Chrome's sandbox code ends the browser itself; as root it refuses before that. */
const WORDS =
  /No usable sandbox|SUID sandbox helper|Failed to move to new namespace|without --no-sandbox|FATAL:\S*(?:sandbox\/linux|zygote_host_impl)/;

/** Whether Chrome ended because of its sandbox. `text`: what it wrote. */
export function saysNoSandbox(text: string): boolean {
  return WORDS.test(text);
}

/** This machine lets Chrome have no sandbox. */
export class NoSandbox extends Error {
  override readonly name = "NoSandbox";
  readonly words = "this machine allows Chrome no sandbox";
  readonly mend = SANDBOX_REMEDY;

  constructor(executable: string, cause: unknown) {
    super(`${executable} finds no usable sandbox: this machine denies it user namespaces`, { cause });
  }
}

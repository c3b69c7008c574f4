// Writes the steps of a session, in one of the forms of an export, to standard output or a file of its person.
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { ExportSessionResponse } from "../../../proto/gen/troupe.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import type { Invocation } from "./command.ts";

/** Writes the text of a reply. Says so if there is no step. Throws a usage error for a place that cannot be written. */
export function writeSteps(
  { words: [session], flags, cwd, print, complain }: Invocation,
  { role, steps }: Pick<ExportSessionResponse, "role" | "steps">,
  textOf: () => string,
): ExitCode {
  if (steps === 0) {
    complain(
      `Session ${session} has recorded no steps in role ${role}: troupe sessions lists its roles, --role names one\n`,
    );
    return EXIT.failed;
  }
  const text = textOf();
  if (flags.output === undefined) {
    print(text);
    return EXIT.ok;
  }
  const file = String(flags.output);
  try {
    // It holds what a person did.
    writeFileSync(path.resolve(cwd, file), text, { mode: 0o600 });
  } catch (error) {
    throw usageError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
  complain(`${file}: ${steps} steps in role ${role}\n`);
  return EXIT.ok;
}

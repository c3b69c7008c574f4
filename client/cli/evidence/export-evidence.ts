// `troupe sessions ID --evidence FILE`: writes the evidence of a session's calls as one HTML file.
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import type { ReadEvidenceResponse } from "../../../proto/gen/troupe.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import { atDaemon, type ReachedDaemon } from "../terminal/at-daemon.ts";
import type { Invocation } from "../terminal/command.ts";
import { EvidencePage } from "./evidence-page.ts";

/** Throws a usage error for a place that cannot be written. */
export function exportEvidence(invocation: Invocation, session: string, role: string): Promise<ExitCode> {
  return atDaemon(invocation, (daemon) => exported(daemon, invocation, { session, role }));
}

async function exported(
  daemon: ReachedDaemon,
  { flags, cwd, complain }: Invocation,
  of: { session: string; role: string },
): Promise<ExitCode> {
  const read = (after: string) => daemon.control("ReadEvidence", { ...of, after });
  const first = await read("");
  if (first.calls.length === 0) {
    const name = JSON.stringify(of.session);
    complain(`No evidence of a session ${name} is kept: a role keeps it with record: true\n`);
    return EXIT.failed;
  }
  const file = String(flags.evidence);
  const page = new EvidencePage(of.session);
  await written(path.resolve(cwd, file), file, async (write) => {
    write(page.head(new Date()));
    let reply: ReadEvidenceResponse = first;
    for (;;) {
      for (const call of reply.calls) write(page.call(call));
      if (reply.next === "") break;
      reply = await read(reply.next);
    }
    write(page.end());
  });
  complain(`${file}: ${page.calls} calls\n`);
  return EXIT.ok;
}

/** The file takes its place once it is whole, so an older one is not lost to a failure. */
async function written(
  place: string,
  shown: string,
  work: (write: (text: string) => void) => Promise<void>,
): Promise<void> {
  const attempt = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw usageError(`${shown} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    }
  };
  const part = `${place}.${process.pid}.part`;
  // It shows what an agent did, and other users have no business with that.
  const descriptor = attempt(() => openSync(part, "wx", 0o600));
  try {
    try {
      await work((text) => {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; ) at += attempt(() => writeSync(descriptor, bytes, at));
      });
    } finally {
      closeSync(descriptor);
    }
    attempt(() => renameSync(part, place));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

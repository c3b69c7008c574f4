// `troupe doctor` checks that everything Troupe needs is there, and says how to mend what is not.
import { execFile } from "node:child_process";
import { WITHOUT_WARNINGS } from "../../../proto/machine/daemon-arguments.ts";
import { endWithParent } from "../../../proto/machine/end-child.ts";
import { type Finding, unwell } from "../../../proto/machine/finding.ts";
import { ownPath } from "../../../proto/machine/program.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import { CallError } from "../../connection/call-error.ts";
import { EXIT } from "../../connection/exit-code.ts";
import { daemonFindings, noDaemonFinding } from "../doctor/daemon.ts";
import { runtimeFinding } from "../doctor/runtime.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { CLI_SESSION } from "../terminal/terminal-session.ts";

const PROGRAM = ownPath("daemon/doctor/main.ts");
/** The time is long because the doctor starts each browser of the configuration. */
const CHECKS_MS_MAX = 300_000;

export const doctor: CommandDefinition = {
  usage: "doctor",
  summary: "check all that Troupe needs on this machine, and say how to mend what is not well",
  json: true,
  examples: [
    "troupe doctor",
    "troupe doctor --json",
    "troupe doctor --config team.yaml",
    "troupe doctor --address 127.0.0.1:7420    and whether that daemon answers",
    "",
    "It ends with 0 only if all is well, else with 1.",
  ],
  run: async (invocation) => {
    const { node } = process.versions;
    const { platform, arch } = process;
    const [here, daemon] = await Promise.all([machineFindings(invocation), askDaemon(invocation)]);
    const findings = [runtimeFinding({ node, platform, arch }), ...here, ...daemon];
    const ok = findings.every((each) => each.ok);
    invocation.print(
      invocation.flags.json
        ? `${JSON.stringify({ ok, findings }, null, 2)}\n`
        : `${findingsText(findings)}\n`,
    );
    return ok ? EXIT.ok : EXIT.failed;
  },
};

/** Prints one line for each finding with its remedy below, and one line for the total. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, ok, found, remedy }) => {
    const [first = "", ...further] = found.split("\n");
    return [
      `${ok ? "ok " : "BAD"}  ${check.padEnd(width)}  ${first}`,
      ...further.map((line) => `     ${" ".repeat(width)}  ${line}`),
      ...(remedy ? [`     ${" ".repeat(width)}  → ${remedy}`] : []),
    ];
  });
  const bad = findings.filter(({ ok }) => !ok).length;
  return [...lines, "", bad === 0 ? "All is well." : `Not well: ${bad} of ${findings.length} checks.`].join(
    "\n",
  );
}

/** Asks the daemon's program about configuration, state folder, ports and browsers. */
function machineFindings({ flags, cwd, env }: Invocation): Promise<Finding[]> {
  const given = [
    ...(flags.config ? ["--config", flags.config] : []),
    ...(flags.stateDir ? ["--state-dir", flags.stateDir] : []),
  ];
  const { promise, resolve } = Promise.withResolvers<Finding[]>();
  const options = { cwd, env: env as NodeJS.ProcessEnv, timeout: CHECKS_MS_MAX };
  const child = execFile(
    process.execPath,
    [WITHOUT_WARNINGS, PROGRAM, ...given],
    options,
    (error, stdout, stderr) => {
      if (!error) return resolve(JSON.parse(stdout) as Finding[]);
      const said = stderr.trim().split("\n").at(-1) || error.message;
      resolve([unwell("installation", said, "Run npm start once in a checkout, or install Troupe anew.")]);
    },
  );
  const ending = endWithParent(child);
  return promise.finally(() => ending[Symbol.dispose]());
}

async function askDaemon({ flags, cwd, env }: Invocation): Promise<Finding[]> {
  const [{ callControl }, { DaemonLink }, { readNote, discoverDaemon: whereabouts }] = await Promise.all([
    import("../../sdk/control.ts"),
    import("../../connection/daemon-link.ts"),
    import("../../connection/discovery.ts"),
  ]);
  const where = whereabouts(flags, { cwd, env });
  const link = new DaemonLink(where);
  try {
    return daemonFindings(await callControl(link, CLI_SESSION, "GetStatus", {}), VERSION);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { message, details } = error.detail;
    const mend = typeof details.mend === "string" ? { mend: details.mend } : {};
    const reason = typeof details.reason === "string" ? details.reason : message;
    return [noDaemonFinding({ reason, ...mend }, where.named || readNote(where.files.note) !== undefined)];
  } finally {
    link.close();
  }
}

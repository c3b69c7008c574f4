// Checks the roles' browsers with the worker's own program.
import { execFile } from "node:child_process";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { endWithParent } from "../../proto/machine/end-child.ts";
import { type Finding, unwell } from "../../proto/machine/finding.ts";
import { ownPath } from "../../proto/machine/program.ts";
import type { RoleSettings } from "../config/load.ts";
import { workerConfig } from "../worker-process/worker-config.ts";

const PROGRAM = ownPath("worker/doctor/main.ts");
/** The program itself gives up on a browser before that. */
const TRY_MS_MAX = 40_000;

/** Returns one set of findings for each browser that differs. */
export async function browserFindings(roles: readonly RoleSettings[]): Promise<Finding[]> {
  const all = roles.map((role) =>
    JSON.stringify(workerConfig(role, 0).browser satisfies BrowserConfig | null),
  );
  const findings: Finding[] = [];
  for (const each of new Set(all)) findings.push(...(await ask(each)));
  return findings;
}

function ask(browser: string): Promise<Finding[]> {
  const { promise, resolve } = Promise.withResolvers<Finding[]>();
  const child = execFile(
    process.execPath,
    [PROGRAM, browser],
    { timeout: TRY_MS_MAX },
    (error, stdout, stderr) => {
      if (error) {
        const said = stderr.trim().split("\n")[0] || error.message;
        resolve([unwell("browser", said, "Run npm start once in a checkout, or install Troupe anew.")]);
      } else resolve(JSON.parse(stdout) as Finding[]);
    },
  );
  const ending = endWithParent(child);
  return promise.finally(() => ending[Symbol.dispose]());
}

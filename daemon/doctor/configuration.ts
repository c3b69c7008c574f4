// Checks the configuration.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { configurationPage } from "../../proto/machine/program.ts";
import { type DaemonConfig, type LoadFrom, loadConfig } from "../config/load.ts";
import { StartupError } from "../core/startup-error.ts";

const MEND = `Mend what the lines above name; ${configurationPage} lists every key. The daemon does not start with it.`;

export function configurationFinding(from: LoadFrom): { config?: DaemonConfig; finding: Finding } {
  try {
    const config = loadConfig(from);
    const roles = config.roles.map(({ name }) => name).join(", ");
    return { config, finding: well("configuration", `${config.file ?? "none"}; roles: ${roles}`) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { finding: unwell("configuration", error.message, MEND) };
  }
}

// Checks that Troupe runs on this Node and system.
import { type Finding, unwell, well } from "../../../proto/machine/finding.ts";

const NODE_MIN = 22;

export interface Machine {
  node: string;
  platform: string;
  arch: string;
}

export function runtimeFinding({ node, platform, arch }: Machine): Finding {
  const found = `Node ${node}, ${platform} ${arch}`;
  if (Number.parseInt(node, 10) < NODE_MIN)
    return unwell("runtime", found, `Install Node ${NODE_MIN} or later (https://nodejs.org).`);
  if (platform === "darwin")
    return well("runtime", `${found}: memory is measured as RSS, and workers may outlive a killed daemon`);
  if (platform === "linux") return well("runtime", found);
  return unwell("runtime", found, "Troupe runs on Linux and macOS; on Windows, run it in WSL.");
}

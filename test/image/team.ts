// A daemon for a team in a container: with TLS and a token, reached by an MCP client in the container's network.
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { certificateFolder } from "../harness/certificates.ts";
import { tempDir } from "../harness/temp-dir.ts";
import type { Image } from "./build.ts";
import type { BundleOptions } from "./bundle.ts";
import type { Call } from "./client.ts";
import { type Container, startContainer } from "./container.ts";

const CLIENT = fileURLToPath(new URL("client.ts", import.meta.url));
const ADDRESS = "https://127.0.0.1:7421";

/** A role as `troupe status` reports it. */
interface RoleStatus {
  state: string;
  sandbox: string;
  browserPid: number;
}

export interface Team extends AsyncDisposable {
  container: Container;
  /** Calls tools by `/mcp`, in one session. Resolves with the replies' texts. */
  call(...calls: Call[]): Promise<string[]>;
  status(): Promise<{ pid: number; roles: RoleStatus[]; warnings: string[]; configReadAt: string }>;
}

/** Starts a container with a configuration for a team. */
export async function startTeam(image: Image, options: Omit<BundleOptions, "files">): Promise<Team> {
  await using parts = new AsyncDisposableStack();
  const certificates = parts.use(certificateFolder());
  const { dir } = parts.use(tempDir());
  const token = randomBytes(24).toString("hex");
  const tokenFile = path.join(dir, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const files = {
    "troupe.yaml": configuration(createHash("sha256").update(token).digest("hex")),
    "tls.crt": certificates.contents("server.crt"),
    "tls.key": certificates.contents("server.key"),
  };
  const container = parts.use(await startContainer(image, { ...options, files }));
  const held = parts.move();
  return {
    container,
    call: async (...calls) => {
      const args = [CLIENT, ADDRESS, tokenFile, JSON.stringify(calls)];
      const env = { NODE_EXTRA_CA_CERTS: certificates.file("ca.crt") };
      return JSON.parse(await container.beside(env, process.execPath, ...args));
    },
    status: async () => JSON.parse(await container.inside("troupe", "status", "--json")),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const configuration = (sha256: string) => `
listen: [unix:default, "0.0.0.0:7420"]
http: 0.0.0.0:7421
tls: { cert: tls.crt, key: tls.key }
tokens: [{ name: ops, sha256: "${sha256}", control: write }]
roles: { visitor: { evaluate: true } }
`;

// Runs the image as a container engine does, by runc: new namespaces, the image's own user, no capability.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import { Lines } from "../harness/events/lines.ts";
import { tempDir } from "../harness/temp-dir.ts";
import type { Image } from "./build.ts";
import { type BundleOptions, writeBundle } from "./bundle.ts";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
const READY_MS_MAX = 60_000;
/** A line of the daemon's greeting. */
const READY = /^Ctrl-C ends it/;

export interface Container extends AsyncDisposable {
  /** Its first process, as the machine numbers it. */
  pid: number;
  /** The lines of its output. */
  lines: Lines;
  /** Resolves with its exit code. */
  over: Promise<number>;
  /** Runs a program inside. Resolves with its standard output. */
  inside(...command: string[]): Promise<string>;
  /** Runs a program of this machine in the container's network. Resolves with its standard output. */
  beside(env: NodeJS.ProcessEnv, ...command: string[]): Promise<string>;
  kill(signal: string): Promise<void>;
}

/** Starts a container. Resolves when its daemon is ready. */
export async function startContainer(image: Image, options: BundleOptions): Promise<Container> {
  const temp = tempDir();
  const id = path.basename(temp.dir);
  writeBundle(temp.dir, image, options);
  const base = ["--root", path.join(temp.dir, "run")];
  const runc = async (...args: string[]) =>
    (await run("runc", [...base, ...args], { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
  const child = spawn("runc", [...base, "run", "--bundle", temp.dir, id], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = new Lines();
  lines.read(child.stdout);
  lines.read(child.stderr);
  const over = once(child, "close").then(([code]) => (code as number | null) ?? -1);
  const end = async () => {
    if (child.exitCode === null) await runc("kill", id, "KILL").catch(() => child.kill());
    await over;
    // A container that has ended may be gone already.
    await runc("delete", "--force", id).catch(() => undefined);
    temp[Symbol.dispose]();
  };
  try {
    await Promise.race([lines.have(READY, 1, READY_MS_MAX), failure(over, lines)]);
    const { pid } = JSON.parse(await runc("state", id));
    return {
      pid,
      lines,
      over,
      inside: (...command) => runc("exec", id, ...command),
      beside: async (env, ...command) => {
        const settings = { env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES_MAX };
        return (await run("nsenter", [`--net=/proc/${pid}/ns/net`, ...command], settings)).stdout;
      },
      kill: async (signal) => void (await runc("kill", id, signal)),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function failure(over: Promise<number>, { all }: Lines): Promise<never> {
  throw new Error(`the container ended with ${await over}:\n${all.slice(-40).join("\n")}`);
}

// Python programs made from proto/ alone, as a user of another language makes them.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { protoDir } from "../../proto/wire/schema.ts";

const run = promisify(execFile);
/** Debian's own Python, which has python3-grpcio and python3-grpc-tools. */
export const PYTHON = "/usr/bin/python3";
const PROTOS = globSync("troupe/v1/*.proto", { cwd: protoDir });
const GOOGLE = ["google/rpc/status.proto", "google/rpc/error_details.proto"];

/** Returns why no Python program can run here; empty if one can. */
export function missingPython(): Promise<string> {
  return run(PYTHON, ["-c", "import grpc, grpc_tools"]).then(
    () => "",
    () => "python3-grpcio and python3-grpc-tools are not installed (apt-get install them)",
  );
}

/** Returns the path of a program beside this file. */
export function programHere(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Makes a temporary folder with the code that grpc_tools generates from the .proto files. */
export async function generatePython(): Promise<{ dir: string } & AsyncDisposable> {
  const dir = await mkdtemp(path.join(tmpdir(), "troupe-python-"));
  const into = [`-I${protoDir}`, `--python_out=${dir}`, `--grpc_python_out=${dir}`];
  await run(PYTHON, ["-m", "grpc_tools.protoc", ...into, ...PROTOS, ...GOOGLE]);
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

// Reads a daemon's gRPC address as a person writes it: `unix:PATH`, `unix:default`, `HOST:PORT`.
import path from "node:path";
import type { StateFiles } from "../../proto/machine/locations.ts";
import { socketProblem } from "../../proto/machine/socket-path.ts";
import { usageError } from "./exit-code.ts";

export interface Address {
  /** The address in grpc-js's form. */
  target: string;
  /** The address in errors: never a path that the user did not write. */
  shown: string;
  /** The address for a plain socket. */
  socket: { path: string } | { host: string; port: number };
}

export const DEFAULT_ADDRESS = "unix:default";

/** Reads an address. Throws a usage error if the text is not an address, or cannot be used from here. */
export function parseAddress(text: string, cwd: string, files: StateFiles): Address {
  const address = readAddress(text, cwd, files);
  if ("problem" in address) throw usageError(address.problem);
  return address;
}

/** Reads an address. `files`: the state folder, for `unix:default`. */
export function readAddress(text: string, cwd: string, files: StateFiles): Address | { problem: string } {
  if (text === DEFAULT_ADDRESS) return unix(files.socket, text);
  if (text.startsWith("unix:")) return unix(path.resolve(cwd, text.slice("unix:".length)), text);
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:[\]/\s]+):(\d{1,5})$/i.exec(text) ?? [];
  if (!host || !port || Number(port) < 1 || Number(port) > 65_535) {
    return { problem: `${JSON.stringify(text)} is no address: write unix:PATH or HOST:PORT` };
  }
  return { target: text, shown: text, socket: { host: host.replace(/^\[|\]$/g, ""), port: Number(port) } };
}

function unix(socketPath: string, shown: string): Address | { problem: string } {
  if (shown === "unix:") return { problem: "unix: needs a path after it, such as unix:/run/troupe.sock" };
  const problem = socketProblem(socketPath);
  if (problem) return { problem: `${problem}; choose another with --state-dir or --address` };
  return { target: `unix:${socketPath}`, shown, socket: { path: socketPath } };
}

// Errors of files: those of the client's machine, and downloads.

import { quote } from "../../text/quote.ts";
import type { FailedCall, Step } from "../steps/step.ts";
import { callStep, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/** The reason that a file is refused. */
export type FileProblem = keyof typeof PROBLEMS;

export interface FileErrorData {
  /** `allowed`: the folders in which files are read and written. */
  FILE_NOT_ALLOWED: { path: string; allowed: string[]; problem: FileProblem; bytesMax?: number };
  /** `address`: the file can be asked for again there. `id`: the download. */
  DOWNLOAD_FAILED: { url: string; reason: string; id: string; address?: string };
}

const PROBLEMS = {
  outside: "is outside the allowed folders",
  remote: "is a path, and this door reads and writes no files",
  missing: "does not exist",
  folder: "is a folder",
  special: "is no ordinary file",
  "too-large": "is too large",
  changed: "changed while it was read",
  exists: "exists already",
  unreadable: "cannot be read",
  unwritable: "cannot be written",
} as const;

export const files: { [T in keyof FileErrorData]: ErrorEntry<FileErrorData[T]> } = {
  FILE_NOT_ALLOWED: {
    title: "File Not Allowed",
    example: { path: "/etc/passwd", allowed: ["/home/ada/shop"], problem: "outside" },
    category: "POLICY",
    code: "PERMISSION_DENIED",
    recoverable: false,
    expected: true,
    message: ({ path, problem, bytesMax }) =>
      `The file ${quote(path)} ${PROBLEMS[problem]}${bytesMax === undefined ? "" : ` (at most ${bytesMax} bytes are taken)`}.`,
    facts: ({ path, allowed, problem }) => [
      ["File", quote(path)],
      ...(problem === "remote" ? [] : [["Allowed folders", shown(allowed)] as [string, string]]),
    ],
    causes: ({ problem, allowed }) => causesOf(problem, allowed),
    steps: (data, call) => fileSteps(data, call),
  },
  DOWNLOAD_FAILED: {
    title: "Download Failed",
    example: {
      url: "https://shop.example/a.pdf",
      reason: "the connection broke",
      id: "d1",
      address: "https://shop.example/a.pdf?page=2",
    },
    category: "EXECUTION",
    code: "ABORTED",
    recoverable: ({ address }) => address !== undefined,
    expected: true,
    message: ({ id, url, reason }) => `The download ${id} of ${url} failed: ${reason}.`,
    facts: ({ id, url, reason }) => [
      ["Download", id],
      ["URL", url],
      ["Reason", reason],
    ],
    causes: () => [
      "The connection broke",
      "The page or its server cancelled it",
      "It is larger than allowed",
    ],
    steps: ({ id, address }, call) => downloadAgain(id, address, call),
  },
};

function shown(allowed: readonly string[]): string {
  return allowed.map((folder) => quote(folder)).join(", ") || "none";
}

function causesOf(problem: FileProblem, allowed: readonly string[]): string[] {
  if (problem === "remote") return ["The client reads no files itself, and the daemon never does"];
  if (problem === "outside")
    return allowed.length > 0
      ? ["The path leads outside these folders, perhaps by a link"]
      : ["The client shares no folder"];
  return ["The path was guessed", "Another program changes the file"];
}

function fileSteps({ allowed, problem }: FileErrorData["FILE_NOT_ALLOWED"], call: FailedCall): Step[] {
  const inside = `inside: ${shown(allowed)}`;
  switch (problem) {
    case "remote":
      return [
        say(
          "Put the file with PUT /v1/files and give the answer's id as path, or use a client on the file's machine: troupe mcp, troupe call or the SDK",
        ),
      ];
    case "outside":
      return allowed.length > 0
        ? [say(`Use a file ${inside}`)]
        : [say("Ask the operator to start the client with --files DIR")];
    case "exists":
      return [say(`Choose another name for path and call ${call.tool} again`)];
    case "too-large":
      return [say("Use a smaller file, or ask the person whom this work is for to split it")];
    case "changed":
      return [say(`Wait until the program that writes the file has finished, and call ${call.tool} again`)];
    default:
      return [
        say(
          `Ask the person whom this work is for which file is meant${allowed.length > 0 ? `; it must be ${inside}` : ""}`,
        ),
      ];
  }
}

/** Opening a download's address downloads it again and leaves the page as it is. */
function downloadAgain(id: string, address: string | undefined, call: FailedCall): Step[] {
  if (address === undefined)
    return [
      callStep(call, "browser_snapshot", {}, "to find what began the download"),
      say("Do that again, or ask the person whom this work is for to get the file"),
    ];
  const { path } = call.arguments;
  const args = { action: "get", ...(typeof path === "string" && { path }) };
  return [
    callStep(call, "browser_navigate", { url: address }, "to download it again; the page stays"),
    callStep(
      call,
      "browser_downloads",
      args,
      `to get the new download instead of ${id}`,
      "Go on without the file: no tool of this profile has to do with files",
    ),
  ];
}

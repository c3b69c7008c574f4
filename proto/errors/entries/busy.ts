// The error for a limit that is reached. It names the sessions that use it up and the remedy for this kind of limit.

import { counted } from "../../text/counted.ts";
import { baseSessionId, namedSessionId } from "../../wire/session-name.ts";
import type { FailedCall, Step } from "../steps/step.ts";
import { again, callStep, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/**
 * `limit`: the limit in words. `holders`: the caller's own sessions that use it up. `others`: the number of other
 * clients' sessions that do. `own`: the caller's resource that alone uses it up. Without `retryAfterMs`, that lasts
 * until the caller ends it. For `sessions`, the holder that was not used for longest comes first. `storeProblem`: the
 * reason that no session can be stored to make room.
 */
export type BusyData = { limit: string; holders: string[]; others?: number } & (
  | { retryAfterMs: number; own?: "rate" | "sessions" | undefined; storeProblem?: string }
  | { own: "tabs" | "watches" | "streams" | "files"; retryAfterMs?: undefined }
);

export const busy: ErrorEntry<BusyData> = {
  title: "Busy",
  example: { limit: "role 'customer' has 8 sessions at once", holders: ["s1", "s2"], retryAfterMs: 1000 },
  category: "CAPACITY",
  code: "RESOURCE_EXHAUSTED",
  recoverable: true,
  expected: "This is often normal when many agents work at once.",
  message: (data) =>
    `Busy: ${data.limit}${usedBy(data) && ` (used by ${usedBy(data)})`}${unstored(data) && `; ${unstored(data)}`}.`,
  facts: (data) => [
    ["Limit", data.limit],
    ...(usedBy(data) ? [["Used by", usedBy(data)] as [string, string]] : []),
    ...(unstored(data) ? [["Reason", unstored(data)] as [string, string]] : []),
  ],
  why: () => "The limit is met; nothing was done.",
  causes: (data) => {
    const { own, holders } = data;
    if (unstored(data)) return ["The disk with the daemon's state folder is full, or cannot be written"];
    if (own === undefined) return ["Other sessions use the role", "Earlier calls have not finished"];
    return own === "sessions" && holders.length === 0
      ? ["Other clients have all the sessions"]
      : OWN_USE[own];
  },
  steps: (data, call) => {
    switch (data.own) {
      case "tabs":
        return closeATab(call);
      case "watches":
        return [say("End one of the watches of this tab, then begin this one again")];
      case "streams":
        return [say("Close one of this client's open streams, then open this one again; calls need none")];
      case "files":
        return removeADownload(call);
      case "sessions":
        return goOnInOne(data, call);
      case "rate":
        return [again(call, {}, `after ${data.retryAfterMs} ms`)];
      default:
        return [
          ...(unstored(data) ? [say(FREE_THE_DISK)] : []),
          again(call, {}, `after ${data.retryAfterMs} ms`),
          ...elsewhere(data, call),
        ];
    }
  },
  retry: ({ retryAfterMs }) =>
    retryAfterMs === undefined ? undefined : { afterMs: retryAfterMs, sameCall: true },
};

const FREE_THE_DISK =
  "Tell the operator of Troupe: the disk with the daemon's state folder must have free space and be writable";

function unstored(data: BusyData): string {
  return "storeProblem" in data && data.storeProblem !== undefined
    ? `no session can be put to rest, because the daemon cannot write to its disk: ${data.storeProblem}`
    : "";
}

/** Causes for limits that the caller itself uses up. */
const OWN_USE = {
  rate: [
    "This client called faster than it may",
    "Other programs with the same token or certificate called, too",
  ],
  sessions: [
    "This client has begun as many sessions as it may, and this call would begin one more",
    "Sessions that are no longer needed were left open: one at rest counts, too",
  ],
  tabs: ["Tabs that are no longer needed were left open", "Pages have opened tabs of their own"],
  files: [
    "Downloads that are no longer needed were not removed",
    "Pages still show forms with files in them",
  ],
  watches: ["Watches that are no longer read were not ended"],
  streams: [
    "Streams that are no longer read were not closed",
    "Other programs with the same token or certificate have streams open, too",
  ],
};

/** The most sessions that a text names. The data is bounded too, so the number beyond them is unknown. */
const NAMED_MAX = 10;

function usedBy({ holders, others = 0 }: BusyData): string {
  return [
    ...holders.slice(0, NAMED_MAX),
    ...(holders.length > NAMED_MAX ? ["more"] : []),
    ...(others > 0 ? [`${counted(others, "session")} of others`] : []),
  ].join(", ");
}

/**
 * Sessions that are idle for long make room by themselves, so sessions with a slot are at work. The caller's own
 * session must not be ended.
 */
function elsewhere({ holders: all, others = 0 }: BusyData, call: FailedCall): Step[] {
  const holders = all.filter((each) => each !== call.session);
  const hasPlace = holders.length < all.length;
  if (hasPlace)
    return [say("If it stays so, wait for the replies to earlier calls before the next one is sent")];
  if (holders.length === 0 && others === 0) return [];
  const own = holders.length > 0 ? ` (${holders.slice(0, NAMED_MAX).join(", ")})` : "";
  return [
    say(
      `If it stays so, work in another role, or ask the operator to end a session that is not used${own} or to allow the role more sessions`,
    ),
  ];
}

/** Waiting comes last, because a session lasts until it is ended or long unused. */
function goOnInOne({ holders, retryAfterMs }: BusyData, call: FailedCall): Step[] {
  const wait = again(call, {}, `after ${retryAfterMs} ms: one that nobody uses has ended by itself then`);
  const [longest] = holders;
  if (longest === undefined) return [say("Ask the operator to end a session or to allow more"), wait];
  const beside = namesBeside(holders, call);
  if (beside.length > 0) {
    const names = beside.map((name) => JSON.stringify(name)).join(" or ");
    return [
      say(`Go on in a session that this connection has already: give ${names} as session`),
      say("If all are needed, ask the operator to allow more"),
      wait,
    ];
  }
  const names = holders.slice(0, NAMED_MAX).join(" or ");
  return [
    say(
      `Go on in a session that this client has already: ${names} (X-Troupe-Session over HTTP and gRPC, --session with troupe call)`,
    ),
    say(
      `If none of them may be shared, end one that is no longer needed: troupe sessions ${longest} --close ends the one that was not used for longest, with its tabs`,
    ),
    say("If all are needed, ask the operator to allow more"),
    wait,
  ];
}

/** Returns the names of the sessions beside the one of a call that named its own. */
function namesBeside(holders: readonly string[], { session, ownSession }: FailedCall): string[] {
  const base = ownSession === undefined ? undefined : baseSessionId(session, ownSession);
  if (base === undefined) return [];
  const start = namedSessionId(base, "");
  const names = holders.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length));
  return names.slice(0, NAMED_MAX);
}

function closeATab(call: FailedCall): Step[] {
  const list = callStep(
    call,
    "browser_tabs",
    { action: "list" },
    "to see the open tabs",
    "Open the page in the current tab instead: call browser_navigate with its address",
  );
  if (!list.tool) return [list];
  return [
    list,
    say('Choose a tab that is not needed any more and call browser_tabs(action: "close", tab: …)'),
    say(`Then call ${call.tool} again`),
  ];
}

function removeADownload(call: FailedCall): Step[] {
  const list = callStep(
    call,
    "browser_downloads",
    { action: "list" },
    "to see what can be removed",
    "Leave the pages whose forms hold files: then their files make room",
  );
  if (!list.tool) return [list, say(`Then call ${call.tool} again`)];
  return [
    list,
    say(
      'Choose downloads that are not needed any more and call browser_downloads(action: "remove", id: …); files in forms make room when their page is left',
    ),
    say(`Then call ${call.tool} again`),
  ];
}

// Errors of processes that died or hung, and unforeseen errors.

import { named } from "../../text/named.ts";
import {
  type BrokenOff,
  EFFECT,
  type Effect,
  goOnAfter,
  looksAnywhere,
  lookThenGoOn,
  startsAnew,
} from "../steps/effect.ts";
import { lostFacts } from "../steps/lost-input.ts";
import type { Candidate } from "../steps/step.ts";
import { again, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/** A restart, and the element that the call meant: as it was delivered, and its place now. */
interface Restart extends BrokenOff {
  role: string;
  reason: string;
  /** The worker still runs. Only this session hibernated, and lost something by that. */
  rested?: true;
  /** Its daemon ended, and this one goes on with the session. */
  daemonEnded?: true;
  element?: { role: string; name: string };
  candidates?: readonly Candidate[];
}

export interface CrashErrorData {
  PAGE_CRASHED: { url: string } & BrokenOff;
  TAB_CLOSED: { tab: string; url: string } & BrokenOff;
  BROWSER_CRASHED: Restart;
  PAGE_UNRESPONSIVE: { url: string; effect: Effect };
  WORKER_RESTARTED: Restart;
  /** Without `retryAfterMs` the worker will not come back by itself. `mend` says what to do. */
  WORKER_UNAVAILABLE: { role: string; reason: string; retryAfterMs?: number; mend?: string };
  /** `reportId` finds the line of the daemon's log that has the stack. */
  INTERNAL: { reportId: string };
}

function restartFacts({ lost, lostOther, element }: Restart): [string, string][] {
  return [
    ...lostFacts({ lost, lostOther }),
    ...(element ? [["Element", named(element)] as [string, string]] : []),
  ];
}

function restoredAfter({ rested, daemonEnded }: Pick<Restart, "rested" | "daemonEnded">): string {
  if (rested) return "Restored after rest:";
  return daemonEnded
    ? "The session's daemon ended, and the session goes on in a running one:"
    : "The role's worker ended and was started again:";
}

export const crashes: { [T in keyof CrashErrorData]: ErrorEntry<CrashErrorData[T]> } = {
  PAGE_CRASHED: {
    title: "Page Crashed",
    example: { url: "https://shop.example/", effect: "unknown" },
    category: "CRASH",
    code: "ABORTED",
    recoverable: true,
    expected: false,
    message: ({ url }) => `The page ${url} crashed.`,
    facts: (data) => [["Page", data.url], ["The call", EFFECT[data.effect]], ...lostFacts(data)],
    why: () => "The process behind this page died; the page has been opened again.",
    causes: () => ["The page used too much memory", "A fault of the browser"],
    steps: lookThenGoOn,
  },
  TAB_CLOSED: {
    title: "Tab Closed",
    example: { tab: "t2", url: "https://shop.example/all", effect: "none", lost: ['textbox "Note"'] },
    category: "CRASH",
    code: "ABORTED",
    recoverable: true,
    expected: false,
    message: ({ tab, url }) => `The tab ${tab} with ${url} was closed: the role needed the memory.`,
    facts: (data) => [
      ["Tab", data.tab],
      ["Page", data.url],
      ["The call", EFFECT[data.effect]],
      ...lostFacts(data),
    ],
    why: () =>
      "The role held more memory than it may, and the page of this tab was closed. The tab has its id yet: browser_navigate opens a page in it.",
    causes: () => [
      "The pages that are open in the role use much memory",
      "The role's bound on memory is small",
    ],
    steps: (data, call) => {
      if (startsAnew(call)) return [again(call)];
      const open = { url: data.url, ...tabOf(call) };
      return goOnAfter(callStep(call, "browser_navigate", open, "to open its page again"), data, call);
    },
  },
  BROWSER_CRASHED: {
    title: "Browser Crashed",
    example: { role: "customer", reason: "the browser's process ended", effect: "unknown" },
    category: "CRASH",
    code: "ABORTED",
    recoverable: true,
    expected: false,
    message: ({ role, reason }) => `The browser of role '${role}' crashed: ${reason}`,
    facts: (data) => [["Role", data.role], ["The call", EFFECT[data.effect]], ...restartFacts(data)],
    why: () => "The role's browser died and is being started again; its tabs are opened again.",
    causes: () => ["The machine ran out of memory", "A fault of the browser"],
    steps: lookThenGoOn,
    candidates: (data) => data.candidates ?? [],
  },
  PAGE_UNRESPONSIVE: {
    title: "Page Unresponsive",
    example: { url: "https://shop.example/", effect: "unknown" },
    category: "CRASH",
    code: "ABORTED",
    recoverable: true,
    expected: false,
    message: ({ url }) => `The page ${url} does not respond.`,
    facts: ({ url, effect }) => [
      ["Page", url],
      ["The call", EFFECT[effect]],
    ],
    why: () => "A script of the page held it for too long; it has been stopped.",
    otherwise: ({ url }, call) =>
      startsAnew(call)
        ? []
        : [
            [
              callStep(call, "browser_navigate", { url, ...tabOf(call) }, "to open the page anew"),
              ...(looksAnywhere(call)
                ? [again(call)]
                : [
                    say(
                      `Go on from there: take new refs from its reply, and call ${call.tool} if it is still needed`,
                    ),
                  ]),
            ],
          ],
    lastly: ({ url }) =>
      `Tell the person whom this work is for that ${url} hangs, each time: whoever runs the site has to mend it`,
    causes: () => ["An endless loop in the page", "Very heavy work in the page"],
    steps: lookThenGoOn,
  },
  WORKER_RESTARTED: {
    title: "Worker Restarted",
    example: { role: "customer", reason: "it was killed by SIGKILL", effect: "none" },
    category: "CRASH",
    code: "ABORTED",
    recoverable: true,
    expected: ({ rested }) =>
      rested ? "This is often normal where more sessions are at work than the role has places." : false,
    message: ({ role, reason, rested, daemonEnded }) =>
      rested || daemonEnded
        ? `The session's pages in role '${role}' were closed and opened again: ${reason}`
        : `The worker of role '${role}' was restarted: ${reason}`,
    facts: (data) => [
      ["Role", data.role],
      ["Reason", data.reason],
      ["The call", EFFECT[data.effect]],
      ...restartFacts(data),
    ],
    why: ({ rested, daemonEnded }) =>
      `${restoredAfter({ rested, daemonEnded })} login, tabs and addresses are restored; typed text, scroll position and all refs are not.`,
    causes: ({ rested, daemonEnded }) => {
      if (rested) return ["More sessions were at work than the role has places (roles.NAME.sessions)"];
      if (daemonEnded)
        return ["The daemon was stopped, upgraded or killed", "Its machine or its network failed"];
      return ["The worker or its browser crashed or was ended", "The machine ran out of memory"];
    },
    steps: lookThenGoOn,
    candidates: (data) => data.candidates ?? [],
  },
  WORKER_UNAVAILABLE: {
    title: "Worker Unavailable",
    example: { role: "customer", reason: "backing off", retryAfterMs: 2000 },
    category: "CRASH",
    code: "UNAVAILABLE",
    recoverable: ({ retryAfterMs }) => retryAfterMs !== undefined,
    expected: false,
    message: ({ role, reason }) => `Role '${role}' has no running worker: ${reason}`,
    facts: ({ role, reason }) => [
      ["Role", role],
      ["Reason", reason],
    ],
    why: ({ retryAfterMs }) =>
      retryAfterMs === undefined
        ? "The role's worker cannot be started; it is tried again every few minutes."
        : "The role's worker is being started again.",
    causes: ({ mend, retryAfterMs }) => {
      if (mend !== undefined) return ["The browser cannot be started on this machine as it is configured"];
      return [
        retryAfterMs === undefined
          ? "The worker or its browser crashed repeatedly"
          : "The worker or its browser crashed, or has not started yet",
      ];
    },
    steps: ({ retryAfterMs, mend, role }, call) =>
      retryAfterMs !== undefined
        ? [again(call, {}, `after ${retryAfterMs} ms`)]
        : [
            say(
              `Tell the operator of Troupe: ${mend ?? `role ${role} cannot be started; troupe status says why`}`,
            ),
            say(
              mend
                ? `The operator mends that, and has the role tried again at once by: troupe restart ${role}`
                : `The operator then runs: troupe restart ${role}`,
            ),
            say("Work in another role meanwhile"),
          ],
    retry: ({ retryAfterMs }) =>
      retryAfterMs === undefined ? undefined : { afterMs: retryAfterMs, sameCall: true },
  },
  INTERNAL: {
    title: "Internal Error",
    example: { reportId: "r-1" },
    category: "UNKNOWN",
    code: "INTERNAL",
    recoverable: false,
    expected: false,
    message: ({ reportId }) => `Something unexpected went wrong inside Troupe (report ${reportId}).`,
    facts: ({ reportId }) => [["Report", reportId]],
    why: () => "This is a fault of Troupe, not of the call.",
    causes: () => ["A case that Troupe does not handle yet"],
    steps: ({ reportId }, call) => [
      callStep(call, "browser_snapshot", tabOf(call), "to see the page and go on from there"),
      say(`If it happens again, tell the operator the report id ${reportId}`),
    ],
  },
};

// Errors of logins, permissions, sessions and limits, and of reaching the daemon.

import { named } from "../../text/named.ts";
import { findTool } from "../../tools/read-tools.ts";
import { EFFECT, type Effect, looksAnywhere, lookThenGoOn, startsAnew } from "../steps/effect.ts";
import type { Candidate, ElementData, FailedCall, Step } from "../steps/step.ts";
import { again, CANDIDATE, callStep, say, tabOf } from "../steps/step-words.ts";
import { type BusyData, busy } from "./busy.ts";
import type { ErrorEntry } from "./entry.ts";
import { type NotConnectedData, notConnected } from "./not-connected.ts";
import { type PersonAtWorkData, personAtWork } from "./person-at-work.ts";

/** The facts of a lost session. `url`: its last address. `role` and `name`: of the element that the call meant. */
interface Before {
  url?: string;
  role?: string;
  name?: string;
}

export interface AccessErrorData {
  /** `authPath` is written as in the configuration. `credential`: it is the source of this one, not the role's login. */
  AUTHENTICATION_FAILED: { role: string; authPath: string; reason: string; credential?: string };
  /**
   * `reloaded`: a fresher login was found and loaded, and `page` was opened again. `effect`: of the call. `element`:
   * the call's element. `candidates`: its place on the page now.
   */
  AUTHENTICATION_EXPIRED: {
    role: string;
    authPath: string;
    reason: string;
    reloaded: boolean;
    effect?: Effect;
    page?: string;
    element?: ElementData;
    candidates?: Candidate[];
  };
  /**
   * `mend`: how to send the token, in words. Without it, the words for our own clients are used. `retryAfterMs`: given
   * if the token could not be checked, because its issuer is down.
   */
  UNAUTHENTICATED: { reason: string; mend?: string; retryAfterMs?: number };
  /** `causes` and `steps`: other words than for a missing right. */
  PERMISSION_DENIED: { what: string; reason: string; causes?: string[]; steps?: string[] };
  /** `byOperator`: an operator named the session, so no agent works in it. It has ended before, or is unknown. */
  SESSION_EXPIRED: { session: string; reason: string; byOperator?: "ended" | "unknown" } & Before;
  SESSION_LOST: { session: string } & Before;
  BUSY: BusyData;
  PERSON_AT_WORK: PersonAtWorkData;
  CHROME_NOT_CONNECTED: NotConnectedData;
  /** `mend`: the operator's task before the daemon can be reached. */
  DAEMON_UNREACHABLE: {
    /** Undefined for another daemon of the team: the client knows its own daemon's address alone. */
    address?: string;
    reason: string;
    retryAfterMs: number;
    effect: Effect;
    mend?: string;
    /** The daemon's configuration is wrong, so it does not start. */
    misconfigured?: boolean;
    /** This client has had no connection to a daemon, so perhaps none runs. */
    neverConnected?: boolean;
  };
  DAEMON_DRAINING: { retryAfterMs: number; effect: Effect };
  CANCELLED: { reason: string };
}

export const access: { [T in keyof AccessErrorData]: ErrorEntry<AccessErrorData[T]> } = {
  AUTHENTICATION_FAILED: {
    title: "Authentication Required",
    example: { role: "customer", authPath: "auth/customer.json", reason: "file not found" },
    category: "CONNECTION",
    code: "FAILED_PRECONDITION",
    recoverable: false,
    expected: true,
    message: ({ role, authPath, reason, credential }) =>
      credential
        ? `There is no value for ${credential}: its source, ${authPath}, ${reason}`
        : `Authentication required for role '${role}' but failed to load from ${authPath}: ${reason}`,
    facts: ({ role, authPath, reason, credential }) => [
      ["Role", role],
      ...(credential ? [["Credential", credential] as [string, string]] : []),
      [credential ? "Source" : "Auth File", authPath],
      ["Reason", reason],
    ],
    why: ({ credential }) =>
      credential
        ? "The credential's value could not be read, so nothing was typed."
        : "This role requires authentication but the auth file couldn't be loaded.",
    causes: ({ reason, credential }) =>
      (credential ? ["The source is missing, or the daemon's user may not read it"] : undefined) ??
      LOGIN_CAUSES.find(([words]) => words.test(reason))?.[1] ?? [
        "The browser did not take a part of the login",
      ],
    steps: ({ role, authPath, credential, reason }) =>
      credential
        ? valueMissing({ credential, authPath, reason })
        : [
            say(`Tell the operator of Troupe: role ${role} needs its login in ${authPath}`),
            say(
              `The operator runs troupe login ${role}, which logs in and writes that file, or checks that it exists, can be read by the daemon's user and is a storageState file (JSON)`,
            ),
            say(
              `If role ${role} is to work without it, the operator sets authRequired: false for it in the configuration`,
            ),
            say(
              "When it is there, call the tool again: the role starts with it. Work in another role meanwhile",
            ),
          ],
  },
  AUTHENTICATION_EXPIRED: {
    title: "Authentication Expired",
    example: {
      role: "customer",
      authPath: "auth/customer.json",
      reason: "redirected to /login",
      reloaded: false,
    },
    category: "EXECUTION",
    code: "UNAUTHENTICATED",
    recoverable: ({ reloaded }) => reloaded,
    expected: "This is often normal after some hours.",
    message: ({ role, reason }) => `The login of role '${role}' has expired: ${reason}`,
    facts: ({ role, authPath, reason }) => [
      ["Role", role],
      ["Auth File", authPath],
      ["Noticed by", reason],
    ],
    why: ({ reloaded, page }) =>
      reloaded
        ? `The site no longer accepted this role's login. A fresh one was found and has been loaded${page ? `, and ${page} was opened again` : ""}.`
        : "The site no longer accepts this role's login, and its file holds no fresher one.",
    causes: () => ["The site ended the login", "Somebody logged in elsewhere with the same account"],
    steps: (data, call) => (data.reloaded ? goOnLoggedIn(data, call) : needsLogin(data)),
    candidates: ({ candidates }) => candidates ?? [],
  },
  UNAUTHENTICATED: {
    title: "Not Authenticated",
    example: { reason: "no token" },
    category: "POLICY",
    code: "UNAUTHENTICATED",
    recoverable: false,
    expected: true,
    message: ({ reason }) => `The daemon does not know this client: ${reason}.`,
    facts: ({ reason }) => [["Reason", reason]],
    why: ({ retryAfterMs }) =>
      retryAfterMs === undefined
        ? "The daemon asks for a token and got none that it knows."
        : "The daemon cannot check tokens without the keys of their issuer. The token itself may be right.",
    causes: ({ retryAfterMs }) =>
      retryAfterMs === undefined
        ? ["The token is missing, wrong or out of date"]
        : [
            "The issuer of the tokens is down or cannot be reached",
            "oidc.issuer is not the issuer's address",
          ],
    steps: ({ mend, retryAfterMs }, call) =>
      retryAfterMs === undefined
        ? [
            say(
              mend ??
                "Ask the operator for a token and set TROUPE_TOKEN or TROUPE_TOKEN_FILE for this client",
            ),
          ]
        : [again(call, {}, `after ${retryAfterMs} ms`), say(`If it fails again, ${mend}`)],
    retry: ({ retryAfterMs }) =>
      retryAfterMs === undefined ? undefined : { afterMs: retryAfterMs, sameCall: true },
  },
  PERMISSION_DENIED: {
    title: "Permission Denied",
    example: { what: "role admin", reason: "The token is for customer." },
    category: "POLICY",
    code: "PERMISSION_DENIED",
    recoverable: false,
    expected: true,
    message: ({ what, reason }) => `Not allowed: ${what}. ${reason}`,
    facts: ({ what }) => [["Asked for", what]],
    why: ({ reason }) => reason,
    causes: ({ causes }) => causes ?? ["The configuration does not give this client the right"],
    steps: ({ steps }) =>
      steps?.map((step) => say(step)) ?? [
        say("Do without it, or ask the operator to allow it in the configuration"),
      ],
  },
  SESSION_EXPIRED: {
    title: "Session Expired",
    example: { session: "s1", reason: "it was not used for 1 h" },
    category: "EXECUTION",
    code: "NOT_FOUND",
    recoverable: ({ byOperator }) => !byOperator,
    expected: "This is often normal after a long pause.",
    message: ({ session, reason, byOperator }) =>
      `Session ${session} ${byOperator === "unknown" ? "is not known" : "has ended"}: ${reason}.`,
    facts: (data) => [["Session", data.session], ...beforeFacts(data)],
    why: ({ reason, byOperator }) =>
      byOperator === "unknown"
        ? `The daemon does not know the session: ${reason}, or it ended long ago.`
        : `The session has ended: ${reason}. Its tabs are closed.`,
    causes: ({ byOperator, reason }) => {
      if (byOperator === "ended") return [`It has ended before this call: ${reason}`];
      if (byOperator === "unknown") return ["Its id is misspelt", "It ended long ago"];
      return ["It was not used for longer than sessionIdle", "It was closed"];
    },
    steps: (data, call) =>
      data.byOperator ? [say("Look which sessions there are: troupe sessions")] : startOver(data, call),
  },
  SESSION_LOST: {
    title: "Session Lost",
    example: { session: "s1" },
    category: "EXECUTION",
    code: "NOT_FOUND",
    recoverable: true,
    expected: "This is often normal after the daemon was restarted.",
    message: ({ session }) =>
      `The daemon does not have session ${session}; a new one has begun under that id.`,
    facts: (data) => [["Session", data.session], ...beforeFacts(data)],
    why: () =>
      "The tabs, pages and refs of before are gone; a new session has begun under the same id. The call was not carried out.",
    causes: () => [
      "The daemon was restarted without its state, or another daemon answers",
      "The session ended after a long pause",
    ],
    steps: startOver,
  },
  BUSY: busy,
  PERSON_AT_WORK: personAtWork,
  CHROME_NOT_CONNECTED: notConnected,
  DAEMON_UNREACHABLE: {
    title: "Daemon Unreachable",
    example: {
      address: "unix:/run/troupe.sock",
      reason: "nothing listens there",
      retryAfterMs: 1000,
      effect: "unknown",
    },
    category: "CONNECTION",
    code: "UNAVAILABLE",
    recoverable: ({ mend }) => mend === undefined,
    expected: false,
    message: ({ address, reason }) =>
      address === undefined
        ? `Another Troupe daemon of the team does not answer: ${reason}`
        : `No Troupe daemon answers at ${address}: ${reason}`,
    facts: ({ address, reason, effect }) => [
      ...(address === undefined ? [] : [["Address", address] as [string, string]]),
      ["Reason", reason],
      ["The call", EFFECT[effect]],
    ],
    why: ({ address, mend, misconfigured }) => {
      if (address === undefined) return "Another daemon has the session, and gave no reply to this call.";
      if (misconfigured) return "The browser roles are run by a daemon, and its configuration is wrong.";
      return mend === undefined
        ? "The browser roles are run by a daemon, and it does not answer."
        : "The browser roles are run by a daemon, and no connection to it comes about.";
    },
    causes: ({ address, mend, misconfigured }) => {
      if (address === undefined) return ["That daemon stands still, or its connection broke"];
      if (misconfigured) return ["The configuration was changed"];
      return mend === undefined
        ? ["The daemon is not running or is being restarted", "The address is wrong"]
        : [
            "This client and the daemon are set up for different certificates, or are of different versions",
            "The address is another program's",
          ];
    },
    steps: ({ address, retryAfterMs, effect, mend }, call) =>
      mend !== undefined
        ? [say(`Ask the operator: ${mend} (troupe doctor checks the rest)`)]
        : [
            ...(effect === "none"
              ? [again(call, {}, `after ${retryAfterMs} ms`)]
              : lookThenGoOn({ effect }, call)),
            say(
              address === undefined
                ? "If it fails again after 60 s, ask the operator to look at the other daemons; troupe status has warnings"
                : "If it fails again, ask the operator to run troupe doctor, which says what to mend, and to start it: troupe daemon, with the same --config and --state-dir as this client",
            ),
          ],
    retry: ({ retryAfterMs, effect, mend }) =>
      mend === undefined ? { afterMs: retryAfterMs, sameCall: effect === "none" } : undefined,
  },
  DAEMON_DRAINING: {
    title: "Daemon Draining",
    example: { retryAfterMs: 1000, effect: "unknown" },
    category: "CONNECTION",
    code: "UNAVAILABLE",
    recoverable: true,
    expected: "This is often normal during an upgrade.",
    message: ({ effect }) =>
      effect === "none"
        ? "The daemon finishes its calls and takes no new ones."
        : "The daemon ends, and waited no longer for this call.",
    facts: ({ effect }) => [["The call", EFFECT[effect]]],
    why: ({ effect }) =>
      effect === "none"
        ? "The daemon is about to end or to be restarted; nothing was done."
        : "The daemon ends or is being restarted, and the call had not ended in time.",
    causes: () => ["An operator stops or upgrades the daemon"],
    steps: ({ retryAfterMs, effect }, call) =>
      effect === "none" ? [again(call, {}, `after ${retryAfterMs} ms`)] : lookThenGoOn({ effect }, call),
    retry: ({ retryAfterMs, effect }) => ({ afterMs: retryAfterMs, sameCall: effect === "none" }),
  },
  CANCELLED: {
    title: "Cancelled",
    example: { reason: "the client went away" },
    category: "EXECUTION",
    code: "CANCELLED",
    recoverable: false,
    expected: true,
    message: ({ reason }) => `The call was cancelled: ${reason}.`,
    causes: () => ["The client cancelled the call or went away"],
    steps: (_data, call) => [callStep(call, "browser_snapshot", {}, "to see what the call had done by then")],
  },
};

/** Causes by the reason's words, which stand in `worker/storage/storage-state.ts`. */
const LOGIN_CAUSES: readonly [RegExp, string[]][] = [
  [
    /not found|is a folder/,
    ["Auth file doesn't exist at specified path", "Path specified incorrectly in configuration"],
  ],
  [/may not read|cannot be read/, ["Auth file permissions prevent reading"]],
  [
    /not JSON|no storageState|larger than/,
    [
      "The file was cut short or changed by hand",
      "It is another kind of file than a login saved as storageState",
    ],
  ],
];

/** The login is loaded and the page is open again, so the call is repeated. */
function goOnLoggedIn(data: AccessErrorData["AUTHENTICATION_EXPIRED"], call: FailedCall): Step[] {
  const { effect = "unknown", element, candidates = [] } = data;
  if (looksAnywhere(call)) return [again(call)];
  const look = callStep(call, "browser_snapshot", tabOf(call), "to see the page, logged in");
  // Its purpose was to bring the page that is now open again.
  if (findTool(call.tool)?.arrival) return [look];
  if (effect === "unknown" && !findTool(call.tool)?.readOnly) return lookThenGoOn({ effect }, call);
  const [likely] = candidates;
  if (!likely || !element)
    return [look, say(`Go on from there: ${call.tool} was not carried out; take new refs from the snapshot`)];
  return [
    look,
    say(`Find ${named(element)} in it (likely ${likely.ref})`),
    again(call, { ref: CANDIDATE }, "", { ref: JSON.stringify(likely.ref) }),
  ];
}

function valueMissing({
  credential,
  authPath,
  reason,
}: Record<"credential" | "authPath" | "reason", string>): Step[] {
  return [
    say(`Tell the operator of Troupe: ${credential} has no value, as its source, ${authPath}, ${reason}`),
    say("When that is mended, call the tool again: the source is read each time. troupe doctor checks it"),
  ];
}

function needsLogin({ role, authPath }: { role: string; authPath: string }): Step[] {
  return [
    say(
      `Tell the operator of Troupe: the login of role ${role} has expired; troupe login ${role} logs in and writes a fresh one to ${authPath}`,
    ),
    say("When it is there, call browser_navigate with the page: it is loaded without a restart"),
    say("Work in another role meanwhile"),
  ];
}

function beforeFacts({ url, role, name }: Before): [string, string][] {
  return [
    ...(url ? [["Last page", url] as [string, string]] : []),
    ...(role && name ? [["It was", named({ role, name })] as [string, string]] : []),
  ];
}

function startOver(data: Before, call: FailedCall): Step[] {
  if (startsAnew(call)) return [again(call)];
  const { url, role, name } = data;
  // The earlier tabs are gone with their ids.
  const { tab: _tab, ...others } = call.arguments;
  const anew = { ...call, arguments: others };
  const open = url
    ? callStep(anew, "browser_navigate", { url }, "to open its last page again")
    : callStep(anew, "browser_snapshot", {}, "to see where the new session begins");
  if (url && looksAnywhere(anew)) return [open, again(anew)];
  if (url && role && name)
    return [open, say(`Find ${named({ role, name })} in its reply`), again(anew, { ref: CANDIDATE })];
  return [
    open,
    ...(url ? [] : [say("Call browser_navigate(url: …) with the page that the work was on")]),
    say(
      `Go on from there: the refs of before no longer work, take those of its reply for ${call.tool || "the next call"}`,
    ),
  ];
}

// The state of a worker's stand-in, its reports to the daemon, and the lines that it writes to the daemon's log.
import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import {
  detailOf,
  type ErrorData,
  type ErrorType,
  type FailedCall,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { toStatus } from "../../../proto/errors/status.ts";
import type { Input, RoleConfig, SessionRecord, WatchWorkerResponse } from "../../../proto/gen/troupe.ts";
import { SESSION_KEY } from "../../../proto/wire/metadata.ts";

export type Call = ServerUnaryCall<Record<string, unknown>, object>;
export type Reply = sendUnaryData<object>;
export type Stream = ServerWritableStream<Record<string, unknown>, Input<WatchWorkerResponse>>;

export class StandInState {
  role: RoleConfig | undefined;
  watcher: Stream | undefined;
  /** The counts and lists that `/state` replies with. */
  readonly seen = {
    restored: [] as SessionRecord[],
    /** The keys of sessions that ended. */
    ended: [] as string[],
    /** The storage that the daemon gave back. */
    given: [] as object[],
    cancelled: 0,
    /** The reasons for which tabs had to close. */
    shed: [] as string[],
    sparing: false,
    /** The ids of decided approvals. */
    decided: [] as string[],
    loginsRead: 0,
    /** How often an operator looked at a tab. */
    looks: 0,
  };
  /** Hibernations that wait for `/let-rest`, by session. */
  readonly held = new Map<string, () => void>();
  /** Calls that wait for `/go-on`. */
  readonly waiting: (() => void)[] = [];
  /** The typed text of each session. */
  readonly typed = new Map<string, SessionRecord["typed"]>();
  ballast: Buffer | undefined;
  /** True if the ballast counts as garbage. */
  isGarbage = false;

  /** Returns the value of the browser argument `--NAME=…`, which the stand-in reads for itself. */
  argument(name: string): string | undefined {
    return this.role?.browser?.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  }

  report(event: Input<WatchWorkerResponse>): void {
    this.watcher?.write(event);
  }

  /** Reports that the call's session has a tab with this address. Its `title=` is the tab's title. */
  reportTab(call: Call, url: string, typed: SessionRecord["typed"] = []): void {
    const key = keyOf(call);
    this.typed.set(key, typed);
    const title = new URL(url).searchParams.get("title") ?? "";
    this.report({
      session: { key, nextTab: 2, tabs: [{ id: "t1", url, title, current: true }], typed },
    });
  }

  /** Returns the gRPC status of an error, as a worker sends it. */
  statusOf(type: ErrorType, data: object, url = "") {
    const call: FailedCall = {
      tool: "browser_navigate",
      arguments: { url },
      profile: "core",
      role: this.role?.name ?? "",
      session: "",
      tab: "",
    };
    return toStatus(detailOf(fail(type, data as ErrorData[typeof type]), call, Date.now()));
  }
}

export function keyOf({ metadata }: Pick<Call, "metadata">): string {
  return String(metadata.get(SESSION_KEY)[0]);
}

/** The lines of a stand-in. The daemon logs them, so that tests can wait for them. */
export const LINES = {
  starting: "the stand-in starts its role",
  /** With no key, the start of each such line. */
  holds: (key = "") => `the stand-in holds a call of ${key && `${key}.`}`,
  cancelled: (key = "") => `a call is cancelled of ${key && `${key}.`}`,
  restAsked: (key: string) => `a rest is asked for of ${key}.`,
  ended: (key: string) => `a session has ended: ${key}.`,
  shed: "a tab is closed",
  collected: "the garbage is thrown away",
  loginRead: "the login is read again",
};

export function write(line: string): void {
  console.log(line);
}

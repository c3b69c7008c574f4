// Describes a browser that a role works in: one that the worker started, or one that it is attached to.
import type { CDPSession, Connection } from "puppeteer-core";
import type { FoundBrowser } from "./find-browser.ts";
import type { OtherUser } from "./unprivileged.ts";

/** A running Chrome. */
export interface Chrome {
  /** A session of the browser target: contexts, targets, cookies. */
  session: CDPSession;
  connection: Connection;
  /** 0 for a browser that the worker is attached to: it may run on another machine. */
  pid: number;
  /** For example: `Chromium 156.0.8078.73`. */
  version: string;
  source: FoundBrowser["source"] | "attached";
  /** When its program was made. Undefined for a browser that the worker is attached to. */
  builtMs: number | undefined;
  /** `on`, or `off: ` with the reason. Empty for a browser that the worker is attached to. */
  sandbox: string;
  /** Empty for a browser that the worker is attached to. */
  profileDir: string;
  /** The browser runs as this user; undefined for the worker's own. */
  user: OtherUser | undefined;
  /** The address of an attached browser. Undefined for a browser of the worker's own. */
  endpoint: string | undefined;
  /** The context that the person's own tabs are in. Undefined for a browser of the worker's own. */
  personalContext: string | undefined;
  readonly isConnected: boolean;
  /** Calls back once with the reason, when the browser has ended or its connection is lost. */
  onGone(callback: (reason: string) => void): void;
  /** Gives up a browser that hangs. The worker's own is killed, another one is only left. */
  giveUp(): void;
  /** Ends the worker's own browser. Leaves another one, in which the worker's contexts end by that. */
  close(): Promise<void>;
}

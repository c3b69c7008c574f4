// Every fault, and the error types that none can cause yet.
import type { ErrorType } from "../../proto/errors/catalogue.ts";
import { access } from "./access.ts";
import { calls } from "./calls.ts";
import { crashes } from "./crashes.ts";
import { doors } from "./doors.ts";
import { elements } from "./elements.ts";
import type { Fault } from "./fault.ts";
import { logins } from "./logins.ts";
import { lostPages } from "./lost-pages.ts";
import { network } from "./network.ts";
import { pages } from "./pages.ts";

export const faults: readonly Fault[] = [
  ...calls,
  ...elements,
  ...pages,
  ...network,
  ...crashes,
  ...lostPages,
  ...access,
  ...logins,
  ...doors,
];

/** Error types of parts that are not built yet. An entry must go once a fault causes its type. */
export const unprovoked: Partial<Record<ErrorType, string>> = {
  FILE_NOT_ALLOWED: "uploads and downloads are not there",
  DOWNLOAD_FAILED: "uploads and downloads are not there",
  SCRIPT_FAILED: "browser_evaluate is not there",
  CHROME_NOT_CONNECTED: "browser.connect is not there",
  DEBUGGER_NOT_ENABLED: "the debug profile is not there",
  EXECUTION_NOT_PAUSED: "the debug profile is not there",
  EXECUTION_ALREADY_PAUSED: "the debug profile is not there",
  EXECUTION_PAUSED: "the debug profile is not there",
  BREAKPOINT_NOT_FOUND: "the debug profile is not there",
};

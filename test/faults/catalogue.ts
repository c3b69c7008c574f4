// Every fault.
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

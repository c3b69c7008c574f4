// Every fault.
import { access } from "./kinds/access.ts";
import { approvals } from "./kinds/approvals.ts";
import { attach } from "./kinds/attach.ts";
import { calls } from "./kinds/calls.ts";
import { changedElements } from "./kinds/changed-elements.ts";
import { crashes } from "./kinds/crashes.ts";
import { debugging } from "./kinds/debugging.ts";
import { doors } from "./kinds/doors.ts";
import { elements } from "./kinds/elements.ts";
import { files } from "./kinds/files.ts";
import { logins } from "./kinds/logins.ts";
import { lostPages } from "./kinds/lost-pages.ts";
import { network } from "./kinds/network.ts";
import { pages } from "./kinds/pages.ts";
import { store } from "./kinds/store.ts";
import type { Fault } from "./stage/fault.ts";

export const faults: readonly Fault[] = [
  ...calls,
  ...changedElements,
  ...elements,
  ...pages,
  ...files,
  ...network,
  ...crashes,
  ...lostPages,
  ...access,
  ...store,
  ...approvals,
  ...attach,
  ...logins,
  ...doors,
  ...debugging,
];

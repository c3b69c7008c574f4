import { access } from "./access.ts";
import { checkFaults } from "./check-faults.ts";
import { crashes } from "./crashes.ts";
import { doors } from "./doors.ts";
import { logins } from "./logins.ts";
import { lostPages } from "./lost-pages.ts";

checkFaults([...crashes, ...lostPages, ...access, ...logins, ...doors]);

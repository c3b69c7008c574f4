import { checkFaults } from "./check-faults.ts";
import { access } from "./kinds/access.ts";
import { attach } from "./kinds/attach.ts";
import { crashes } from "./kinds/crashes.ts";
import { doors } from "./kinds/doors.ts";
import { logins } from "./kinds/logins.ts";
import { lostPages } from "./kinds/lost-pages.ts";
import { store } from "./kinds/store.ts";

checkFaults([...crashes, ...lostPages, ...access, ...attach, ...logins, ...store, ...doors]);

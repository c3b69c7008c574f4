import { checkFaults } from "./check-faults.ts";
import { approvals } from "./kinds/approvals.ts";

checkFaults(approvals);

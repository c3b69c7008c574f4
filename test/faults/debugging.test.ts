import { checkFaults } from "./check-faults.ts";
import { debugging } from "./kinds/debugging.ts";

checkFaults(debugging);

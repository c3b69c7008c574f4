import { checkFaults } from "./check-faults.ts";
import { calls } from "./kinds/calls.ts";
import { elements } from "./kinds/elements.ts";

checkFaults([...calls, ...elements]);

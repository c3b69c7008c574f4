import { calls } from "./calls.ts";
import { checkFaults } from "./check-faults.ts";
import { elements } from "./elements.ts";

checkFaults([...calls, ...elements]);

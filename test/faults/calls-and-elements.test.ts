import { checkFaults } from "./check-faults.ts";
import { calls } from "./kinds/calls.ts";
import { changedElements } from "./kinds/changed-elements.ts";
import { elements } from "./kinds/elements.ts";

checkFaults([...calls, ...changedElements, ...elements]);

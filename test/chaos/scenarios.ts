// Every scenario of the chaos suite, in the order in which they are played.
import { deaths } from "./deaths.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: readonly Scenario[] = [deaths];

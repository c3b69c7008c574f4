import { checkFaults } from "./check-faults.ts";
import { network } from "./network.ts";
import { pages } from "./pages.ts";

checkFaults([...pages, ...network]);

import { checkFaults } from "./check-faults.ts";
import { network } from "./kinds/network.ts";
import { pages } from "./kinds/pages.ts";

checkFaults([...pages, ...network]);

import { checkFaults } from "./check-faults.ts";
import { files } from "./kinds/files.ts";
import { network } from "./kinds/network.ts";
import { pages } from "./kinds/pages.ts";

checkFaults([...pages, ...files, ...network]);

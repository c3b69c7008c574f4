// Every scenario of the chaos suite, in the order of play.
import { agents } from "./agents.ts";
import { deaths } from "./deaths.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { idle } from "./idle.ts";
import { kills } from "./kills.ts";
import { hosts } from "./machine/hosts.ts";
import { pages } from "./pages.ts";
import { rest } from "./rest.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { soak } from "./soak.ts";

export const scenarios: readonly Scenario[] = [deaths, kills, idle, rest, pages, hosts, agents, soak, fuzz];

// Faults of a machine and its users: programs that die, full disks, broken files, clients that come and go, clocks that
// jump.

import type { Figure } from "../scenario/figures.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { brokenFiles } from "./broken-files.ts";
import { deafClients, vanishingClients } from "./clients.ts";
import { clockJump } from "./clock-jump.ts";
import { connectionsAtRest, rudeConnections } from "./connections.ts";
import { crashLoop } from "./crash-loop.ts";
import { fullDisk } from "./full-disk.ts";

interface Fault {
  title: string;
  /**
   * Resolves with figures, or with the reason that this machine cannot play the fault. Rejects if the fault breaks the
   * daemon.
   */
  play(interrupted: AbortSignal): Promise<Figure[] | { skipped: string }>;
}

const faults: readonly Fault[] = [
  { title: "a browser that dies at each start", play: crashLoop },
  { title: "databases that are broken, or of a later version", play: brokenFiles },
  { title: "a disk that runs full", play: fullDisk },
  { title: "clients that vanish in the middle of their calls", play: vanishingClients },
  { title: "clients that never read", play: deafClients },
  { title: "10,000 connections at rest", play: connectionsAtRest },
  { title: "connections that say little, or nonsense", play: rudeConnections },
  { title: "a clock that is set forward by hours, and back", play: clockJump },
];

export const hosts: Scenario = {
  name: "hosts",
  about:
    "crash-looping role, full disk, broken and later databases, rude and vanishing clients, 10,000 connections, clocks (some 9 minutes)",
  async *play({ say, interrupted, part }) {
    for (const { title, play } of faults) {
      if (part !== undefined && !title.includes(part)) continue;
      say(`${title}…`);
      const came = await play(interrupted);
      yield { title, ...("skipped" in came ? came : { figures: came }) };
    }
  },
};

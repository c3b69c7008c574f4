// Writes deploy/CAPACITY.md from the figures.
import type { Machine } from "../machine.ts";
import type { Rate } from "./directory.ts";
import { CALL_NAMES, PAGE_ROWS, type Parts, total } from "./footprint.ts";
import {
  awakeMs,
  boundsOf,
  browserHour,
  CONNECTIONS_PER_POD,
  type Figures,
  mixedCallMs,
  type Need,
  NODE,
  needOf,
  podMiB,
  rounded,
  SESSIONS_MAX,
  sessionMiB,
  WORKLOAD,
} from "./model.ts";

export interface CapacityResults extends Figures {
  date: string;
  machine: Machine;
}

const SIZES = [100, 1000, 10_000] as const;
const CALLS = {
  look: "a look at a page that did not change",
  click: "a click on a page of 125 rows",
  navigate: "a navigation to a page of 125 rows",
  begin: "a session that begins, opens a page and goes to rest",
  wake: "a session that wakes, looks and goes to rest",
} as const;

export function capacityReport(results: CapacityResults): string {
  const { footprint, directory, machine, date } = results;
  const { resting, idleMs, awakeMiB } = footprint;
  return `<!-- Written by \`node test/bench/capacity/main.ts\`. -->

# Capacity

Measured on ${date}: ${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}; ${machine.browser}, Node ${machine.node.slice(1)}. Memory is PSS, time is
processor time. A page has 8 elements in each row.

## One pod

${table(
  ["memory", "daemon", "worker", "browser", "together"],
  [
    [
      "a daemon before its first role",
      `${rounded(footprint.daemonMiB)} MiB`,
      "",
      "",
      `${rounded(footprint.daemonMiB)} MiB`,
    ],
    partsRow("a daemon with one role", footprint.roleMiB, "MiB"),
    partsRow("each awake session, page of 10 rows", awakeMiB[10], "MiB"),
    partsRow("each awake session, page of 1,250 rows", awakeMiB[1250], "MiB"),
  ],
)}

A session at rest needs ${rounded(Math.max(0, resting.memoryKiB))} KiB of the daemon's memory and ${rounded(resting.storeKiB)} KiB of the store. Figures near zero, also negative
ones, are below what can be measured. More roles in one daemon add a worker and a browser each.

${table(
  ["processor time", "daemon", "worker", "browser", "together"],
  CALL_NAMES.map((name) => partsRow(CALLS[name], footprint.callMs[name], "ms")),
)}

A session that is awake and not used takes ${rounded(idleMs.awake)} ms in a second, a frozen one ${rounded(idleMs.frozen)} ms, one at rest ${rounded(resting.idleMs)} ms.
Such small figures vary from run to run.

A pod with ${WORKLOAD.places} sessions at large pages, each with a call in a second, needs ${rounded(podMiB(footprint) + WORKLOAD.places * sessionMiB(footprint))} MiB and ${rounded((WORKLOAD.places * mixedCallMs(footprint)) / 1000)} processors:
that is the request in \`deploy/kubernetes\`. Its limit holds the bound of \`memory\` and 1 GiB beside it.

## The directory

${directory.pods} daemons' stores with ${directory.sessions.toLocaleString("en-US")} sessions, on one PostgreSQL whose commits wait for the disk. Clients and database share the
machine's ${machine.cores} processors, so a database of its own does more.

${table(
  ["at full load", "a second", "median", "99 of 100", "the database's time"],
  [
    rateRow("sessions that begin and store 30 kB", directory.begins),
    rateRow("calls that store 4 kB", directory.writes),
    rateRow("look-ups of a session that lives elsewhere", directory.lookUps),
  ],
)}

- All ${directory.pods} heartbeats take ${rounded(directory.heartbeatMs)} ms of the database's processor in a second.
- ${directory.takeOver.sessions} sessions of a dead pod, each asked for by ${directory.takeOver.askers} others at once, had one owner each after ${rounded(directory.takeOver.totalMs)} ms.
- A session takes ${rounded(directory.sessionKiB)} KiB of the database.

## The model

${WORKLOAD.awakeShare * 100}% of sessions are awake. Each makes a call every ${1 / WORKLOAD.callsPerSecond} s: half are looks, ${WORKLOAD.mix.click * 10} of 10 clicks, one is a navigation. A session wakes twice in
an hour. A pod has ${WORKLOAD.places} places for awake sessions, and ${WORKLOAD.placesUsed} are in use before another pod is added. One call in ten comes
to a pod that does not own the session. Pages are large.
A call that acts is one write, and so is a session's use once in ten seconds.

${table(["", ...SIZES.map((size) => `${size.toLocaleString("en-US")} sessions`)], needRows(SIZES.map((size) => needOf(size, results))))}

## The cost of a browser-hour

An hour of an awake session, on a machine of ${NODE.cores} processors and ${NODE.memoryGiB} GiB that is full. ${NODE.usedShare * 100}% of it is planned for. One pod
with one role takes ${rounded(podMiB(footprint))} MiB of that. Each session is used as in the model: ${rounded(awakeMs(footprint))} ms of processor time in a second.

${table(
  [
    "all sessions show",
    "memory for",
    "processors for",
    `an hour, if the machine costs ${usd(NODE.usdPerHour)}`,
  ],
  PAGE_ROWS.map((rows) => hourRow(rows, results)),
)}

A session at rest takes hardly any of it.

## What is full first

${table(
  ["resource", "bound", "reached at"],
  boundsOf(results).map(({ resource, bound, sessions }) => [resource, bound, reachedAt(sessions)]),
)}

PostgreSQL's default of 100 connections is full first: a daemon opens up to ${CONNECTIONS_PER_POD}. Set \`max_connections\` to
${CONNECTIONS_PER_POD} for each pod and some more. The database's writes come later, and pods are added before either: a pod is full when its places are.
`;
}

function hourRow(rows: (typeof PAGE_ROWS)[number], results: CapacityResults): string[] {
  const { byMemory, byProcessors, usd: cost } = browserHour(rows, results);
  return [
    `a page of ${rounded(rows)} rows`,
    `${rounded(byMemory)} sessions`,
    `${rounded(byProcessors)} sessions`,
    usd(cost),
  ];
}

function usd(amount: number): string {
  return `${Number(amount.toPrecision(2))} USD`;
}

function reachedAt(sessions: number): string {
  const isBeyond = sessions >= SESSIONS_MAX - 100;
  return isBeyond
    ? `beyond ${SESSIONS_MAX.toLocaleString("en-US")} sessions`
    : `${sessions.toLocaleString("en-US")} sessions`;
}

function needRows(needs: readonly Need[]): string[][] {
  const row = (name: string, of: (need: Need) => number, unit = "") => [
    name,
    ...needs.map((need) => `${rounded(of(need))}${unit}`),
  ];
  return [
    row("awake", ({ awake }) => awake),
    row("pods", ({ pods }) => pods),
    row("memory of all pods", ({ memoryGiB }) => memoryGiB, " GiB"),
    row("processors in use", ({ cores }) => cores),
    row("connections to the database", ({ connections }) => connections),
    row("writes a second", ({ writesPerSecond }) => writesPerSecond),
    row("the database's processors in use", ({ databaseCores }) => databaseCores),
    row("the database's size", ({ storageGiB }) => storageGiB, " GiB"),
  ];
}

function partsRow(name: string, parts: Parts, unit: string): string[] {
  return [
    name,
    ...[parts.daemon, parts.worker, parts.browser, total(parts)].map((each) => `${rounded(each)} ${unit}`),
  ];
}

function rateRow(name: string, { perSecond, medianMs, p99Ms, databaseMs }: Rate): string[] {
  return [
    name,
    rounded(perSecond),
    `${rounded(medianMs)} ms`,
    `${rounded(p99Ms)} ms`,
    `${rounded(databaseMs)} ms`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

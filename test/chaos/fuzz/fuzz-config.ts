// Starts and reloads a daemon with random files. Each is applied whole, or refused with file, key and remedy and
// without any change.
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import path from "node:path";
import { type DaemonConfig, loadConfig } from "../../../daemon/config/load.ts";
import { EXIT, StartupError } from "../../../daemon/core/startup-error.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import type { Figure } from "../scenario/figures.ts";
import { type BrokenConfig, configMaker } from "./broken-config.ts";

const FINDINGS_SHOWN = 12;
/** The number of inputs between two checks that the doors speak TLS and take calls. */
const DOORS_EVERY = 100;
/** Each line has a place and a problem. */
const WELL_SAID =
  /^(troupe\.yaml:\d+: \S.*|Cannot read the configuration troupe\.yaml: it .*|Name another with .*|and \d+ problems more)$/;

type Certificates = ReturnType<typeof certificateFolder>;
type Held = Awaited<ReturnType<typeof testDaemon>>;
/** The result of an input: applied or rightly refused, or the mistake in its handling. */
type Verdict = { taken: boolean } | { wrong: string };

/** Lets one daemon read all inputs, one after the other. */
export async function fuzzedConfigs(seeds: readonly number[]): Promise<Figure[]> {
  using maker = configMaker();
  using certificates = certificateFolder();
  const tls = { ...certificates.tls, clientCa: certificates.file("ca.crt") };
  const start = { listen: ["unix:default", "127.0.0.1:0"], tls };
  const nobody = { worker: { program: "/bin/false", args: [] } };
  await using daemon = await testDaemon(start, nobody);
  const found: { input: BrokenConfig; wrong: string }[] = [];
  let [taken, closed] = [0, 0];
  for (const [index, seed] of seeds.entries()) {
    const input = maker.of(seed);
    const verdict = readOnce(daemon, input);
    if ("wrong" in verdict) found.push({ input, wrong: verdict.wrong });
    else if (verdict.taken) taken++;
    if (index % DOORS_EVERY === DOORS_EVERY - 1 && !(await opens(daemon, start, certificates))) closed++;
    // This test does not read the log.
    daemon.lines.length = 0;
  }
  const note = found
    .slice(0, FINDINGS_SHOWN)
    .map(({ input, wrong }) => `seed ${input.seed}, ${input.about}: ${wrong}`);
  return [
    { name: "configurations", value: seeds.length },
    { name: "taken whole", value: taken },
    { name: "refused, with nothing changed", value: seeds.length - taken - found.length },
    {
      name: "an error, a change by halves, or words without a place",
      value: found.length,
      bar: { most: 0 },
      ...(note.length > 0 && { note: note.join("; ") }),
    },
    {
      name: "times that a good one was not taken, or a door did not answer",
      value: closed,
      bar: { most: 0 },
    },
  ];
}

function readOnce(daemon: Held, input: BrokenConfig): Verdict {
  input.write(daemon.dir);
  const start = startWith(daemon.dir);
  if ("wrong" in start) return start;
  const before = held(daemon.config);
  try {
    daemon.daemon.reload();
  } catch (error) {
    return { wrong: `the reload threw ${String(error)}` };
  }
  const after = held(daemon.config);
  const { config } = start;
  if (config === undefined)
    return after === before ? { taken: false } : { wrong: "it was refused and changed something" };
  return after === held(config) ? { taken: true } : { wrong: `it was not taken whole: ${after}` };
}

/** Returns the configuration of a start; undefined if the daemon would refuse to start. */
function startWith(dir: string): { config: DaemonConfig | undefined } | { wrong: string } {
  const flags = {
    listen: [],
    roles: [],
    example: false,
    config: path.join(dir, "troupe.yaml"),
    stateDir: path.join(dir, "s"),
  };
  try {
    return { config: loadConfig({ flags, env: {}, cwd: dir }) };
  } catch (error) {
    if (!(error instanceof StartupError)) return { wrong: `the start threw ${String(error)}` };
    if (error.exitCode !== EXIT.configuration) return { wrong: `exit code ${error.exitCode}` };
    const unplaced = error.message.split("\n").filter((line) => !WELL_SAID.test(line));
    return unplaced.length > 0 ? { wrong: `it says ${JSON.stringify(unplaced[0])}` } : { config: undefined };
  }
}

/** Returns all that a reload changes. */
function held({ limits, restart, log, tokens, tls, roles }: DaemonConfig): string {
  const material = tls && [tls.cert, tls.key, tls.clientCa].map((file) => file?.toString("latin1"));
  return JSON.stringify({ limits, restart, log, tokens, material, roles });
}

/** Returns true if the daemon then applies a good configuration, and both doors use it. */
async function opens(daemon: Held, start: object, { file }: Certificates): Promise<boolean> {
  rmSync(path.join(daemon.dir, "troupe.yaml"), { recursive: true, force: true });
  daemon.reload(start);
  const { ok } = await daemon.ask("GetStatus", {});
  const [ca, cert, key] = ["ca.crt", "ada.crt", "ada.key"].map((name) => readFileSync(file(name)));
  const asked = get(`${daemon.daemon.http[0]}/livez`, { ca, cert, key, agent: false });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return ok?.configProblems.length === 0 && answer.statusCode === 200;
}

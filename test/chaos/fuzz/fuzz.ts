// Both doors under random inputs: each gets a typed answer, nothing hangs, and the daemon goes on.
import { type ClientHttp2Session, connect } from "node:http2";
import net from "node:net";
import { Metadata } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { statOf } from "../../harness/proc.ts";
import { type Rest, restClient } from "../../harness/rest.ts";
import { Agent } from "../scenario/agent.ts";
import type { Figure } from "../scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "../scenario/own-daemon.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { failingSeeds } from "./failing-seeds.ts";
import { fuzzedConfigs } from "./fuzz-config.ts";
import { type FuzzInput, inputOf } from "./fuzz-inputs.ts";

const AT_ONCE = 8;
/** Many times the call timeout of this daemon. */
const ANSWER_MS_MAX = 20_000;
const FINDINGS_SHOWN = 12;

/** Short waits, so that many inputs fit in little time. */
export const FUZZ_CONFIG = {
  http: "127.0.0.1:0",
  limits: { callTimeout: "2s", queueWait: "1s" },
  roles: { red: { sessions: 20 } },
};

export const fuzz: Scenario = {
  name: "fuzz",
  about:
    "both doors under bytes, broken messages and odd headers; starts and reloads with broken files; from seeds",
  async *play({ seed, inputs, say, interrupted }) {
    await using daemon = await startOwnDaemon("real", FUZZ_CONFIG, interrupted);
    say(`${inputs} inputs from seed ${seed}, half of them configurations and certificates…`);
    const all = Array.from({ length: inputs }, (_, index) => seed + index);
    const [files, messages] = [all.slice(0, Math.floor(inputs / 2)), all.slice(Math.floor(inputs / 2))];
    const seeds = [...failingSeeds.map((each) => each.seed), ...messages];
    yield { title: `${files.length} configurations`, figures: await fuzzedConfigs(files) };
    yield { title: `${seeds.length} inputs at the doors`, figures: await fuzzed(daemon, seeds) };
  },
};

/** The result of an input. */
type Verdict = "well" | "typed" | "untyped" | "unexpected" | "unanswered";

export async function fuzzed(daemon: OwnDaemon, seeds: readonly number[]): Promise<Figure[]> {
  await using doors = openDoors(daemon);
  const waiting = [...seeds];
  const found: { input: FuzzInput; verdict: Verdict; what: string }[] = [];
  const lane = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const input = inputOf(seed);
      found.push({ input, ...(await doors.send(input)) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  using agent = new Agent({ address: daemon.address, role: "red", name: "after-all" });
  const after = await agent.call("browser_tabs", { action: "list" });
  const figure = (name: string, verdict: Verdict): Figure => {
    const of = found.filter((each) => each.verdict === verdict);
    const note = of
      .slice(0, FINDINGS_SHOWN)
      .map(({ input, what }) => `seed ${input.seed}, ${input.about}: ${what}`);
    return { name, value: of.length, bar: { most: 0 }, ...(note.length > 0 && { note: note.join("; ") }) };
  };
  return [
    { name: "inputs", value: found.length },
    {
      name: "done or refused with a type",
      value: found.filter(({ verdict }) => verdict === "well" || verdict === "typed").length,
    },
    figure("answers without a type", "untyped"),
    figure("errors that nobody foresaw (INTERNAL)", "unexpected"),
    figure("no answer", "unanswered"),
    { name: "the daemon lives", value: statOf(daemon.pid) ? 1 : 0, bar: { least: 1 } },
    {
      name: "a call after all is answered",
      value: after.answer === "ok" ? 1 : 0,
      bar: { least: 1 },
      note: after.text.slice(0, 80),
    },
  ];
}

function openDoors(daemon: OwnDaemon) {
  const socket = daemon.address.replace(/^unix:/, "");
  const rest = restClient(daemon.http, `${daemon.stateDir}/token`);
  // Each call has its own connection, so that a broken frame does not affect other inputs.
  return {
    send: (input: FuzzInput) => (input.door === "grpc" ? overGrpc(socket, input) : overRest(rest, input)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Judged = { verdict: Verdict; what: string };

async function overGrpc(socket: string, input: FuzzInput & { door: "grpc" }): Promise<Judged> {
  const session = connect("http://localhost", { createConnection: () => net.connect(socket) });
  try {
    return judgedGrpc(await exchanged(session, input), input.framed);
  } catch (error) {
    return { verdict: input.framed ? "unanswered" : "typed", what: (error as Error).message };
  } finally {
    session.destroy();
  }
}

/** Resolves with the headers that end a gRPC answer. */
function exchanged(session: ClientHttp2Session, { path, headers, body }: FuzzInput & { door: "grpc" }) {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, string | string[] | undefined>>();
  const late = AbortSignal.timeout(ANSWER_MS_MAX);
  late.addEventListener("abort", () => reject(new Error("nothing came")));
  session.on("error", reject);
  const stream = session.request({
    ...headers,
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  let last: Record<string, string | string[] | undefined> = {};
  stream.on("response", (given) => {
    last = { ...given };
  });
  stream.on("trailers", (given) => {
    last = { ...last, ...given };
  });
  stream.on("error", reject);
  stream.on("close", () => resolve(last));
  stream.resume();
  stream.end(body);
  return promise;
}

function judgedGrpc(headers: Record<string, string | string[] | undefined>, framed: boolean): Judged {
  const code = headers["grpc-status"];
  if (code === undefined)
    return { verdict: framed ? "unanswered" : "typed", what: `HTTP ${String(headers[":status"])}` };
  if (code === "0") return { verdict: "well", what: "OK" };
  const detail = fromStatus({ metadata: Metadata.fromHttp2Headers(headers) });
  if (detail) return { verdict: detail.type === "INTERNAL" ? "unexpected" : "typed", what: detail.type };
  return {
    verdict: framed ? "untyped" : "typed",
    what: `status ${String(code)} ${String(headers["grpc-message"])}`,
  };
}

async function overRest(rest: Rest, input: FuzzInput & { door: "rest" }): Promise<Judged> {
  const { path, method, headers, body } = input;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const { status, json } = await rest.send(path, { method, headers, signal, ...(body && { body }) });
    const type = json.error?.type ?? json.type;
    if (type === "INTERNAL" || status === 500) return { verdict: "unexpected", what: `${status} ${type}` };
    if (status < 300) return { verdict: type ? "typed" : "well", what: `${status}` };
    return {
      verdict: type || status === 405 ? "typed" : "untyped",
      what: `${status} ${json.text?.slice(0, 60)}`,
    };
  } catch (error) {
    return { verdict: "unanswered", what: (error as Error).message };
  }
}

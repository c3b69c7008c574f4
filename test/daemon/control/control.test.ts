import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import {
  type ClientReadableStream,
  credentials,
  loadPackageDefinition,
  type ServiceError,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { protoPath } from "grpc-health-check";
import { fromStatus } from "../../../proto/errors/status.ts";
import type { WatchEventsResponse } from "../../../proto/gen/troupe.ts";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { metadataOf } from "../../harness/calls.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { EVENT_MS_MAX } from "../../harness/events/after-events.ts";
import { called } from "../../harness/events/called.ts";
import { reaches, reported } from "../../harness/role-states.ts";
import { shared } from "../../harness/shared.ts";

const troupe = shared(
  await testDaemon({
    roles: {
      one: { eager: true },
      two: {
        eager: true,
        sessions: 1,
        browser: { connect: "http://127.0.0.1:9" },
        memory: "900MiB",
        allow: ["http://two.test"],
      },
    },
    limits: { queueWait: "300ms" },
  }),
);
for (const name of ["one", "two"]) await reaches(troupe, name, "ROLE_STATE_READY");

const watch = (request: object = {}, session = "watcher") =>
  troupe.stream<WatchEventsResponse>("Control.WatchEvents", request, { session });

/** Collects the events of a stream until it is cancelled or fails. */
function collect(stream: ClientReadableStream<WatchEventsResponse>) {
  const events: WatchEventsResponse[] = [];
  stream.on("data", (event: WatchEventsResponse) => events.push(event));
  // The test itself ends the stream.
  stream.on("error", () => undefined);
  return {
    events,
    /** Resolves with the first event for which `found` returns a value, and with this value. */
    async first<T>(found: (event: WatchEventsResponse) => T | undefined): Promise<T> {
      const signal = AbortSignal.timeout(EVENT_MS_MAX);
      for (let next = 0; ; await once(stream, "data", { signal }))
        for (; next < events.length; next++) {
          const value = found(events[next] as WatchEventsResponse);
          if (value) return value;
        }
    },
    close: () => stream.cancel(),
  };
}

test("the status has the daemon's addresses and the operator's warnings", async () => {
  const { ok } = await troupe.ask("GetStatus", {});
  assert.ok(ok);
  assert.deepEqual(ok.addresses, troupe.daemon.addresses);
  assert.deepEqual(ok.http, troupe.daemon.http);
  assert.deepEqual([ok.pid, ok.draining, ok.stateDir], [process.pid, false, troupe.config.state.dir]);
  assert.match(ok.warnings.join(), /roles\.two\.memory has no effect/);
  assert.deepEqual(
    ok.roles.map(({ name }) => name),
    ["one", "two"],
  );
});

test("sessions are listed with their roles and tabs", async () => {
  // An address's query and fragment may hold a secret.
  await troupe.open("http://listed.test/cb?code=secret#id_token=secret", { session: "listed" });
  const listed = async (role?: string) =>
    (await troupe.ask("ListSessions", { role })).ok?.sessions.find(({ id }) => id === "listed");
  await reported(troupe, "one");
  assert.deepEqual(
    (await listed())?.roles[0]?.tabs.map(({ id, url, current }) => [id, url, current]),
    [["t1", "http://listed.test/cb", true]],
  );
  assert.equal((await listed("one"))?.currentRole, "one");
  assert.equal(await listed("two"), undefined);
  assert.equal((await troupe.ask("ListSessions", { role: "thre" })).error?.type, "UNKNOWN_ROLE");
});

test("calls are listed by session and role, newest last, without arguments", async () => {
  await troupe.open("http://a.test/?secret", { session: "flown", headers: { "x-request-id": "r-1" } });
  await troupe.open("http://do/fail?type=NO_HISTORY", { session: "flown" });
  const { ok } = await troupe.ask("ListCalls", { session: "flown" });
  assert.deepEqual(
    ok?.calls.map(({ tool, role, outcome }) => [tool, role, outcome]),
    [
      ["browser_navigate", "one", "OK"],
      ["browser_navigate", "one", "NO_HISTORY"],
    ],
  );
  assert.equal(ok?.calls[0]?.requestId, "r-1");
  assert.doesNotMatch(JSON.stringify(ok), /secret/);
  assert.equal(
    (await troupe.ask("ListCalls", { session: "flown", limit: 1 })).ok?.calls[0]?.outcome,
    "NO_HISTORY",
  );
  assert.deepEqual((await troupe.ask("ListCalls", { session: "flown", role: "two" })).ok?.calls, []);
});

for (const [rpc, request] of [
  ["GetRole", { name: "onn" }],
  ["RestartRole", { name: "onn" }],
  ["GetFailures", { role: "onn" }],
  ["ClearFailures", { role: "onn" }],
] as const) {
  test(`${rpc} of an unknown role names the nearest`, async () => {
    const { error } = await troupe.ask(rpc, request);
    assert.deepEqual([error?.type, error?.details.nearest], ["UNKNOWN_ROLE", "one"]);
  });
}

test("events report roles, sessions and failed calls, and begin with a heartbeat", async () => {
  const all = collect(watch());
  const ofTwo = collect(watch({ role: "two" }));
  for (const watched of [all, ofTwo]) await watched.first(({ heartbeat }) => heartbeat);
  await troupe.ask("RestartRole", { name: "two" });
  await troupe.open("http://do/fail?type=NO_HISTORY", { session: "eventful" });
  await troupe.ask("CloseSession", { session: "eventful" });
  await all.first(({ session }) => session?.change === "closed");
  assert.ok(all.events[0]?.heartbeat);
  assert.deepEqual(
    all.events.flatMap(
      ({ role, session, callFailed }) => role?.state ?? session?.change ?? callFailed?.call?.outcome ?? [],
    ),
    [...RESTART, "opened", "NO_HISTORY", "closed"],
  );
  assert.deepEqual(
    ofTwo.events.flatMap(({ role, callFailed }) => role?.state ?? callFailed?.category ?? []),
    RESTART,
  );
  all.close();
  ofTwo.close();
});

const RESTART = ["ROLE_STATE_DRAINING", "ROLE_STATE_STARTING", "ROLE_STATE_READY"];

test("a stream that holds a session begins it, and requires a session id", async () => {
  const held = collect(watch({ holdsSession: true }, "held"));
  await held.first(({ heartbeat }) => heartbeat);
  assert.ok((await troupe.ask("ListSessions", {})).ok?.sessions.some(({ id }) => id === "held"));
  held.close();
  const [refused] = (await once(watch({ holdsSession: true }, ""), "error")) as [ServiceError];
  assert.equal(fromStatus(refused)?.type, "INVALID_ARGUMENT");
});

test("a session beyond the role's slots waits, then gets an error with the holders", async () => {
  await troupe.open("http://two.test/", { session: "holder", role: "two" });
  const { error } = await troupe.open("http://two.test/", { session: "late", role: "two" });
  assert.deepEqual([error?.type, error?.details.holders, error?.retry?.sameCall], ["BUSY", ["holder"], true]);
  // The holder has been idle for less than half a minute. After that it hibernates for a session that waits.
  const afterMs = error?.retry?.afterMs ?? 0;
  assert.ok(afterMs > 0 && afterMs <= 30_000, `after ${afterMs} ms`);
  const two = troupe.daemon.supervisor.roles.get("two");
  assert.ok(two);
  const asked = called(two.slots, "take");
  const waiting = troupe.open("http://two.test/", { session: "late", role: "two" });
  await asked;
  await troupe.ask("CloseSession", { session: "holder" });
  assert.equal((await waiting).ok, "opened http://two.test/");
});

test("health reports the daemon and each role", async () => {
  const loaded = loadPackageDefinition(loadSync(protoPath)) as unknown as {
    grpc: { health: { v1: { Health: new (...args: unknown[]) => Health } } };
  };
  interface Health {
    check(
      request: { service: string },
      callback: (error: ServiceError | null, reply: { status: string | number }) => void,
    ): void;
    close(): void;
  }
  const health = new loaded.grpc.health.v1.Health(troupe.daemon.addresses[0], credentials.createInsecure());
  const check = (service: string) =>
    new Promise<unknown>((resolve) =>
      health.check({ service }, (error, reply) => resolve(error ? error.code : reply.status)),
    );
  assert.deepEqual([await check(""), await check("role/one"), await check("role/none")], [1, 1, 5]);
  health.close();
});

test("reflection shows the public services, and not the workers' own", async () => {
  const { ReflectionServiceClient } = await reflectionClient();
  const client = new ReflectionServiceClient(troupe.daemon.addresses[0] ?? "", credentials.createInsecure());
  const stream = client.ServerReflectionInfo();
  const { promise, resolve, reject } = Promise.withResolvers<{
    listServicesResponse: { service: { name: string }[] };
  }>();
  stream.on("data", resolve);
  stream.on("error", reject);
  stream.write({ listServices: "" });
  const names = (await promise).listServicesResponse.service.map(({ name }) => name);
  stream.end();
  client.close();
  assert.deepEqual(names.filter((name) => name.startsWith("troupe")).sort(), [
    "troupe.v1.Browser",
    "troupe.v1.Control",
  ]);
});

async function reflectionClient() {
  const file = new URL(
    import.meta.resolve("@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto"),
  ).pathname;
  const loaded = loadPackageDefinition(loadSync(file)) as unknown as {
    grpc: { reflection: { v1: { ServerReflection: new (...args: unknown[]) => Reflection } } };
  };
  interface Reflection {
    ServerReflectionInfo(): NodeJS.ReadWriteStream & { write(request: object): boolean };
    close(): void;
  }
  return { ReflectionServiceClient: loaded.grpc.reflection.v1.ServerReflection };
}

test("malformed requests are INVALID_ARGUMENT, for calls and for streams", async () => {
  for (const rpc of ["GetRole", "WatchEvents"]) {
    const same = (bytes: Buffer) => bytes;
    const stream = troupe.client.makeServerStreamRequest(
      `/troupe.v1.Control/${rpc}`,
      same,
      same,
      Buffer.from([0x0a, 0xff]),
      metadataOf({ [SESSION]: "s1" }),
    );
    const { promise, resolve } = Promise.withResolvers<ServiceError>();
    stream.on("error", (error) => resolve(error as ServiceError));
    stream.resume();
    assert.match(
      fromStatus(await promise)?.message ?? "no details",
      new RegExp(`the request's bytes are no request of ${rpc}`),
    );
  }
});

test("an episode's outcome is sent as an event, and counts in the status's rates", async () => {
  const { first, close } = collect(watch());
  const given = { session: "unlucky", role: "one" };
  await troupe.open("http://do/fail?type=NO_HISTORY", given);
  await troupe.open("http://unlucky.test/", given);
  const ended = await first(({ episode }) => episode);
  assert.deepEqual(
    { ...ended },
    {
      type: "NO_HISTORY",
      role: "one",
      session: "unlucky",
      tool: "browser_navigate",
      outcome: "recovered",
      calls: 1,
    },
  );
  close();
  const { ok } = await troupe.ask("GetStatus", {});
  assert.equal(ok?.recovery.find(({ type }) => type === "NO_HISTORY")?.recovered, 1);
});

const REFUSAL = { tool: "browser_navigate", arguments: "{}" };

test("a report that no client makes is refused and leaves no record", async () => {
  const long = "x".repeat(1_000_000);
  const cases: [object, object, string][] = [
    [{ arguments: "" }, {}, "arguments"],
    [{ arguments: "no JSON" }, {}, "arguments"],
    [{ arguments: long }, {}, "arguments"],
    [{ arguments: JSON.stringify([long]) }, {}, "arguments"],
    [{ arguments: JSON.stringify({ url: `http://a.test/${long.slice(0, 1000)}` }) }, {}, "arguments"],
    [{}, { session: "" }, "x-troupe-session"],
    [{}, { session: "not mine" }, "x-troupe-session"],
    [{}, { headers: { "x-troupe-version": "9.9.9" } }, "x-troupe-version"],
  ];
  for (const [changed, given, argument] of cases) {
    const { error } = await troupe.ask(
      "ReportRefusal",
      { ...REFUSAL, ...changed },
      { session: "hostile", ...given },
    );
    assert.deepEqual([error?.type, error?.details.argument], ["INVALID_ARGUMENT", argument]);
    assert.ok(JSON.stringify(error).length < 5000);
  }
  assert.deepEqual((await troupe.ask("ListCalls", { session: "hostile" })).ok?.calls, []);
  const { ok } = await troupe.ask("ListSessions", {});
  assert.ok(!ok?.sessions.some(({ id }) => id === "hostile"));
});

test("a reported refusal becomes an event, for an existing role and the caller's own session only", async () => {
  const { first, close } = collect(watch());
  const made = { session: "reporter", role: "made-up-role", headers: { "x-request-id": "my-refusal" } };
  await troupe.open("http://bystander.test/", { session: "bystander" });
  assert.ok((await troupe.ask("ReportRefusal", REFUSAL, made)).ok);
  const failed = await first(({ callFailed }) => callFailed);
  const { tool, role, session, outcome, requestId } = failed.call ?? assert.fail("without its call");
  assert.deepEqual(
    [tool, role, session, outcome, requestId, failed.category, failed.recoverable],
    ["browser_navigate", "one", "reporter", "INVALID_ARGUMENT", "my-refusal", "VALIDATION", true],
  );
  await troupe.open("http://bystander.test/", { session: "bystander" });
  await troupe.open("http://reporter.test/", { session: "reporter" });
  const ended = await first(({ episode }) => episode);
  assert.deepEqual([ended.session, ended.outcome, ended.calls], ["reporter", "recovered", 1]);
  close();
});

test("a report for a lost session is SESSION_LOST, and begins no session", async () => {
  const given = { session: "forgotten", headers: { "x-troupe-resume": "1" } };
  assert.equal((await troupe.ask("ReportRefusal", REFUSAL, given)).error?.type, "SESSION_LOST");
  assert.equal((await troupe.open("http://a.test/", given)).error?.type, "SESSION_LOST");
});

// The manifests speak the truth of Troupe: its configuration, variables, paths, headers, metrics, times and sizes.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { type DaemonConfig, loadConfig } from "../../../daemon/config/load.ts";
import { METRICS } from "../../../daemon/telemetry/metrics-table.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { mixedCallMs, podMiB, sessionMiB } from "../../bench/capacity/model.ts";
import { type CapacityResults, capacityReport } from "../../bench/capacity/report.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { ROOT } from "../../readme/pages.ts";
import { configurationOf, containersOf } from "./references.ts";
import { type Fields, type KubernetesObject, keptObjects, type RenderingName } from "./render.ts";

const OVERLAYS: readonly RenderingName[] = ["team", "scale-out"];
/** Beside the roles: the daemon, /tmp and pages of the kernel. deploy/CAPACITY.md has the figures. */
const BESIDE_ROLES_BYTES = 2 ** 30;
/** Values of a Secret and of the pod's status. */
const FROM_CLUSTER: Readonly<Record<string, string>> = {
  TROUPE_STORE: "postgres://troupe:secret@postgresql:5432/troupe",
  TROUPE_PEER_ADDRESS: "10.1.2.3",
};
const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };
/** Clouds keep the secrets of machines there. */
const METADATA = ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"];
const CLUSTER = ["10.96.0.1", "172.20.0.10", "192.168.1.1", "100.64.0.1", "127.0.0.1", "fd12::1", "fe80::1"];

for (const name of OVERLAYS) {
  const objects = keptObjects(name);
  const pod = podOf(objects);
  const daemon = daemonOf(pod);

  test(`Troupe reads the configuration of ${name} without a warning`, () => {
    const { roles, tokens, warnings } = configured(objects);
    assert.deepEqual(warnings, []);
    assert.ok(roles.length > 0 && tokens?.every(({ notAfter }) => notAfter === undefined));
  });

  test(`an error in the configuration of ${name} is found`, () => {
    assert.throws(() => configured(objects, (text) => text.replace("roles:", "rolls:")), /rolls/);
  });

  test(`the ports of ${name} are those of its configuration`, () => {
    const { listen, http, peers } = configured(objects);
    const wanted = [...listen, ...http, ...(peers ? [peers.listen] : [])].flatMap((address) =>
      "port" in address ? address.port : [],
    );
    const ports = (daemon.ports as { containerPort: number }[]).map(({ containerPort }) => containerPort);
    assert.deepEqual(wanted.toSorted(), ports.toSorted());
  });

  test(`the variables of ${name} are Troupe's`, () => {
    const sources = ["daemon/config/load.ts", "proto/machine/locations.ts"]
      .map((file) => readFileSync(path.join(ROOT, file), "utf8"))
      .join("");
    const names = containersOf(pod).flatMap(({ env }) =>
      (env as { name: string }[]).map((each) => each.name),
    );
    for (const each of new Set(names)) assert.ok(sources.includes(`env.${each}`), each);
  });

  test(`the state folder of ${name} is the daemon's own, below the volume's`, () => {
    const variables = daemon.env as { name: string; value: string }[];
    const dir = variables.find((each) => each.name === "TROUPE_STATE_DIR")?.value ?? "";
    const mount = (daemon.volumeMounts as Fields[]).find((each) => each.name === "state");
    assert.ok(dir.startsWith(`${mount?.mountPath}/`), dir);
  });

  test(`a pod of ${name} may end as slowly as the daemon`, () => {
    const { limits } = configured(objects);
    const before = Number(daemon.lifecycle.preStop.exec.command[1]);
    assert.ok(pod.terminationGracePeriodSeconds >= before + limits.drain / 1000 + 30);
  });

  test(`a pod of ${name} has the memory and the disk that its configuration allows`, () => {
    const { roles, limits, journal, evidence } = configured(objects);
    const memory = roles.reduce((sum, role) => sum + role.memory, BESIDE_ROLES_BYTES);
    assert.ok(bytesOf(daemon.resources.limits.memory) >= memory);
    const disk = limits.sessionStore + journal.size + evidence.size;
    assert.ok(stateBytes(objects) > disk);
  });

  test(`a pod of ${name} requests what its sessions were measured to need`, () => {
    const { footprint } = measuredFigures();
    const places = configured(objects).roles.reduce((sum, role) => sum + role.sessions, 0);
    const { memory, cpu } = daemon.resources.requests;
    assert.ok(bytesOf(memory) / 2 ** 20 >= podMiB(footprint) + places * sessionMiB(footprint));
    assert.match(cpu, /^\d+m$/);
    assert.ok(Number.parseInt(cpu, 10) >= places * mixedCallMs(footprint));
  });

  test(`pods of ${name} hold to the Pod Security Standard restricted`, () => {
    assert.deepEqual(weaknesses(pod), []);
    const open = structuredClone(pod);
    open.containers[0].securityContext.capabilities.drop = [];
    assert.deepEqual(weaknesses(open), ["troupe keeps capabilities"]);
  });

  test(`the image of ${name} is this version`, () => {
    for (const { image } of containersOf(pod)) assert.equal(image, `troupe:${VERSION}`);
  });

  test(`browsers of ${name} reach the web, and neither the cluster nor metadata`, () => {
    const [rule] = policy(objects, "web").spec.egress as Fields[];
    for (const address of ["1.1.1.1", "93.184.215.14", "2606:4700::1111"])
      assert.ok(reaches(rule?.to, address), address);
    for (const address of [...METADATA, ...CLUSTER]) assert.ok(!reaches(rule?.to, address), address);
  });
}

test("the probes' and the scraper's paths are there", async () => {
  const objects = keptObjects("scale-out");
  const daemon = daemonOf(podOf(objects));
  const probes = [daemon.startupProbe, daemon.livenessProbe, daemon.readinessProbe];
  const scraped = (kindOf(objects, "ServiceMonitor").spec.endpoints as Fields[]).map((each) => each.path);
  const troupe = await testDaemon();
  await using _ = troupe;
  for (const each of [...probes.map(({ httpGet }) => httpGet.path as string), ...scraped]) {
    const reply = await fetch(`${troupe.daemon.http[0]}${each}`);
    await reply.body?.cancel();
    assert.equal(reply.status, 200, each);
  }
});

test("the gateway's hashes take the headers that name a session", () => {
  const policies = keptObjects("scale-out").filter(({ kind }) => kind === "BackendTrafficPolicy");
  const header = Object.fromEntries(
    policies.map(({ metadata, spec }) => [metadata.name, spec.loadBalancer.consistentHash.header.name]),
  );
  assert.deepEqual(header, { mcp: "mcp-param-session", session: SESSION });
});

test("the autoscaler asks for metrics that are there, and takes pods away more slowly than they drain", () => {
  const objects = keptObjects("scale-out");
  const { spec } = kindOf(objects, "ScaledObject");
  for (const { metadata } of spec.triggers as Fields[])
    for (const [name] of String(metadata.query).matchAll(/troupe_\w+/g)) assert.ok(name in METRICS, name);
  const places = Math.min(...rolesIn(objects).map(({ sessions }) => sessions));
  assert.ok(Number(spec.triggers[0].metadata.threshold) < places);
  const [policy] = spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.policies as Fields[];
  assert.equal(policy?.value, 1);
  assert.ok(policy?.periodSeconds > podOf(objects).terminationGracePeriodSeconds);
});

test("the document of capacity is as the figures are", () => {
  assert.equal(
    readFileSync(path.join(ROOT, "deploy/CAPACITY.md"), "utf8"),
    capacityReport(measuredFigures()),
  );
});

test("daemons of scale-out know the store and their own address by the pod's environment", () => {
  const { store, peers } = configured(keptObjects("scale-out"));
  assert.equal(store, FROM_CLUSTER.TROUPE_STORE);
  assert.equal(peers?.address, `${FROM_CLUSTER.TROUPE_PEER_ADDRESS}:7424`);
});

function measuredFigures(): CapacityResults {
  const file = path.join(ROOT, "test/bench/capacity/figures.json");
  return JSON.parse(readFileSync(file, "utf8")) as CapacityResults;
}

/** Loads the ConfigMap's troupe.yaml, with files in the place of the Secrets. */
function configured(
  objects: readonly KubernetesObject[],
  change: (text: string) => string = (text) => text,
): DaemonConfig {
  using certificates = certificateFolder();
  const dir = path.dirname(certificates.file("ca.crt"));
  const put = (file: string, content: string | Buffer) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), content);
  };
  for (const folder of ["tls", "peers"]) {
    put(`${folder}/tls.crt`, certificates.contents("server.crt"));
    put(`${folder}/tls.key`, certificates.contents("server.key"));
    put(`${folder}/ca.crt`, certificates.contents("ca.crt"));
  }
  put("keys/first.key", "0".repeat(64));
  put("troupe.yaml", change(configurationOf(objects)).replaceAll("/secrets/", `${dir}/`));
  const flags = { listen: [], roles: [], example: false, stateDir: path.join(dir, "state") };
  const environment = daemonOf(podOf(objects)).env as { name: string; value?: string }[];
  const env = Object.fromEntries(environment.map(({ name, value }) => [name, value ?? FROM_CLUSTER[name]]));
  return loadConfig({ flags, env: { ...env, TROUPE_CONFIG: path.join(dir, "troupe.yaml") }, cwd: dir });
}

function rolesIn(objects: readonly KubernetesObject[]): { sessions: number }[] {
  return [...configurationOf(objects).matchAll(/^ {2}\w+: .*sessions: (\d+)/gm)].map(([, sessions]) => ({
    sessions: Number(sessions),
  }));
}

function kindOf(objects: readonly KubernetesObject[], kind: string): Fields {
  const found = objects.find((each) => each.kind === kind);
  assert.ok(found, kind);
  return found;
}

function podOf(objects: readonly KubernetesObject[]): Fields {
  const workload = objects.find(({ kind }) => kind === "Deployment" || kind === "StatefulSet");
  return workload?.spec.template.spec as Fields;
}

function daemonOf(pod: Fields): Fields {
  return (pod.containers as Fields[]).find(({ name }) => name === "troupe") as Fields;
}

function policy(objects: readonly KubernetesObject[], name: string): Fields {
  return objects.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === name) as Fields;
}

function bytesOf(quantity: string): number {
  const [, number = "", unit = ""] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

function stateBytes(objects: readonly KubernetesObject[]): number {
  const [claim] = (objects.find(({ kind }) => kind === "StatefulSet")?.spec.volumeClaimTemplates ??
    []) as Fields[];
  if (claim) return bytesOf(claim.spec.resources.requests.storage);
  const volume = (podOf(objects).volumes as Fields[]).find(({ name }) => name === "state");
  return bytesOf(volume?.emptyDir.sizeLimit);
}

/** Returns all that the standard forbids, in the fields that these pods have. */
function weaknesses(pod: Fields): string[] {
  const { runAsNonRoot, seccompProfile } = pod.securityContext;
  const ofPod = [
    ...(runAsNonRoot === true ? [] : ["it may run as root"]),
    ...(["RuntimeDefault", "Localhost"].includes(seccompProfile?.type) ? [] : ["it has no seccomp profile"]),
    ...(["hostNetwork", "hostPID", "hostIPC"].some((each) => pod[each])
      ? ["it shares the host's namespaces"]
      : []),
    ...((pod.volumes as Fields[]).some(({ hostPath }) => hostPath) ? ["it mounts the host's files"] : []),
  ];
  const ofContainers = containersOf(pod).flatMap(({ name, securityContext }) => [
    ...(securityContext?.allowPrivilegeEscalation === false ? [] : [`${name} may gain privileges`]),
    ...(securityContext?.capabilities?.drop?.includes("ALL") ? [] : [`${name} keeps capabilities`]),
    ...(securityContext?.capabilities?.add ? [`${name} adds capabilities`] : []),
    ...(securityContext?.readOnlyRootFilesystem === true ? [] : [`${name} may write to its image`]),
  ]);
  return [...ofPod, ...ofContainers];
}

function reaches(peers: Fields[], address: string): boolean {
  const family = address.includes(":") ? "ipv6" : "ipv4";
  return peers.some(({ ipBlock }) => {
    if (ipBlock.cidr.includes(":") !== (family === "ipv6")) return false;
    return (
      within(ipBlock.cidr, address) && !(ipBlock.except ?? []).some((each: string) => within(each, address))
    );
  });
}

function within(cidr: string, address: string): boolean {
  const family = address.includes(":") ? "ipv6" : "ipv4";
  const [network = "", bits] = cidr.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}

// Lists what each object refers to, and whether it is there: objects, keys, ports, labels and mounted files.
import { parse } from "yaml";
import type { Fields, KubernetesObject } from "./render.ts";
import { nameOf } from "./types.ts";

export interface Reference {
  from: string;
  to: string;
  found: boolean;
}

/** Parts that the operator of the cluster brings. */
export interface Outside {
  /** The keys of Secrets by their names. */
  secrets: ReadonlyMap<string, readonly string[]>;
  /** Labels of pods and namespaces, each as `key=value`. */
  labels: ReadonlySet<string>;
}

interface Named {
  name: string;
}
type Labels = Record<string, string>;
type Make = (object: KubernetesObject, all: Inventory) => Found[];
/** A reference without its origin. */
type Found = [to: string, found: boolean];

const WORKLOADS = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

const MAKERS: Readonly<Record<string, Make>> = {
  Deployment: ofWorkload,
  StatefulSet: (object, all) => [
    ...ofWorkload(object, all),
    all.object("Service", object.spec.serviceName as string),
  ],
  DaemonSet: ofWorkload,
  Service: ofService,
  PodDisruptionBudget: ({ spec }, all) => [all.podsWith(spec.selector.matchLabels as Labels)],
  NetworkPolicy: ofNetworkPolicy,
  Gateway: ({ spec }, all) =>
    refsIn(spec.listeners, "tls", "certificateRefs").map((ref) => all.tls(ref.name)),
  HTTPRoute: ofRoute,
  GRPCRoute: ofRoute,
  BackendTLSPolicy: ({ spec }, all) => [
    ...targets(spec, all),
    ...(spec.validation.caCertificateRefs as Named[]).map((ref) => all.secret(ref.name, "ca.crt")),
  ],
  BackendTrafficPolicy: ({ spec }, all) => targets(spec, all),
  ClientTrafficPolicy: ({ spec }, all) => targets(spec, all),
  ServiceMonitor: ofServiceMonitor,
  ScaledObject: ({ spec }, all) => [all.object(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)],
};

export function referencesOf(objects: readonly KubernetesObject[], outside: Outside): Reference[] {
  const all = new Inventory(objects, outside);
  return objects.flatMap((object) =>
    (MAKERS[object.kind]?.(object, all) ?? []).map(([to, found]) => ({ from: nameOf(object), to, found })),
  );
}

/** Returns the configuration that a workload mounts. */
export function configurationOf(objects: readonly KubernetesObject[]): string {
  const map = objects.find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("troupe"),
  );
  return String(map?.data?.["troupe.yaml"] ?? "");
}

/** The objects of one rendering, and what is around them. */
class Inventory {
  readonly #objects: readonly KubernetesObject[];
  readonly #outside: Outside;

  constructor(objects: readonly KubernetesObject[], outside: Outside) {
    this.#objects = objects;
    this.#outside = outside;
  }

  get workloads(): KubernetesObject[] {
    return this.#objects.filter(({ kind }) => WORKLOADS.has(kind));
  }

  find(kind: string, name: string): KubernetesObject | undefined {
    return this.#objects.find((each) => each.kind === kind && each.metadata.name === name);
  }

  object(kind: string, name: string): Found {
    return [`${kind}/${name}`, this.find(kind, name) !== undefined];
  }

  secret(name: string, key: string): Found {
    return [`Secret/${name} ${key}`, this.#outside.secrets.get(name)?.includes(key) ?? false];
  }

  /** Any key of a Secret that the operator makes. */
  anySecret(name: string): Found {
    return [`Secret/${name}`, this.#outside.secrets.has(name)];
  }

  /** A Secret with a certificate and its key. */
  tls(name: string): Found {
    const keys = this.#outside.secrets.get(name) ?? [];
    return [`Secret/${name} tls.crt, tls.key`, keys.includes("tls.crt") && keys.includes("tls.key")];
  }

  podsWith(labels: Labels): Found {
    const found = this.workloads.some(({ spec }) => holds(spec.template.metadata.labels, labels));
    return [`pods ${written(labels)}`, found || this.#isOutside(labels)];
  }

  namespaceWith(labels: Labels): Found {
    return [`namespace ${written(labels)}`, this.#isOutside(labels)];
  }

  servicesWith(labels: Labels): KubernetesObject[] {
    return this.#objects.filter(({ kind, metadata }) => kind === "Service" && holds(metadata.labels, labels));
  }

  /** The ports of all pods with these labels. */
  hasPort(labels: Labels, port: string | number): boolean {
    return this.workloads
      .filter(({ spec }) => holds(spec.template.metadata.labels, labels))
      .flatMap(({ spec }) => containersOf(spec.template.spec))
      .flatMap(portsOf)
      .some(({ name, containerPort }) => port === name || port === containerPort);
  }

  #isOutside(labels: Labels): boolean {
    return Object.entries(labels).every(([key, value]) => this.#outside.labels.has(`${key}=${value}`));
  }
}

function ofWorkload({ spec }: KubernetesObject, all: Inventory): Found[] {
  const { metadata, spec: pod } = spec.template;
  const labels = metadata.labels as Labels;
  const claims = ((spec.volumeClaimTemplates ?? []) as KubernetesObject[]).map(
    (claim) => claim.metadata.name,
  );
  const volumes = new Set([...claims, ...(pod.volumes as Named[]).map(({ name }) => name)]);
  const spread = (pod.topologySpreadConstraints ?? []) as Fields[];
  return [
    [`its own labels ${written(spec.selector.matchLabels)}`, holds(labels, spec.selector.matchLabels)],
    ...(pod.serviceAccountName ? [all.object("ServiceAccount", pod.serviceAccountName)] : []),
    ...spread.map((each) => all.podsWith(each.labelSelector.matchLabels as Labels)),
    ...(pod.volumes as Fields[]).flatMap((volume) => ofVolume(volume, all)),
    ...containersOf(pod).flatMap((container) => ofContainer(container, volumes, all)),
    ...mountedFiles(pod, all),
  ];
}

function ofVolume({ configMap, secret }: Fields, all: Inventory): Found[] {
  return [
    ...(configMap ? [all.object("ConfigMap", configMap.name as string)] : []),
    ...(secret ? [all.anySecret(secret.secretName as string)] : []),
  ];
}

function ofContainer(container: Fields, volumes: ReadonlySet<string>, all: Inventory): Found[] {
  const ports = new Set(portsOf(container).map(({ name }) => name));
  const probes = ["startupProbe", "livenessProbe", "readinessProbe"].flatMap((each) => container[each] ?? []);
  const keys = ((container.env ?? []) as Fields[]).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  return [
    ...((container.volumeMounts ?? []) as Named[]).map(
      ({ name }): Found => [`volume ${name}`, volumes.has(name)],
    ),
    ...probes.map(({ httpGet: { port } }: Fields): Found => [`container port ${port}`, ports.has(port)]),
    ...keys.map(({ name, key }: Fields) => all.secret(name, key)),
  ];
}

/** The files that troupe.yaml names, through the mounts, to the keys of Secrets. */
function mountedFiles(pod: Fields, all: Inventory): Found[] {
  const daemon = containersOf(pod).find(({ name }) => name === "troupe");
  const configuration = (pod.volumes as Fields[]).find(({ configMap }) => configMap);
  const text = all.find("ConfigMap", configuration?.configMap.name)?.data?.["troupe.yaml"];
  if (!daemon || typeof text !== "string") return [];
  return pathsIn(parse(text)).map((file) => {
    const mount = (daemon.volumeMounts as Fields[]).find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const volume = (pod.volumes as Fields[]).find(({ name }) => name === mount?.name);
    if (!mount || !volume?.secret) return [file, false];
    return all.secret(volume.secret.secretName, file.slice(mount.mountPath.length + 1));
  });
}

/** Returns each text in a value that is an absolute path. */
function pathsIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("/") ? [value] : [];
  return typeof value === "object" && value ? Object.values(value).flatMap(pathsIn) : [];
}

function ofService({ spec }: KubernetesObject, all: Inventory): Found[] {
  const labels = spec.selector as Labels;
  return [
    all.podsWith(labels),
    ...(spec.ports as Fields[]).map(
      ({ targetPort }): Found => [`container port ${targetPort}`, all.hasPort(labels, targetPort)],
    ),
  ];
}

function ofNetworkPolicy({ spec }: KubernetesObject, all: Inventory): Found[] {
  const own = (spec.podSelector.matchLabels ?? {}) as Labels;
  const ingress = (spec.ingress ?? []) as Fields[];
  const egress = (spec.egress ?? []) as Fields[];
  const peers = [...ingress.flatMap(({ from }) => from), ...egress.flatMap(({ to }) => to)] as Fields[];
  return [
    ...(Object.keys(own).length > 0 ? [all.podsWith(own)] : []),
    ...peers.flatMap(({ podSelector, namespaceSelector }) => [
      ...(podSelector ? [all.podsWith(podSelector.matchLabels)] : []),
      ...(namespaceSelector?.matchLabels ? [all.namespaceWith(namespaceSelector.matchLabels)] : []),
    ]),
    ...ingress
      .flatMap(({ ports }) => ports as Fields[])
      .map(({ port }): Found => [`container port ${port}`, all.hasPort(own, port)]),
    // The ports of others have numbers.
    ...egress
      .flatMap(({ ports }) => ports as Fields[])
      .filter(({ port }) => typeof port === "string")
      .map(({ port }): Found => [`container port ${port}`, all.hasPort(own, port)]),
  ];
}

function ofRoute({ spec }: KubernetesObject, all: Inventory): Found[] {
  const listeners = (spec.parentRefs as Fields[]).map(({ name, sectionName }): Found => {
    const parent = all.find("Gateway", name);
    const listener = (parent?.spec.listeners as Fields[] | undefined)?.find(
      (each) => each.name === sectionName,
    );
    const hosts = new Set(spec.hostnames as string[]);
    return [`Gateway/${name} ${sectionName} ${[...hosts]}`, hosts.has(listener?.hostname)];
  });
  const backends = refsIn(spec.rules, "backendRefs").map(({ name, port }): Found => {
    const ports = all.find("Service", name)?.spec.ports as Fields[] | undefined;
    return [`Service/${name} port ${port}`, ports?.some((each) => each.port === port) ?? false];
  });
  return [...listeners, ...backends];
}

function ofServiceMonitor({ spec }: KubernetesObject, all: Inventory): Found[] {
  const labels = spec.selector.matchLabels as Labels;
  const services = all.servicesWith(labels);
  return [
    [`services ${written(labels)}`, services.length === 1],
    ...(spec.endpoints as Fields[]).flatMap(({ port, tlsConfig, authorization }): Found[] => [
      [
        `service port ${port}`,
        services.some((each) => (each.spec.ports as Named[]).some(({ name }) => name === port)),
      ],
      all.secret(tlsConfig.ca.secret.name, tlsConfig.ca.secret.key),
      all.secret(authorization.credentials.name, authorization.credentials.key),
    ]),
  ];
}

function targets(spec: Fields, all: Inventory): Found[] {
  return (spec.targetRefs as Fields[]).map(({ kind, name }) => all.object(kind, name));
}

/** Returns the references at a path of fields in each of the objects. */
function refsIn(objects: Fields[], ...path: string[]): Fields[] {
  return objects.flatMap((each) => path.reduce<Fields>((at, field) => at[field] ?? [], each) as Fields[]);
}

export function containersOf(pod: Fields): Fields[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}

function portsOf(container: Fields): Fields[] {
  return container.ports ?? [];
}

function holds(labels: Labels | undefined, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}

function written(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

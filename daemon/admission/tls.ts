// Reads and checks the certificates of the TCP doors, and gives renewed ones to open doors.
import { createPrivateKey, X509Certificate } from "node:crypto";
import path from "node:path";
import { createSecureContext } from "node:tls";
import type { experimental } from "@grpc/grpc-js";
import type { Configuration } from "../config-schema/definition.ts";
import { readSmallFile } from "../core/small-file.ts";

/** The certificate and key for TLS, in PEM. */
export interface TlsMaterial {
  cert: Buffer;
  key: Buffer;
  /** Clients must show a certificate of this authority. */
  clientCa?: Buffer;
}

type TlsFiles = NonNullable<Configuration["tls"]>;

/** A problem with a file, at its key in `tls`. */
export interface TlsProblem {
  key: keyof TlsMaterial;
  text: string;
}

/** Reads the files. Returns the first problem at its key, with the path as the configuration writes it. */
export function readTls(files: TlsFiles, base: string): { material: TlsMaterial } | TlsProblem {
  const read: Partial<TlsMaterial> = {};
  for (const key of ["cert", "key", "clientCa"] as const) {
    const shown = files[key];
    if (shown === undefined) continue;
    const found = readSmallFile(path.resolve(base, shown));
    if ("why" in found) return { key, text: `is ${shown}, which ${found.why}` };
    read[key] = found.bytes;
  }
  const material = read as TlsMaterial;
  return problemIn(material, files) ?? { material };
}

function problemIn(material: TlsMaterial, files: TlsFiles): TlsProblem | undefined {
  const { cert, key, clientCa } = material;
  const inCert = chainProblem(cert);
  if (inCert) return { key: "cert", text: `is ${files.cert}, which ${inCert}` };
  const parsed = tried(() => createPrivateKey(key));
  if (!parsed)
    return { key: "key", text: `is ${files.key}, which holds no private key in PEM without a passphrase` };
  if (!tried(() => new X509Certificate(cert).checkPrivateKey(parsed)))
    return { key: "key", text: `is ${files.key}, which is not the key of the certificate in ${files.cert}` };
  const inCa = clientCa && chainProblem(clientCa);
  if (inCa) return { key: "clientCa", text: `is ${files.clientCa}, which ${inCa}` };
  // The doors make the same OpenSSL context. A file that fails here would also fail in an open door.
  if (tried(() => createSecureContext({ cert, key, ca: clientCa }))) return undefined;
  return { key: "cert", text: `is ${files.cert}, which OpenSSL does not take with the key in ${files.key}` };
}

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** OpenSSL skips an authority that is cut short, so each certificate of the file is parsed by itself. */
function chainProblem(file: Buffer): string | undefined {
  const [, ...certificates] = file.toString("latin1").split(BEGIN);
  // Parses the file as OpenSSL does, which also checks the text around the certificates.
  const isReadable = tried(() => new X509Certificate(file)) !== undefined;
  const wrong = isReadable ? certificates.findIndex((each) => !isCertificate(each)) : 0;
  if (certificates.length > 0 && wrong < 0) return undefined;
  if (wrong <= 0) return "holds no certificate in PEM";
  return `is cut short or damaged at its certificate ${wrong + 1}; write the file anew, or wait until it is written`;
}

/** `text` is the text after the BEGIN line. */
function isCertificate(text: string): boolean {
  const end = text.indexOf(END);
  return end >= 0 && tried(() => new X509Certificate(BEGIN + text.slice(0, end) + END)) !== undefined;
}

/** The parsers' messages quote bytes and library names, so the caller learns only that parsing failed. */
function tried<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

type Provider = experimental.CertificateProvider;
type CaListener = Parameters<Provider["addCaCertificateListener"]>[0];
type IdentityListener = Parameters<Provider["addIdentityCertificateListener"]>[0];

/** The certificates of the open doors. Connections that are open keep the certificates they began with. */
export class TlsIdentity implements Provider {
  #material: TlsMaterial;
  readonly #ca = new Set<CaListener>();
  readonly #identity = new Set<IdentityListener>();
  readonly #watchers = new Set<(material: TlsMaterial) => void>();

  constructor(material: TlsMaterial) {
    this.#material = material;
  }

  get material(): TlsMaterial {
    return this.#material;
  }

  /** New connections use these files from now on. The requirement of client certificates does not change. */
  renew({ cert, key, clientCa }: TlsMaterial): void {
    const before = this.#material.clientCa;
    // Without an authority of its own, TLS would accept the authorities that the system trusts.
    const material = { cert, key, ...(before && { clientCa: clientCa ?? before }) };
    this.#material = material;
    for (const use of this.#ca) use(caOf(material));
    for (const use of this.#identity) use(identityOf(material));
    for (const use of this.#watchers) use(material);
  }

  watch(watcher: (material: TlsMaterial) => void): void {
    this.#watchers.add(watcher);
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#ca.add(listener);
    // grpc-js adds its listener before it can take a certificate.
    queueMicrotask(() => this.#ca.has(listener) && listener(caOf(this.#material)));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#ca.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identity.add(listener);
    queueMicrotask(() => this.#identity.has(listener) && listener(identityOf(this.#material)));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identity.delete(listener);
  }
}

function caOf({ clientCa }: TlsMaterial) {
  return clientCa ? { caCertificate: clientCa } : null;
}

function identityOf({ cert, key }: TlsMaterial) {
  return { certificate: cert, privateKey: key };
}

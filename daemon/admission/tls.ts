// The certificates of the TCP doors: read and checked together, and handed anew to doors that are open.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { experimental } from "@grpc/grpc-js";
import type { Configuration } from "../config/definition.ts";

/** What TLS is spoken with, PEM. */
export interface TlsMaterial {
  cert: Buffer;
  key: Buffer;
  /** Clients must show a certificate of this authority. */
  clientCa?: Buffer;
}

type TlsKey = keyof TlsMaterial;
type TlsFiles = NonNullable<Configuration["tls"]>;

/** Reads the files. What is wrong with one is said at its key, as the configuration writes it. */
export function readTls(
  files: TlsFiles,
  base: string,
): { material: TlsMaterial } | { key: TlsKey; text: string } {
  const read: Partial<TlsMaterial> = {};
  for (const key of ["cert", "key", "clientCa"] as const) {
    const shown = files[key];
    if (shown === undefined) continue;
    try {
      read[key] = readFileSync(path.resolve(base, shown));
    } catch (error) {
      return { key, text: `is ${shown}, which ${WHY[codeOf(error)] ?? `cannot be read (${codeOf(error)})`}` };
    }
  }
  const material = read as TlsMaterial;
  const wrong = wrongIn(material, files);
  return wrong ?? { material };
}

const WHY: Record<string, string> = {
  ENOENT: "is not there",
  EACCES: "may not be read",
  EISDIR: "is a folder",
};

function wrongIn(material: TlsMaterial, files: TlsFiles): { key: TlsKey; text: string } | undefined {
  const certificate = tried(() => new X509Certificate(material.cert));
  if (!certificate) return { key: "cert", text: `is ${files.cert}, which holds no certificate in PEM` };
  const key = tried(() => createPrivateKey(material.key));
  if (!key)
    return { key: "key", text: `is ${files.key}, which holds no private key in PEM without a passphrase` };
  if (!certificate.checkPrivateKey(key))
    return { key: "key", text: `is ${files.key}, which is not the key of the certificate in ${files.cert}` };
  const { clientCa } = material;
  if (clientCa && !tried(() => new X509Certificate(clientCa)))
    return { key: "clientCa", text: `is ${files.clientCa}, which holds no certificate in PEM` };
  return undefined;
}

/** What the parsers say quotes bytes and library names: that they refuse is all that is told. */
function tried<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}

type Provider = experimental.CertificateProvider;
type CaListener = Parameters<Provider["addCaCertificateListener"]>[0];
type IdentityListener = Parameters<Provider["addIdentityCertificateListener"]>[0];

/** What open doors speak TLS with now. Connections that are open keep what they began with. */
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

  /** From now on connections begin with these. Whether clients show certificates stays as it was. */
  renew({ cert, key, clientCa }: TlsMaterial): void {
    const before = this.#material.clientCa;
    // Without an authority of ours, those that everybody trusts would do.
    const material = { cert, key, ...(before && { clientCa: clientCa ?? before }) };
    this.#material = material;
    for (const tell of this.#ca) tell(caOf(material));
    for (const tell of this.#identity) tell(identityOf(material));
    for (const tell of this.#watchers) tell(material);
  }

  /** Hears of each change. */
  watch(watcher: (material: TlsMaterial) => void): void {
    this.#watchers.add(watcher);
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#ca.add(listener);
    // grpc-js listens before it can be told.
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

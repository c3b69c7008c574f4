// Makes certificates for tests: X.509 (RFC 5280) in DER, with only the fields that browsers and Node read.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  key: string;
  cert: string;
}

export interface CertificateOptions {
  /** The host that the certificate is for. */
  host: string;
  notBefore: Date;
  notAfter: Date;
}

/** Signs certificates. */
export interface Authority {
  cert: string;
  issue(options: CertificateOptions): Certificate;
}

/** Makes a certificate that is signed by itself. */
export function selfSigned(options: CertificateOptions): Certificate {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return certificate(options, keys.publicKey, { name: options.host, key: keys.privateKey }, keys.privateKey);
}

/** Makes an authority. */
export function authority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = { name, key: privateKey };
  const { cert } = certificate({ host: name, ...validNow() }, publicKey, issuer, privateKey, true);
  return {
    cert,
    issue(options) {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return certificate(options, keys.publicKey, issuer, keys.privateKey);
    },
  };
}

const DAY_MS = 86_400_000;

/** Returns the time from yesterday to tomorrow. */
export function validNow(): Pick<CertificateOptions, "notBefore" | "notAfter"> {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
}

function certificate(
  { host, notBefore, notAfter }: CertificateOptions,
  publicKey: KeyObject,
  issuer: { name: string; key: KeyObject },
  privateKey: KeyObject,
  isAuthority = false,
): Certificate {
  const algorithm = sequence(objectId("1.2.840.10045.4.3.2"));
  const alternative = sequence(objectId("2.5.29.17"), der(0x04, sequence(alternativeName(host))));
  const constraints = sequence(objectId("2.5.29.19"), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(issuer.name),
    sequence(time(notBefore), time(notAfter)),
    named(host),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternative, ...(isAuthority ? [constraints] : []))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, issuer.key)]);
  const whole = sequence(body, algorithm, der(0x03, signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

function named(name: string): Buffer {
  return sequence(set(sequence(objectId("2.5.4.3"), der(0x0c, Buffer.from(name)))));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

/** GeneralizedTime is for 2050 and later. Earlier dates must be UTCTime. */
function time(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 127];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
  return digits;
}

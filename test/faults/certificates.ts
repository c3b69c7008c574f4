// Self-signed certificates, made for a test: X.509 (RFC 5280) in DER, no more of it than a browser reads.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  key: string;
  cert: string;
}

export interface CertificateOptions {
  /** The host that it is for. */
  host: string;
  notBefore: Date;
  notAfter: Date;
}

/** A certificate that nobody but itself has signed. */
export function selfSigned({ host, notBefore, notAfter }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId("1.2.840.10045.4.3.2"));
  const name = sequence(set(sequence(objectId("2.5.4.3"), der(0x0c, Buffer.from(host)))));
  const alternative = sequence(objectId("2.5.29.17"), der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternative)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  const whole = sequence(body, algorithm, der(0x03, signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
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

/** GeneralizedTime is for 2050 and later; before it UTCTime is asked for. */
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

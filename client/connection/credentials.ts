// Reads this client's token and certificates, and the authority that it trusts, from flags and environment.
import { readFileSync } from "node:fs";
import path from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { isLoopback } from "../../proto/machine/address.ts";

/** The flags. The environment has TROUPE_CA, TROUPE_CERT and TROUPE_KEY. */
export interface CredentialsFlags {
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
}

/** The credentials for a daemon. Files are read at each connection, because they may have been renewed. */
export interface Credentials {
  /** Paths of PEM files, as they were written. */
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
  tokenFile?: string;
  /** The folder that the paths are relative to. */
  cwd: string;
}

/** Says why credentials cannot be used, and what to do. */
export class CredentialsError extends Error {
  readonly mend: string;

  /** Most messages say what to do by themselves. */
  constructor(message: string, mend = message) {
    super(message);
    this.mend = mend;
  }
}

/** Flags come before the environment. */
export function credentialsOf(
  flags: CredentialsFlags,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Credentials {
  const given = {
    ca: flags.ca || env.TROUPE_CA || undefined,
    cert: flags.cert || env.TROUPE_CERT || undefined,
    key: flags.key || env.TROUPE_KEY || undefined,
    token: flags.token || env.TROUPE_TOKEN || undefined,
    tokenFile: env.TROUPE_TOKEN_FILE || undefined,
  };
  return { ...given, cwd };
}

/** The authorization that every call carries; undefined without a token. Throws a CredentialsError. */
export function authorizationOf({ token, tokenFile, cwd }: Credentials): string | undefined {
  if (token === undefined && !tokenFile) return undefined;
  const text = (token ?? read("the token file", tokenFile ?? "", cwd).toString()).trim();
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new CredentialsError(
      "the token is empty, or has characters that no token has: look at TROUPE_TOKEN or TROUPE_TOKEN_FILE",
    );
  return `Bearer ${text}`;
}

/** TLS is used for every other machine, and if certificates are named. */
export function speaksTls(host: string, { ca, cert }: Credentials): boolean {
  return !isLoopback(host) || ca !== undefined || cert !== undefined;
}

/** Reads the certificates. Throws a CredentialsError. */
export function secureContext({ ca, cert, key, cwd }: Credentials): SecureContext {
  if ((cert === undefined) !== (key === undefined))
    throw new CredentialsError(
      "--cert and --key (TROUPE_CERT, TROUPE_KEY) belong together, and one of them is missing",
    );
  try {
    return createSecureContext({
      ...(ca !== undefined && { ca: read("--ca", ca, cwd) }),
      ...(cert !== undefined && { cert: read("--cert", cert, cwd) }),
      ...(key !== undefined && { key: read("--key", key, cwd) }),
    });
  } catch (error) {
    if (error instanceof CredentialsError) throw error;
    throw new CredentialsError(
      "the files of --ca, --cert and --key hold no PEM, or the key is another certificate's",
    );
  }
}

function read(what: string, file: string, cwd: string): Buffer {
  try {
    return readFileSync(path.resolve(cwd, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CredentialsError(
      `${what} is ${file}, which cannot be read (${code})`,
      `make ${file} readable for this user, or name another file`,
    );
  }
}

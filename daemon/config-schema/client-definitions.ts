// The keys of troupe.yaml that say who may call: tokens, and identities of an OpenID Connect issuer.
import * as z from "zod";
import { isLoopback } from "../../proto/machine/address.ts";
import { oneOf, ROLE_NAME, rate, text, whole } from "./values.ts";

/** A client's rights, the same for both kinds of clients. */
const rights = {
  roles: z.array(text("a role's name", ROLE_NAME)).optional().describe("The roles it may use; all without"),
  profiles: z
    .array(oneOf("small", "core", "full", "debug"))
    .optional()
    .describe("The profiles it may use; all without"),
  control: oneOf("none", "read", "write").default("none").describe("What it may do with the control plane"),
  sessions: whole(1, 10_000).optional().describe("Its sessions at once"),
  rate: rate().optional().describe("Its calls in a time"),
};

export const tokenDefinition = z.strictObject({
  name: text("a name of letters, digits, - and _", ROLE_NAME).describe("Whose it is"),
  sha256: text("64 hexadecimal digits", /^[0-9a-fA-F]{64}$/)
    .meta({ secret: true })
    .describe("The token's SHA-256"),
  ...rights,
  notAfter: text("a date such as 2027-01-01", /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/)
    .optional()
    .describe("Its last day, in UTC, or a moment such as 2027-01-01T12:00:00Z"),
});

const issuer = z.string().max(300).refine(isIssuer).meta({
  allowed:
    "the issuer's https address as its tokens have it in `iss`, such as https://id.example; http on loopback only",
});
const audience = text("a name or an address without spaces, such as troupe", /^[\x21-\x7e]{1,300}$/);

export const oidcDefinition = z.strictObject({
  issuer: issuer.describe("The OpenID Connect issuer, or OAuth authorization server, whose JWTs are taken"),
  audience: z
    .union([audience, z.array(audience).min(1)])
    .transform((given) => [given].flat())
    .meta({ allowed: "the name that the issuer knows this daemon by, or a list of such names" })
    .describe("The JWT's `aud` must have one of them"),
  roles: text("a claim's name, such as troupe_roles or realm_access.roles", /^[\x21-\x7e]{1,200}$/).describe(
    "The claim that says which roles: its values are roles' names, or the values of `grants`",
  ),
  grants: z
    .array(
      z.strictObject({
        value: text("a text of at most 200 characters", /^[^\0]{1,200}$/).describe("A value of the claim"),
        ...rights,
      }),
    )
    .optional()
    .meta({ allowed: "a list of grants" })
    .describe(
      "Rights for values of the claim. With it, other values give nothing; who has several values has all their rights together",
    ),
});

function isIssuer(address: string): boolean {
  if (!isConfidential(address) || /[?#\s]/.test(address)) return false;
  const { username, password } = new URL(address);
  return username === "" && password === "";
}

/** Returns true if no other machine can read or change the answer of the address: https, or http on this machine. */
export function isConfidential(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname.replaceAll(/[[\]]/g, "")));
}

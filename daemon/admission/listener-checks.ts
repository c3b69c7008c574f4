// Refuses open listeners: an address beyond loopback requires TLS and authentication.

import { type Address, isLoopback, spellAddress } from "../../proto/machine/address.ts";
import type { Configuration } from "../config-schema/definition.ts";
import type { Path } from "../config-schema/schema-walk.ts";
import { OWNER } from "./client.ts";
import { endOfToken } from "./identify.ts";

interface Wrong {
  path: Path;
  text: string;
}

/** Finds the addresses that other machines can reach without TLS or authentication, with their configuration keys. */
export function openDoors(
  { tls, tokens, oidc }: Pick<Configuration, "tls" | "tokens" | "oidc">,
  doors: readonly { path: Path; address: Address }[],
): Wrong[] {
  const lacks = !tls ? "tls" : !tokens && !oidc && !tls.clientCa ? "tokens, oidc or tls.clientCa" : undefined;
  if (!lacks) return [];
  return doors
    .filter(({ address }) => address.kind === "tcp" && !isLoopback(address.host))
    .map(({ path, address }) => ({
      path,
      text: `is ${spellAddress(address)}, which is not loopback and needs ${lacks}; allowed without: 127.0.0.1:PORT, [::1]:PORT or unix:PATH`,
    }));
}

/** Finds tokens with the same digest, tokens with a reserved name, and tokens whose end is no date. */
export function tokenProblems(tokens: Configuration["tokens"] = []): Wrong[] {
  const seen = new Set<string>();
  return tokens.flatMap(({ name, sha256, notAfter }, index) => {
    const digest = sha256.toLowerCase();
    const again = seen.has(digest);
    seen.add(digest);
    return [
      ...(again ? [{ path: ["tokens", index, "sha256"], text: "is that of a token above" }] : []),
      ...(name === OWNER.name
        ? [{ path: ["tokens", index, "name"], text: `is ${name}, as which the socket's owner is known` }]
        : []),
      ...(notAfter !== undefined && Number.isNaN(endOfToken(notAfter))
        ? [
            {
              path: ["tokens", index, "notAfter"],
              text: `is ${notAfter}, which is no day or moment; allowed: 2027-01-01 or 2027-01-01T12:00:00Z`,
            },
          ]
        : []),
    ];
  });
}

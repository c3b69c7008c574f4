// Checks that the configuration's issuer publishes keys.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { fetchKeySet, IssuerFault } from "../admission/oidc/issuer-documents.ts";
import type { OidcSettings } from "../admission/oidc/verified-jwt.ts";

/** Returns no finding if the configuration has no issuer. */
export async function issuerFindings(oidc: OidcSettings | undefined): Promise<Finding[]> {
  if (!oidc) return [];
  try {
    const { keys } = await fetchKeySet(oidc.issuer);
    const found = `${oidc.issuer} publishes ${keys.length} keys`;
    if (keys.length > 0) return [well("issuer", found)];
    return [unwell("issuer", found, "Let the issuer publish the keys that it signs tokens with.")];
  } catch (error) {
    if (!(error instanceof IssuerFault)) throw error;
    return [
      unwell(
        "issuer",
        `${oidc.issuer} gives no keys: ${error.message}`,
        "Mend that at the issuer, or oidc.issuer in the configuration. Until then no JWT is accepted.",
      ),
    ];
  }
}

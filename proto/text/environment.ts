// Names the environment variables that stand for what a test must not hold. It is pure.

/** Returns a variable's name for words, such as `CUSTOMER_PASSWORD`. */
export function variableName(...words: string[]): string {
  const name = words
    .join(" ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase()
    .slice(0, 60);
  return /^[A-Z]/.test(name) ? name : `TROUPE_${name || "VALUE"}`;
}

/** Parameters of addresses that let their holder in. */
const SECRET_PARAMETER =
  /token|secret|passw|pwd|apikey|api_key|auth|session|sid$|sig$|signature|code$|otp|^key$|credential/i;

/** Longer values of parameters are made for one run. */
const VALUE_LENGTH_MAX = 100;
/** Stands for the value of a parameter, also in an address that has been replaced before. */
const HIDDEN = "HIDDEN";

/** Longer addresses hold a whole document. */
const URL_LENGTH_MAX = 2_000;

/**
 * Returns an address as a test may hold it: without a user, and with secret and long parameters replaced. It is empty if
 * it is no address, or too long. `hidden`: the names of the replaced parameters.
 */
export function publicUrl(url: string): { url: string; hidden: string[] } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return { url: "", hidden: [] };
  }
  parsed.username = "";
  parsed.password = "";
  if (parsed.hash.includes("=") || parsed.hash.length > 80) parsed.hash = "";
  const hidden: string[] = [];
  for (const [name, value] of [...parsed.searchParams]) {
    const isHidden = value === HIDDEN || value.length > VALUE_LENGTH_MAX;
    if (!isHidden && !SECRET_PARAMETER.test(name)) continue;
    parsed.searchParams.set(name, HIDDEN);
    hidden.push(name);
  }
  return { url: parsed.href.length > URL_LENGTH_MAX ? "" : parsed.href, hidden };
}

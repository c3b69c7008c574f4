// Says which script an address means. A client may give the end of an address only, such as `app.js` or `src/cart.ts`.

/** Returns true if the asked address is the whole one or its end, from a slash on. */
export function isAddress(asked: string, address: string): boolean {
  const wanted = trimmed(asked);
  if (wanted === "" || address === "") return false;
  const full = /[?#]/.test(wanted) ? address : address.replace(/[?#].*$/s, "");
  return full === wanted || full.endsWith(wanted.startsWith("/") ? wanted : `/${wanted}`);
}

/** Returns the regular expression by which Chrome finds such scripts, also later ones. */
export function addressPattern(asked: string): string {
  const wanted = trimmed(asked);
  const before = wanted.startsWith("/") ? ".*" : "(?:.*/)?";
  return `^${before}${wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?:[?#].*)?$`;
}

/** Returns the last part of an address, which is enough for a reader who knows the page. */
export function baseName(address: string): string {
  const path = address.replace(/[?#].*$/s, "");
  return path.split("/").findLast((part) => part !== "") ?? address;
}

function trimmed(asked: string): string {
  return asked.trim().replace(/^(?:\.{1,2}\/)+/, "");
}

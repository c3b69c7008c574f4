// The cookie of a person's turn. Each turn has its own, so that one browser can have several.

const NAME = "troupe_takeover_";
const ID = /^[0-9a-f]{16}$/;

/** Returns the value of Set-Cookie. The cookie ends with the browser; its secret ends with the turn. */
export function cookieFor(id: string, secret: string, isSecure: boolean): string {
  return `${NAME}${id}=${secret}; Path=/takeover; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** Returns the secret of that turn in a Cookie header. */
export function secretIn(header: string | undefined, id: string): string | undefined {
  if (!ID.test(id)) return undefined;
  const start = `${NAME}${id}=`;
  const pair = (header ?? "").split(";").find((each) => each.trim().startsWith(start));
  return pair?.trim().slice(start.length);
}

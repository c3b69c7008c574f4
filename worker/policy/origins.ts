// Matches addresses against the origins that the configuration lists.

/** `scheme://host[:port]`. */
export interface OriginPattern {
  /** With its colon, such as `https:`. */
  scheme: string;
  /** Lower case, without brackets. */
  host: string;
  port: number;
  /** Includes all subdomains of the host. */
  below: boolean;
}

const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443, "ws:": 80, "wss:": 443 };
/**
 * A WebSocket counts like a page. An origin that is allowed over https is allowed over wss too (Fetch standard, 4.1).
 */
const REQUESTED_AS: Record<string, string> = { "ws:": "http:", "wss:": "https:" };

/** Parses a listed origin. Returns undefined if the text is no origin. */
export function originPattern(text: string): OriginPattern | undefined {
  const match = /^([a-z][a-z0-9+.-]*:)\/\/(\*\.)?([^/:]+|\[[^\]]+\])(?::(\d+))?\/?$/i.exec(text);
  if (!match) return undefined;
  const [, scheme = "", below, host = "", port] = match;
  const written = scheme.toLowerCase();
  return {
    scheme: REQUESTED_AS[written] ?? written,
    host: bareHost(host),
    port: port ? Number(port) : (DEFAULT_PORTS[written] ?? 0),
    below: below !== undefined,
  };
}

/**
 * Returns true if a list holds the address, by its origin or by its whole scheme (`file:`). A blob: has its maker's
 * origin.
 */
export function isListed(url: URL, list: readonly string[]): boolean {
  const { protocol, hostname, port } = url.protocol === "blob:" ? innerUrl(url) : url;
  const scheme = REQUESTED_AS[protocol] ?? protocol;
  const to = { host: bareHost(hostname), port: port ? Number(port) : (DEFAULT_PORTS[protocol] ?? 0) };
  return list.some((text) => {
    const pattern = originPattern(text);
    return pattern ? pattern.scheme === scheme && reaches(pattern, to) : text.toLowerCase() === protocol;
  });
}

/** Returns the schemes under which a list holds a host and port. */
export function schemesListed(to: { host: string; port: number }, list: readonly string[]): string[] {
  return list.flatMap((text) => {
    const pattern = originPattern(text);
    if (!pattern) return /^https?:$/i.test(text) ? [text.toLowerCase()] : [];
    return reaches(pattern, to) ? [pattern.scheme] : [];
  });
}

function reaches(pattern: OriginPattern, { host, port }: { host: string; port: number }): boolean {
  if (pattern.port !== port) return false;
  return host === pattern.host || (pattern.below && host.endsWith(`.${pattern.host}`));
}

/** Returns the host as URLs write it: international names in ASCII, addresses in their one form. */
function bareHost(host: string): string {
  const written = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host.toLowerCase();
  return written.replace(/^\[(.*)\]$/, "$1");
}

function innerUrl(url: URL): URL {
  return URL.canParse(url.pathname) ? new URL(url.pathname) : url;
}

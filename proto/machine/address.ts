// Addresses of a daemon: a Unix socket or a TCP port.

export type Address = { kind: "unix"; path: string } | { kind: "tcp"; host: string; port: number };

/** Parses `unix:PATH`, `HOST:PORT` or `[IPV6]:PORT`. Returns undefined for any other text. */
export function parseAddress(text: string): Address | undefined {
  if (text.startsWith("unix:")) return text.length > 5 ? { kind: "unix", path: text.slice(5) } : undefined;
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host && port <= 65_535 ? { kind: "tcp", host, port } : undefined;
}

/** Returns the address as people and clients write it. */
export function spellAddress(address: Address): string {
  return address.kind === "unix" ? `unix:${address.path}` : hostPort(address.host, address.port);
}

/** Returns `HOST:PORT`, with brackets around an IPv6 address. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns true if only this machine answers at the host. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

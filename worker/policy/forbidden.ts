// Names the places that no role reaches unless its configuration lists them: metadata services of clouds, and the
// daemon itself.
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { type OriginPattern, originPattern } from "./origins.ts";

/** The names under which a cloud's machines find their metadata service. */
const METADATA_NAMES = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
]);

const METADATA_ADDRESSES = new BlockList();
// Link-local: AWS, GCP, Azure, OpenStack, DigitalOcean and others answer at 169.254.169.254 and its neighbours.
METADATA_ADDRESSES.addSubnet("169.254.0.0", 16, "ipv4");
METADATA_ADDRESSES.addAddress("100.100.100.200", "ipv4"); // Alibaba
METADATA_ADDRESSES.addAddress("168.63.129.16", "ipv4"); // Azure's wire server
METADATA_ADDRESSES.addAddress("192.0.0.192", "ipv4"); // Oracle
METADATA_ADDRESSES.addSubnet("fe80::", 10, "ipv6");
METADATA_ADDRESSES.addSubnet("fd00:ec2::", 32, "ipv6"); // AWS
METADATA_ADDRESSES.addAddress("fd00:42::42", "ipv6"); // Scaleway
METADATA_ADDRESSES.addAddress("fd20:ce::254", "ipv6"); // GCP

/** Addresses of this machine, regardless of its interfaces. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addSubnet("0.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addAddress("::", "ipv6");

/** The target of a connection: the host as requested, and one of its addresses. */
export interface Destination {
  /** Lower case, without brackets. */
  host: string;
  port: number;
  /** Empty while it is unknown. */
  address: string;
}

export interface Exceptions {
  /** Ports that the daemon listens on. */
  daemonPorts: readonly number[];
  /** Origins that the configuration lists. */
  listed: readonly string[];
}

/**
 * Returns why a role may not connect there. Undefined if the place is not forbidden, or if the configuration lists it.
 */
export function forbidden(to: Destination, { daemonPorts, listed }: Exceptions): string | undefined {
  const metadata = isMetadataName(to.host) || isMetadataAddress(to.address);
  const daemon = daemonPorts.includes(to.port) && isThisMachine(to.address);
  if (!metadata && !daemon) return undefined;
  if (listed.some((text) => listsItself(originPattern(text), to))) return undefined;
  return metadata ? "it is a cloud metadata address" : "it is the daemon's own address";
}

function isMetadataName(host: string): boolean {
  return METADATA_NAMES.has(host.replace(/\.$/, ""));
}

function isMetadataAddress(address: string): boolean {
  return formsOf(address).some((each) => METADATA_ADDRESSES.check(each, familyOf(each)));
}

/**
 * Returns true if a pattern names the place itself. A name that happens to lead there, or a wildcard, does not count.
 * The owner of a name decides where it leads.
 */
function listsItself(pattern: OriginPattern | undefined, { host, port, address }: Destination): boolean {
  if (!pattern || pattern.below || pattern.port !== port) return false;
  const isItself = isIP(pattern.host) > 0 || isMetadataName(pattern.host) || pattern.host === "localhost";
  return isItself && (pattern.host === host || pattern.host === address);
}

/** Returns true if the address is one of this machine's own. */
function isThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return formsOf(address).some(
    (each) => LOOPBACK.check(each, familyOf(each)) || own.some((interfaceOf) => interfaceOf.address === each),
  );
}

/** The IPv6 networks whose addresses carry an IPv4 address, and its first byte in them. */
const IPV4_CARRIERS: readonly [network: string, at: number][] = [
  ["::/96", 12], // compatible (RFC 4291)
  ["::ffff:0:0/96", 12], // mapped (RFC 4291)
  ["64:ff9b::/32", 12], // NAT64 (RFC 6052, RFC 8215)
  ["2002::/16", 2], // 6to4 (RFC 3056)
];

/** Returns the address, and the IPv4 address inside it. */
function formsOf(address: string): string[] {
  const bare = address.replace(/%.*$/, "");
  if (isIP(bare) !== 6) return [bare];
  const whole = ipaddr.IPv6.parse(bare);
  const [, at] = IPV4_CARRIERS.find(([network]) => whole.match(ipaddr.IPv6.parseCIDR(network))) ?? [];
  return at === undefined
    ? [bare]
    : [
        bare,
        whole
          .toByteArray()
          .slice(at, at + 4)
          .join("."),
      ];
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

// Decides which addresses a request may connect to. The socket connects to the address that was checked, so
// DNS rebinding has no effect.
import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { listNetworks } from "../../config/private-networks.ts";

export const refusedAddress = "V1WATCH_REFUSED_ADDRESS";

/** What may be called beside public addresses. */
export type AddressPolicy = {
  /** For local use only: 127.0.0.0/8 and ::1. */
  allowLoopback: boolean;
  /** From the configuration, such as 10.20.0.0/16. */
  allowPrivateNetworks?: readonly string[] | undefined;
};

// Two lists, because a list with IPv4 rules also matches ::ffff:127.0.0.1, which must stay refused.
const loopback = { ipv4: new BlockList(), ipv6: new BlockList() };
loopback.ipv4.addSubnet("127.0.0.0", 8, "ipv4");
loopback.ipv6.addAddress("::1", "ipv6");

const refused = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // Azure's metadata service, on a public address
  ["169.254.0.0", 16], // link-local, including cloud metadata services
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarking
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const) {
  refused.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["2001::", 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which contains an IPv4 address
  ["3fff::", 20], // documentation
] as const) {
  refused.addSubnet(network, prefix, "ipv6");
}

// Mapped, compatible, NAT64, unique-local, link-local and multicast IPv6 addresses are outside this range.
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Refused whatever is allowed: metadata services inside of private ranges. Those on link-local addresses are in no private range. */
const metadata = listNetworks([
  "100.100.100.200/32", // Alibaba Cloud
  "fd00:ec2::/32", // AWS: metadata, DNS, time and credentials of containers
  "fd00:c1::a9fe:a9fe/128", // Oracle Cloud
  "fd00:42::42/128", // Scaleway
  "fd20:ce::254/128", // Google Cloud
]);

/** Whether a literal IP address may be connected to. Any other text is refused. */
export function isAllowedAddress(
  address: string,
  { allowLoopback, allowPrivateNetworks = [] }: AddressPolicy,
): boolean {
  const version = isIP(address);
  // Only link-local addresses have a zone, such as %eth0.
  if (version === 0 || address.includes("%")) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (loopback[family].check(address, family)) return allowLoopback;
  if (metadata[family].check(address, family)) return false;
  if (listNetworks(allowPrivateNetworks)[family].check(address, family)) return true;
  if (family === "ipv6" && !globalUnicast.check(address, family)) return false;
  return !refused.check(address, family);
}

/** Checks a URL's host before any DNS lookup. Literal addresses and localhost names are decided here. */
export function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = bareHost(hostname);
  if (isIP(host)) return isAllowedAddress(host, policy);
  if (host === "localhost" || host.endsWith(".localhost")) return policy.allowLoopback;
  return host !== "";
}

/**
 * Removes the brackets of an IPv6 address and the trailing dot of a name, which TLS does not accept either.
 */
export const bareHost = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** A lookup for sockets that fails with `refusedAddress` when any address of the name is refused. */
export function checkedLookup(policy: AddressPolicy, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { all: true, order: "verbatim" }, (error, found) => {
      if (error) return callback(error, "");
      const [first] = found;
      if (!first || !found.every(({ address }) => isAllowedAddress(address, policy))) {
        return callback(Object.assign(new Error("refused"), { code: refusedAddress }), "");
      }
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

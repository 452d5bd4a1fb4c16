import net from "node:net";
import { expect, test } from "vitest";
import {
  checkedLookup,
  isAllowedAddress,
  isAllowedHost,
  refusedAddress,
} from "../../../lib/probe/http/addresses.ts";
import { fc } from "../../random.ts";
import { respond, serve } from "./hostile-server.ts";

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
  ["loopback, decimal", "2130706433"],
  ["loopback, hexadecimal", "0x7f.1"],
  ["loopback, hexadecimal as one number", "0x7f000001"],
  ["loopback, octal", "0177.0.0.1"],
  ["loopback, short", "127.1"],
  ["loopback, trailing dot", "127.0.0.1."],
  ["loopback, full-width digits", "１２７.0.0.1"],
  ["loopback, percent-encoded", "%31%32%37.0.0.1"],
  ["loopback, far end", "127.255.255.254"],
  ["loopback, IPv6", "[::1]"],
  ["loopback, IPv6 in full", "[0:0:0:0:0:0:0:1]"],
])("The address %s is loopback: refused, and allowed only by the flag", (_name, host) => {
  expect(isAllowedHost(hostOf(host), { allowLoopback: false })).toBe(false);
  expect(isAllowedHost(hostOf(host), { allowLoopback: true })).toBe(true);
});

test.each(["localhost", "LOCALHOST", "localhost.", "v1.localhost", "v1.localhost."])(
  "The name %s is loopback without a DNS lookup",
  (host) => {
    expect(isAllowedHost(hostOf(host), { allowLoopback: false })).toBe(false);
    expect(isAllowedHost(hostOf(host), { allowLoopback: true })).toBe(true);
  },
);

test.each([
  ["unspecified", "0.0.0.0"],
  ["unspecified, as 0", "0"],
  ["this network", "0.1.2.3"],
  ["private 10", "10.0.0.1"],
  ["private 172.16", "172.16.0.1"],
  ["private 172.31", "172.31.255.255"],
  ["private 192.168", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["metadata in CGNAT", "100.100.100.200"],
  ["metadata", "169.254.169.254"],
  ["metadata, decimal", "2852039166"],
  ["metadata, hexadecimal", "0xa9fea9fe"],
  ["metadata, octal", "0251.0376.0251.0376"],
  ["metadata of tasks", "169.254.170.2"],
  ["metadata on a public-looking address", "168.63.129.16"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation 1", "192.0.2.1"],
  ["documentation 2", "198.51.100.1"],
  ["documentation 3", "203.0.113.1"],
  ["6to4 relay", "192.88.99.1"],
  ["benchmarking", "198.19.0.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["IPv6 unspecified", "[::]"],
  ["IPv6 link-local", "[fe80::1]"],
  ["IPv6 site-local", "[fec0::1]"],
  ["IPv6 unique local", "[fd12:3456::1]"],
  ["IPv6 metadata", "[fd00:ec2::254]"],
  ["IPv6 multicast", "[ff02::1]"],
  ["IPv6 documentation", "[2001:db8::1]"],
  ["IPv6 documentation, new", "[3fff::1]"],
  ["IPv6 benchmarking", "[2001:2::1]"],
  ["IPv6 discard", "[100::1]"],
  ["Teredo", "[2001:0:4136:e378::1]"],
  ["6to4 of loopback", "[2002:7f00:1::]"],
  ["NAT64 of metadata", "[64:ff9b::a9fe:a9fe]"],
  ["local NAT64", "[64:ff9b:1::7f00:1]"],
  ["mapped loopback", "[::ffff:7f00:1]"],
  ["mapped loopback, dotted", "[::ffff:127.0.0.1]"],
  ["mapped metadata", "[::ffff:169.254.169.254]"],
  ["mapped public address", "[::ffff:8.8.8.8]"],
  ["translated loopback", "[::ffff:0:127.0.0.1]"],
  ["compatible loopback", "[::127.0.0.1]"],
])("The address %s is refused with and without the loopback flag", (_name, host) => {
  expect(isAllowedHost(hostOf(host), { allowLoopback: false })).toBe(false);
  expect(isAllowedHost(hostOf(host), { allowLoopback: true })).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[2a00:1450::1]"])(
  "The public address %s is allowed",
  (host) => {
    expect(isAllowedHost(hostOf(host), { allowLoopback: false })).toBe(true);
  },
);

const everyPrivateRange = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];

test.each([
  ["AWS", "169.254.169.254"],
  ["AWS, decimal", "2852039166"],
  ["AWS, hexadecimal", "0xa9.0xfe.0xa9fe"],
  ["AWS, IPv6", "[fd00:ec2::254]"],
  ["AWS, IPv6 in full", "[FD00:0EC2:0:0:0:0:0:254]"],
  ["AWS, mapped", "[::ffff:169.254.169.254]"],
  ["AWS, NAT64", "[64:ff9b::a9fe:a9fe]"],
  ["AWS, credentials of pods", "[fd00:ec2::23]"],
  ["Alibaba Cloud", "100.100.100.200"],
  ["Alibaba Cloud, octal", "0144.0144.0144.0310"],
  ["Alibaba Cloud, mapped", "[::ffff:100.100.100.200]"],
  ["Oracle Cloud", "[fd00:c1::a9fe:a9fe]"],
  ["Google Cloud", "[fd20:ce::254]"],
  ["Azure", "168.63.129.16"],
  ["link-local", "[fe80::1]"],
])("The metadata address of %s is refused whatever allowPrivateNetworks says", (_name, host) => {
  const policy = { allowLoopback: true, allowPrivateNetworks: everyPrivateRange };
  expect(isAllowedHost(hostOf(host), policy)).toBe(false);
});

test("allowPrivateNetworks allows the addresses of its networks, and no other that is not public", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const start = fc.constantFrom("10.1", "10.20", "172.16", "172.31", "192.168", "100.64", "169.254", "127.0");
  fc.assert(
    fc.property(start, octet, octet, fc.integer({ min: 16, max: 32 }), (beginning, third, last, prefix) => {
      const address = `${beginning}.${third}.${last}`;
      const policy = { allowLoopback: false, allowPrivateNetworks: [`10.20.128.0/${prefix}`] };
      const size = 2 ** (32 - prefix);
      const offset = third * 256 + last - Math.floor((128 * 256) / size) * size;
      const isInside = beginning === "10.20" && offset >= 0 && offset < size;
      expect(isAllowedAddress(address, policy)).toBe(isInside);
      expect(isAllowedAddress(`::ffff:${address}`, policy)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
  const ipv6 = { allowLoopback: false, allowPrivateNetworks: ["fd12:3456::/32"] };
  expect(isAllowedHost(hostOf("[fd12:3456::7]"), ipv6)).toBe(true);
  expect(isAllowedHost(hostOf("[fd12:3457::7]"), ipv6)).toBe(false);
  expect(isAllowedHost(hostOf("10.0.0.1"), ipv6)).toBe(false);
});

test("isAllowedAddress refuses text that is not an IP address", () => {
  for (const text of ["", "localhost", "fe80::1%eth0", "2606:4700::1%eth0", "1.2.3", "8.8.8.8 "]) {
    expect(isAllowedAddress(text, { allowLoopback: true })).toBe(false);
  }
});

test("Any IPv4 address embedded in IPv6 is refused", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const prefix = fc.constantFrom("::", "::ffff:", "64:ff9b::", "::ffff:0:");
  fc.assert(
    fc.property(prefix, fc.tuple(octet, octet, octet, fc.integer({ min: 2, max: 255 })), (start, octets) => {
      expect(isAllowedAddress(start + octets.join("."), { allowLoopback: true })).toBe(false);
    }),
  );
});

/** Connects through the lookup and returns the result as text. */
function connect(lookup: net.LookupFunction, port: number, autoSelectFamily: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: "rebinding.test", port, lookup, autoSelectFamily });
    socket.on("connect", () => {
      resolve(`connected ${socket.remoteAddress}`);
      socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
}

test.each([true, false])(
  "A name is refused when one of its addresses is refused (autoSelectFamily: %s)",
  async (all) => {
    await using server = await serve(respond("200 OK"));
    const lookup = checkedLookup({ allowLoopback: false }, (_host, _options, callback) =>
      callback(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "8.8.8.8", family: 4 },
      ]),
    );
    expect(await connect(lookup, Number(server.url.port), all)).toBe(refusedAddress);
    const mixed = checkedLookup({ allowLoopback: true }, (_host, _options, callback) =>
      callback(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ]),
    );
    expect(await connect(mixed, Number(server.url.port), all)).toBe(refusedAddress);
    expect(server.connections()).toBe(0);
  },
);

test.each([true, false])(
  "A name is resolved once, and the socket connects to the checked address (autoSelectFamily: %s)",
  async (all) => {
    await using server = await serve(respond("200 OK"));
    let lookups = 0;
    const lookup = checkedLookup({ allowLoopback: true }, (_host, _options, callback) => {
      lookups++;
      callback(null, [{ address: lookups === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }]);
    });
    expect(await connect(lookup, Number(server.url.port), all)).toBe("connected 127.0.0.1");
    expect(lookups).toBe(1);
  },
);

// Addresses that a base URL, a DNS answer or a redirect may name and that are never connected to, in every spelling
// that a URL allows. The guard of all tests counts what would have left this machine.
import net from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { checkedLookup, refusedAddress } from "../../../lib/probe/http/addresses.ts";
import { type Exchange, exchange } from "../../../lib/probe/http/exchange.ts";
import { connectionAttempts } from "../../loopback-guard.ts";
import { respond, serve } from "./hostile-server.ts";

const limits = { deadlineMs: 2_000, maxBodyBytes: 65_536, retry: false };
const send = (url: URL, allowLoopback: boolean): Promise<Exchange> =>
  exchange({ url, allowLoopback, ...limits });

const loopbackAddresses = ["127.0.0.1", "127.255.255.254"];
const ipv4Addresses = [
  ...loopbackAddresses,
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "168.63.129.16"],
  ...["169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1"],
  ...["192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.51.100.7", "203.0.113.9"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255"],
];

const toHex = (value: number, length = 0) => value.toString(16).padStart(length, "0");
const toNumber = ([a = 0, b = 0, c = 0, d = 0]: number[]) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
const fullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (text: string) =>
  text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit)));
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${toHex(byte, 2)}`).join("");

/** The spellings of an IPv4 address that the URL standard reads as the address itself. */
function spellIpv4(address: string): string[] {
  const octets = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return [
    address,
    `${address}.`,
    String(toNumber(octets)),
    `0x${toHex(toNumber(octets))}`,
    `0X${toHex(toNumber(octets), 8).toUpperCase()}`,
    `0${toNumber(octets).toString(8)}`,
    octets.map((octet) => `0x${toHex(octet)}`).join("."),
    octets.map((octet) => `0${octet.toString(8)}`).join("."),
    octets.map((octet) => `000${octet.toString(8)}`).join("."),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `0x${toHex(a)}.${b}.0${c.toString(8)}.${d}`,
    fullWidth(address),
    circled(address),
    percent(address),
    address.replaceAll(".", "。"),
    address.replaceAll(".", "%2e"),
  ];
}

/** IPv6 addresses that contain an IPv4 address. */
function embedIpv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const [high, low] = [toHex((a << 8) | b), toHex((c << 8) | d)];
  return [
    ...[`[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:FFFF:${address}]`, `[::${address}]`],
    ...[
      `[64:ff9b::${address}]`,
      `[64:ff9b:1::${high}:${low}]`,
      `[2002:${high}:${low}::1]`,
      `[::ffff:0:${address}]`,
    ],
  ];
}

const ipv6Addresses = [
  ...[
    "[::]",
    "[0:0:0:0:0:0:0:0]",
    "[fe80::1]",
    "[FE80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
  ],
  ...[
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[ff0e::1]",
    "[2001:db8::1]",
    "[2001:0DB8::1]",
    "[3fff::1]",
    "[2001:2::1]",
  ],
  ...[
    "[100::1]",
    "[2001:0:4136:e378::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[5f00::1]",
    "[4000::1]",
    "[e000::1]",
  ],
];
const loopbackNames = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "v1.localhost",
  "a.b.LocalHost.",
  "ｌocalhost",
];
const ipv6Loopback = ["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::0:1]"];

const withoutFlag = [
  ...ipv4Addresses.flatMap((address) => [...spellIpv4(address), ...embedIpv4(address)]),
  ...[...ipv6Addresses, ...ipv6Loopback, ...loopbackNames],
];
const isLoopbackSpelling = (spelling: string) =>
  [...loopbackNames, ...ipv6Loopback, ...loopbackAddresses.flatMap(spellIpv4)].includes(spelling);

const before = { attempts: 0 };
beforeEach(() => {
  before.attempts = connectionAttempts.length;
});
const attempted = () => connectionAttempts.slice(before.attempts);

describe("no socket is opened", () => {
  test("No socket is opened for any of more than 250 spellings of forbidden addresses in a URL", async () => {
    const urls = [...new Set(withoutFlag)].flatMap((host) => {
      const url = URL.parse(`http://${host}:8080/api/v1/passports`);
      return url ? [{ host, url }] : [];
    });
    expect(urls.length).toBeGreaterThanOrEqual(250);
    for (const { host, url } of urls) {
      const secure = new URL(`https:${url.href.slice("http:".length)}`);
      for (const one of [url, secure]) {
        const { outcome, attempts } = await send(one, false);
        expect({ host, outcome, attempts }).toEqual({
          host,
          outcome: { kind: "refused", detail: "address" },
          attempts: [],
        });
        if (isLoopbackSpelling(host)) continue;
        // The flag for this machine allows nothing else.
        expect((await send(one, true)).outcome, host).toEqual({ kind: "refused", detail: "address" });
      }
    }
    expect(attempted()).toEqual([]);
  });

  test("No socket is opened for a name whose DNS answer has a forbidden address, alone or beside public ones", async () => {
    const addresses = [
      ...ipv4Addresses,
      ...[...ipv6Addresses, ...ipv6Loopback].map((host) => host.slice(1, -1)),
      ...ipv4Addresses.flatMap(embedIpv4).map((host) => host.slice(1, -1)),
    ];
    const publicAddress = { address: "8.8.8.8", family: 4 };
    for (const address of addresses) {
      const forbidden = { address, family: net.isIP(address) };
      for (const found of [[forbidden], [publicAddress, forbidden], [forbidden, publicAddress]])
        for (const autoSelectFamily of [true, false]) {
          const lookup = checkedLookup({ allowLoopback: false }, (_host, _options, callback) =>
            callback(null, found),
          );
          const socket = net.connect({ host: "rebinding.test", port: 9, lookup, autoSelectFamily });
          const code = await new Promise((resolve) => {
            socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
            socket.on("connect", () => resolve("connected"));
          });
          expect({ address, code }).toEqual({ address, code: refusedAddress });
        }
    }
    expect(attempted()).toEqual([]);
  });

  test("No socket is opened for a name that resolves to another address after it was checked", async () => {
    for (const address of ipv4Addresses) {
      let lookups = 0;
      const lookup = checkedLookup({ allowLoopback: false }, (_host, _options, callback) =>
        callback(null, [{ address: lookups++ === 0 ? "8.8.8.8" : address, family: 4 }]),
      );
      const socket = net.connect({ host: "rebinding.test", port: 9, lookup });
      await new Promise((resolve) => socket.on("error", resolve));
      expect(lookups).toBe(1);
    }
    // The guard refuses the public address that was checked; no other was tried.
    expect(new Set(attempted())).toEqual(new Set(["8.8.8.8:9"]));
  });

  test("No socket is opened for the target of a redirect, which is not followed", async () => {
    const targets = [...new Set(withoutFlag)].map((host) => `http://${host}:8080/latest/meta-data`);
    const headers = targets.map((target) => Buffer.from(target).toString("latin1"));
    const state = { location: "", status: "301 Moved" };
    await using server = await serve((socket, head, number) =>
      respond(state.status, "{}", [`Location: ${state.location}`])(socket, head, number),
    );
    for (const [index, location] of headers.entries()) {
      state.location = location;
      state.status = ["301 Moved", "302 Found", "303 See Other", "307 Again", "308 Moved"][index % 5] ?? "";
      expect((await send(server.url, true)).outcome.kind).toBe("redirect");
    }
    expect(server.connections()).toBe(headers.length);
    expect(attempted()).toEqual([]);
  });
});

test("The guard of the tests refuses an address of another machine before a socket is opened", async () => {
  for (const connect of [
    () => net.connect(9, "198.51.100.7"),
    () => net.connect({ host: "2001:db8::1", port: 9 }),
    () =>
      net.connect({
        host: "far.test",
        port: 9,
        lookup: (_host, _options, done) => done(null, "203.0.113.9", 4),
      }),
  ]) {
    const error = await new Promise<Error>((resolve) => connect().on("error", resolve));
    expect(error.message).toMatch(/^a test tried to connect to/);
  }
  expect(attempted()).toEqual(["198.51.100.7:9", "2001:db8::1:9", "203.0.113.9:9"]);
  await expect(fetch("http://198.51.100.7/")).rejects.toThrow();
});

// The parts of a request without a network: its URL and key, how an error is named, how a body is collected, and
// what its timings are.
import net from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { classifyError } from "../../../lib/probe/http/attempt.ts";
import { collectBody } from "../../../lib/probe/http/decoding.ts";
import { buildRequest, type Samples } from "../../../lib/probe/http/request.ts";
import {
  findTimeoutPhase,
  type PhaseTimes,
  readTimings,
  recordSocketTimes,
} from "../../../lib/probe/http/timings.ts";
import type { Outcome, Variant } from "../../../lib/records/observation.ts";
import { configure } from "../../config/configure.ts";

describe("an error of a socket or of the parser", () => {
  const named = (error: object, isSecure = false) => {
    const { kind, detail } = classifyError(error as NodeJS.ErrnoException, isSecure);
    return `${kind} ${detail}`;
  };

  test.each([
    ["V1WATCH_REFUSED_ADDRESS", "refused address"],
    ["HPE_HEADER_OVERFLOW", "too-large headers"],
    ["ECONNREFUSED", "network refused"],
    ["EPIPE", "network reset"],
    ["EHOSTUNREACH", "network unreachable"],
    ["EHOSTDOWN", "network unreachable"],
    ["ENETUNREACH", "network unreachable"],
    ["ENETDOWN", "network unreachable"],
    ["EADDRNOTAVAIL", "network unreachable"],
    ["EACCES", "network unreachable"],
    ["EPERM", "network unreachable"],
    ["ETIMEDOUT", "network unreachable"],
    ["CERT_HAS_EXPIRED", "network tls-expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "network tls-hostname"],
    ["HPE_INVALID_CONSTANT", "network protocol"],
  ])(
    "An error of a socket or of the parser with the code %s is %s, with and without TLS",
    (code, expected) => {
      expect(named({ code })).toBe(expected);
      expect(named({ code }, true)).toBe(expected);
    },
  );

  test("An error of a socket or of the parser without a code of its own is a fault of TLS over TLS, and of the protocol otherwise", () => {
    for (const error of [{ code: "ERR_SSL_WRONG_VERSION" }, { code: "constructor" }, {}]) {
      expect(named(error)).toBe("network protocol");
      expect(named(error, true)).toBe("network tls");
    }
    expect(named({ code: "XHPE_" }, true)).toBe("network tls");
  });

  test("An error of a socket or of the parser is a reset only where a system call failed, and DNS whatever its code", () => {
    expect(named({ code: "ECONNRESET", syscall: "read" })).toBe("network reset");
    expect(named({ code: "ECONNRESET" }, true)).toBe("network closed");
    expect(named({ code: "ENOTFOUND", syscall: "getaddrinfo" }, true)).toBe("network dns");
    expect(named({ code: "ECONNRESET", syscall: "getaddrinfo" })).toBe("network dns");
  });
});

describe("a body is collected", () => {
  type Result = { body: Uint8Array } | { fault: Outcome };
  const collect = (encoding: string, maxBytes = 100) => {
    const ends: (Outcome | string)[] = [];
    const collector = collectBody(encoding, maxBytes, (result: Result) =>
      ends.push("fault" in result ? result.fault : Buffer.from(result.body).toString()),
    );
    return { ...collector, collector, ends };
  };
  const write = ({ collector }: ReturnType<typeof collect>, ...chunks: string[]) => {
    for (const chunk of chunks) collector.write(Buffer.from(chunk));
  };

  test.each(["", "identity"])("A body is collected chunk by chunk with the encoding %j", (encoding) => {
    const body = collect(encoding);
    write(body, "ab", "", "c");
    expect(body.ends).toEqual([]);
    body.end();
    expect(body.ends).toEqual(["abc"]);
    expect(body.collector.bytes).toEqual({ wire: 3, body: 3 });
  });

  test("A body is collected as nothing where none came", () => {
    const empty = collect("gzip");
    empty.end();
    expect(empty.ends).toEqual([""]);
  });

  test("A body is collected up to its limit, and what comes after it is not counted", () => {
    const exact = collect("", 4);
    write(exact, "abcd");
    exact.end();
    expect(exact.ends).toEqual(["abcd"]);
    const over = collect("", 4);
    write(over, "abc", "de", "f");
    over.end();
    expect(over.ends).toEqual([{ kind: "too-large", detail: "wire" }]);
    expect(over.collector.bytes).toEqual({ wire: 5, body: 0 });
  });

  test("A body is not collected at all after a stop", () => {
    const body = collect("");
    write(body, "a");
    body.stop();
    write(body, "b");
    body.end();
    expect(body.ends).toEqual([]);
  });

  test("A body is collected with a decoder once its bytes have been decoded", async () => {
    const ended = Promise.withResolvers<Result>();
    const collector = collectBody("gzip", 100, ended.resolve);
    const bytes = gzipSync("abc");
    collector.write(bytes.subarray(0, 5));
    collector.write(bytes.subarray(5));
    collector.end();
    expect(await ended.promise).toEqual({ body: Buffer.from("abc") });
    expect(collector.bytes).toEqual({ wire: bytes.length, body: 3 });
  });

  test("A body of an unknown encoding is refused when it is complete", () => {
    const body = collect("zip");
    write(body, "a", "b");
    body.end();
    expect(body.ends).toEqual([{ kind: "bad-encoding", detail: "unknown" }]);
  });
});

describe("timings", () => {
  const timed = (times: PhaseTimes) => {
    const { totalMs, ...phases } = readTimings(0, times);
    expect(totalMs).toBeGreaterThanOrEqual(0);
    expect(totalMs).toBe(Math.round(totalMs * 10) / 10);
    return phases;
  };

  test("Timings are durations of the phases in tenths of a millisecond, and of the first byte from the start", () => {
    const all = { lookup: 1.26, connect: 4, secure: 10.04, head: 20.5 };
    expect(timed(all)).toEqual({ dnsMs: 1.3, tcpMs: 2.7, tlsMs: 6, firstByteMs: 20.5 });
  });

  test("Timings leave out phases that were not reached", () => {
    expect(timed({})).toEqual({});
    expect(timed({ lookup: 2 })).toEqual({ dnsMs: 2 });
    // A literal address has no lookup.
    expect(timed({ connect: 3 })).toEqual({ tcpMs: 3 });
    expect(timed({ secure: 3 })).toEqual({});
    expect(timed({ isReused: true, head: 4 })).toEqual({ firstByteMs: 4 });
  });

  test("Timings of a socket are taken when it connects, and a reused one has none", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const times: PhaseTimes = {};
    const expiries: string[] = [];
    const socket = net.connect((server.address() as net.AddressInfo).port, "127.0.0.1");
    recordSocketTimes(socket, times, (expiresAt) => expiries.push(expiresAt), false);
    await new Promise((resolve) => socket.once("connect", resolve));
    expect(times.connect).toBeGreaterThan(0);
    expect(times).not.toHaveProperty("isReused");
    const again: PhaseTimes = {};
    recordSocketTimes(socket, again, (expiresAt) => expiries.push(expiresAt), true);
    expect(again).toEqual({ isReused: true });
    expect(expiries).toEqual([]);
    socket.destroy();
    server.close();
  });
});

describe("a request", () => {
  const config = configure();
  const wallet = `0x${"aB".repeat(20)}`;
  const samples: Samples = { id: "7", otherId: wallet, keyword: "Ana" };
  const build = (
    endpoint: "passport-list" | "passport" | "passport-credentials",
    variant: Variant,
    more: Samples = samples,
    key: string | undefined = "k",
  ) => {
    const built = buildRequest({ config, endpoint, variant, samples: more, key });
    if (!built) return undefined;
    const { url, ...rest } = built;
    return { ...rest, path: url.pathname + url.search };
  };

  test.each<[Parameters<typeof build>, object | undefined]>([
    [["passport-list", "authenticated"], { path: "/api/v1/passports", apiKey: "k", isSampled: true }],
    [["passport-list", "authenticated", {}], { path: "/api/v1/passports", apiKey: "k", isSampled: true }],
    [["passport-list", "anonymous"], { path: "/api/v1/passports", isSampled: true }],
    [
      ["passport-list", "keyword"],
      { path: "/api/v1/passports?keyword=Ana", apiKey: "k", isSampled: true, keyword: "Ana" },
    ],
    [["passport-list", "keyword", {}], undefined],
    [["passport-list", "second-page"], { path: "/api/v1/passports?page=2", apiKey: "k", isSampled: true }],
    [["passport", "authenticated"], { path: "/api/v1/passports/7", apiKey: "k", isSampled: true }],
    [["passport", "authenticated", {}], { path: "/api/v1/passports/1", apiKey: "k", isSampled: false }],
    [["passport", "by-other-id"], { path: `/api/v1/passports/${wallet}`, apiKey: "k", isSampled: true }],
    [["passport", "by-other-id", { id: "7" }], undefined],
    [
      ["passport", "by-other-id", { otherId: "a/b?c" }],
      { path: "/api/v1/passports/a%2Fb%3Fc", apiKey: "k", isSampled: true },
    ],
    [["passport", "unknown-id"], { path: "/api/v1/passports/999999999", apiKey: "k", isSampled: true }],
    [
      ["passport", "bad-key"],
      { path: "/api/v1/passports/7", apiKey: "v1watch-deliberately-wrong-key", isSampled: true },
    ],
    [
      ["passport-credentials", "authenticated"],
      { path: "/api/v1/passport_credentials?passport_id=7", apiKey: "k", isSampled: true },
    ],
  ])("The request of %j has its path, its key and its sample", (request, expected) => {
    expect(build(...request)).toEqual(expected);
  });

  test("A request has no key where none is known", () => {
    const built = buildRequest({
      config,
      endpoint: "passport",
      variant: "authenticated",
      samples,
      key: undefined,
    });
    expect(built).toMatchObject({ apiKey: undefined });
  });

  test("A request has the passport of the list where it is the same one, by its id or its wallet", () => {
    const listed = { passport_id: 7, main_wallet: wallet.toLowerCase() };
    const withListed = (more: object) => ({ ...samples, listed: { ...listed, ...more } });
    expect(build("passport", "authenticated", withListed({}))).toMatchObject({ listed });
    expect(build("passport", "by-other-id", withListed({ passport_id: 8 }))).toHaveProperty("listed");
    for (const other of [
      build("passport", "authenticated", withListed({ passport_id: 8 })),
      build("passport", "authenticated", withListed({ passport_id: "7" })),
      build("passport", "unknown-id", withListed({})),
      build("passport", "by-other-id", withListed({ main_wallet: "0x1" })),
      build("passport", "by-other-id", withListed({ main_wallet: 7 })),
      build("passport", "by-other-id", withListed({ main_wallet: undefined })),
      // Only the single passport is compared.
      build("passport-credentials", "authenticated", withListed({})),
      build("passport-list", "authenticated", withListed({})),
    ])
      expect(other).toMatchObject({ listed: undefined });
  });
});

test.each<[string, string, PhaseTimes]>([
  ["dns", "https://api.example.com", {}],
  ["connect", "https://api.example.com", { lookup: 1 }],
  ["connect", "https://127.0.0.1", {}],
  ["connect", "https://[::1]", {}],
  ["tls", "https://api.example.com", { lookup: 1, connect: 2 }],
  ["headers", "https://api.example.com", { lookup: 1, connect: 2, secure: 3 }],
  ["headers", "http://api.example.com", { lookup: 1, connect: 2 }],
  ["headers", "https://api.example.com", { isReused: true }],
  ["body", "https://api.example.com", { isReused: true, head: 4 }],
])("A deadline passes in the phase %s: %s %j", (phase, url, times) => {
  expect(findTimeoutPhase(new URL(url), times)).toBe(phase);
});

import { execFile } from "node:child_process";
import net from "node:net";
import tls from "node:tls";
import { promisify } from "node:util";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConnectionPool } from "../../../lib/probe/http/attempt.ts";
import { type Exchange, type ExchangeRequest, exchange } from "../../../lib/probe/http/exchange.ts";
import { observation } from "../../../lib/records/observation.ts";
import { fc } from "../../random.ts";
import { certificate, type Responder, respond, sendBytes, serve } from "./hostile-server.ts";

const sentinelKey = "sentinel-key-7c1f";
const page = JSON.stringify({ passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } });

const send = (url: URL, more: Partial<ExchangeRequest> = {}) =>
  exchange({
    url,
    deadlineMs: 5_000,
    maxBodyBytes: 2 ** 21,
    allowLoopback: true,
    retryPauseMs: 0,
    ...more,
  });

async function sendOnce(responder: Responder, more: Partial<ExchangeRequest> = {}): Promise<Exchange> {
  await using server = await serve(responder);
  return await send(server.url, more);
}

const textOf = ({ body }: Exchange) => body && new TextDecoder().decode(body);
const neverRespond: Responder = () => {};

describe("a 200 response", () => {
  test("A 200 response has the outcome ok with body, timings, sizes and headers", async () => {
    const result = await sendOnce(
      respond("200 OK", page, ["Content-Type: application/json", "SUNSET: soon"]),
    );
    expect(result.outcome).toEqual({ kind: "ok", status: 200 });
    expect(textOf(result)).toBe(page);
    expect(result.bytes).toEqual({ wire: page.length, body: page.length });
    expect(result.headers).toMatchObject({ "content-type": "application/json", sunset: "soon" });
    expect(result.timings.firstByteMs).toBeGreaterThanOrEqual(result.timings.tcpMs ?? Number.NaN);
    expect(result.timings.totalMs).toBeGreaterThanOrEqual(result.timings.firstByteMs ?? Number.NaN);
    expect(result.tls).toBeNull();
    expect(result.attempts).toEqual([{ kind: "ok", totalMs: result.timings.totalMs }]);
  });

  test("A 200 response is requested with a User-Agent and with the key in one header only", async () => {
    await using server = await serve(respond("200 OK", page));
    server.url.search = "?keyword=ada";
    await send(server.url, { apiKey: sentinelKey });
    await send(server.url);
    const [authenticated = "", anonymous = ""] = server.requests;
    expect(authenticated).toMatch(/^GET \/api\/v1\/passports\?keyword=ada HTTP\/1\.1\r\n/);
    expect(authenticated).toMatch(
      /\r\nUser-Agent: v1watch\/\d+\.\d+\.\d+ \(\+monitor of a deprecated API\)\r\n/,
    );
    expect(authenticated).toMatch(/\r\nAccept: application\/json\r\n/);
    expect(authenticated).toContain(`\r\nX-API-KEY: ${sentinelKey}\r\n`);
    expect(authenticated.split(sentinelKey)).toHaveLength(2);
    expect(anonymous.toLowerCase()).not.toContain("x-api-key");
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["gzip", gzipSync(page)],
    ["GZIP", gzipSync(page)],
    ["x-gzip", gzipSync(page)],
    ["deflate", deflateSync(page)],
    ["deflate", deflateRawSync(page)],
    ["br", brotliCompressSync(page)],
    ["identity", Buffer.from(page)],
  ])("A 200 response with the content encoding %s is decoded", async (encoding, bytes) => {
    const result = await sendOnce(respond("200 OK", bytes, [`Content-Encoding: ${encoding}`]));
    expect(result.outcome.kind).toBe("ok");
    expect(textOf(result)).toBe(page);
    expect(result.bytes).toEqual({ wire: bytes.length, body: page.length });
  });

  test("A 200 response in chunks, or ended by the close of the connection, is complete", async () => {
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n1\r\n]\r\n0\r\n\r\n";
    expect(textOf(await sendOnce(sendBytes(chunked)))).toBe("[1]");
    expect(textOf(await sendOnce(sendBytes("HTTP/1.0 200 OK\r\n\r\n[1]")))).toBe("[1]");
  });

  test("A 200 response with extra bytes after its end is still complete", async () => {
    const result = await sendOnce(sendBytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]garbage"));
    expect(result.outcome.kind).toBe("ok");
    expect(textOf(result)).toBe("[1]");
  });

  test("A 200 response keeps no cookies, and a header named __proto__ does not change a prototype", async () => {
    const { headers } = await sendOnce(
      respond("200 OK", page, ["Set-Cookie: a=b", "__proto__: x", "X-A: 1", "X-A: 2"]),
    );
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["x-a"]).toBe("1, 2");
    expect(Object.getPrototypeOf(headers)).toBeNull();
  });
});

test("A 203 is read as a 200 is", async () => {
  await using server = await serve(respond("203 Non-Authoritative Information", page));
  expect((await send(server.url)).outcome).toEqual({ kind: "ok", status: 203 });
});

describe("an error status", () => {
  test.each([
    ["204 No Content", "status"],
    ["401 Unauthorized", "unauthorized"],
    ["404 Not Found", "status"],
    ["410 Gone", "status"],
    ["429 Too Many Requests", "status"],
    ["500 Internal Server Error", "status"],
    ["503 Service Unavailable", "status"],
  ])(
    "An error status %s has its own outcome, is never retried, and its body can be read",
    async (line, kind) => {
      await using server = await serve(
        respond(line, line.startsWith("204") ? "" : '{"error":"no"}', ["Retry-After: 7"]),
      );
      const result = await send(server.url);
      expect(result.outcome).toEqual({ kind, status: Number(line.slice(0, 3)) });
      expect(result.status).toBe(Number(line.slice(0, 3)));
      expect(result.headers["retry-after"]).toBe("7");
      if (!line.startsWith("204")) expect(textOf(result)).toBe('{"error":"no"}');
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each(["301", "302", "303", "307", "308"])(
    "An error status %s is recorded and not followed, so that the key is not forwarded",
    async (code) => {
      await using elsewhere = await serve(respond("200 OK", page));
      await using server = await serve(respond(`${code} Moved`, "", [`Location: ${elsewhere.url}`]));
      const result = await send(server.url, { apiKey: sentinelKey });
      expect(result.outcome).toEqual({ kind: "redirect", status: Number(code) });
      expect(result.headers.location).toBe(elsewhere.url.href);
      expect(elsewhere.connections()).toBe(0);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each<[string, Responder, Partial<ExchangeRequest>]>([
    ["truncated", sendBytes("HTTP/1.1 410 Gone\r\nContent-Length: 99\r\n\r\nhalf"), {}],
    [
      "never ending",
      (socket) => socket.write("HTTP/1.1 410 Gone\r\nContent-Length: 99\r\n\r\nhalf"),
      { deadlineMs: 300 },
    ],
    ["not gzip", respond("410 Gone", "plain", ["Content-Encoding: gzip"]), {}],
    ["in an unknown encoding", respond("410 Gone", "plain", ["Content-Encoding: zip"]), {}],
  ])("An error status is not hidden by a body that is %s", async (_name, responder, more) => {
    const result = await sendOnce(responder, more);
    expect(result.outcome).toEqual({ kind: "status", status: 410 });
    expect(result.body).toBeNull();
  });
});

describe("the deadline", () => {
  const drip: Responder = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    const timer = setInterval(() => socket.write(" "), 20);
    socket.on("close", () => clearInterval(timer));
  };
  const dripHeaders: Responder = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("X-A: 1\r\n"), 50);
    socket.on("close", () => clearInterval(timer));
  };
  test.each<[string, Responder, string]>([
    ["hangs before the headers", neverRespond, "headers"],
    ["hangs in the body", (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1"), "body"],
    ["drips its body", drip, "body"],
    ["drips its headers", dripHeaders, "headers"],
    [
      "hangs in a gzip body",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b", "latin1"),
      "body",
    ],
  ])(
    "The deadline ends the exchange in time without a retry when a server %s",
    async (_name, responder, detail) => {
      await using server = await serve(responder);
      const result = await send(server.url, { deadlineMs: 400 });
      expect(result.outcome).toMatchObject({ kind: "timeout", detail });
      expect(result.body).toBeNull();
      expect(result.attempts).toHaveLength(1);
      expect(server.connections()).toBe(1);
    },
  );

  test("The deadline covers a TLS handshake that never ends", async () => {
    // The server does not use TLS, so the client's hello gets no response.
    await using server = await serve(neverRespond);
    const url = new URL(server.url.href.replace("http:", "https:"));
    const result = await send(url, { deadlineMs: 300 });
    expect(result.outcome).toEqual({ kind: "timeout", detail: "tls" });
  });

  test("The deadline is shared by both attempts", async () => {
    await using server = await serve((socket, _request, number) => {
      if (number === 1) socket.destroy();
    });
    const result = await send(server.url, { deadlineMs: 500, retryPauseMs: 250 });
    // With its own deadline, the second attempt would take 500 ms.
    expect(result.attempts[1]?.totalMs).toBeLessThan(450);
    expect(result.attempts.map(({ kind }) => kind)).toEqual(["network", "timeout"]);
    expect(result.outcome.kind).toBe("timeout");
  });

  test("The deadline prevents a second attempt when too little time is left", async () => {
    await using server = await serve((socket) => socket.destroy());
    const result = await send(server.url, { deadlineMs: 200, retryPauseMs: 250 });
    expect(result.outcome.kind).toBe("network");
    expect(server.requests).toHaveLength(1);
  });

  test("The deadline does not delay a stop by the caller, before and during the request", async () => {
    await using server = await serve(neverRespond);
    expect((await send(server.url, { signal: AbortSignal.abort() })).outcome.detail).toBe("stopped");
    expect(server.connections()).toBe(0);
    const result = await send(server.url, { signal: AbortSignal.timeout(100) });
    expect(result.outcome).toEqual({ kind: "refused", detail: "stopped" });
  });
});

describe("a network fault", () => {
  async function closedPort(): Promise<URL> {
    const server = await serve(neverRespond);
    await server[Symbol.asyncDispose]();
    return server.url;
  }

  test("A network fault of a refused connection is retried once, and both attempts are recorded", async () => {
    const result = await send(await closedPort());
    expect(result.outcome).toEqual({ kind: "network", detail: "refused" });
    expect(result.attempts.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      "network refused",
      "network refused",
    ]);
  });

  test("A network fault is not retried with retry: false", async () => {
    const result = await send(await closedPort(), { retry: false });
    expect(result.attempts).toHaveLength(1);
  });

  test("A network fault of a DNS lookup has its own detail", async () => {
    // The resolver rejects a label of 70 characters without sending a query.
    const result = await send(new URL(`http://${"a".repeat(70)}.invalid/`), { retry: false });
    expect(result.outcome).toEqual({ kind: "network", detail: "dns" });
  });

  test.each<[string, Responder, string]>([
    ["a reset", (socket) => socket.resetAndDestroy(), "reset"],
    ["a close without a response", (socket) => socket.end(), "closed"],
    ["a close inside the headers", sendBytes("HTTP/1.1 200 OK\r\nContent-"), "closed"],
    ["a response that is not HTTP", sendBytes("SSH-2.0-OpenSSH\r\n\r\n"), "protocol"],
    [
      "two Content-Length headers",
      sendBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]"),
      "protocol",
    ],
    [
      "a change of protocol",
      sendBytes("HTTP/1.1 101 Up\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      "protocol",
    ],
    ["many 1xx responses", sendBytes("HTTP/1.1 103 Hints\r\n\r\n".repeat(50)), "protocol"],
  ])(
    "A network fault caused by %s has its own detail and is retried once",
    async (_name, responder, detail) => {
      await using server = await serve(responder);
      const result = await send(server.url);
      expect(result.outcome).toEqual({ kind: "network", detail });
      expect(server.requests).toHaveLength(2);
      expect(result.attempts).toHaveLength(2);
    },
  );

  test("A network fault that is gone in the second attempt gives ok with two attempts", async () => {
    await using server = await serve((socket, request, number) =>
      number === 1 ? socket.resetAndDestroy() : respond("200 OK", page)(socket, request, number),
    );
    const result = await send(server.url);
    expect(result.outcome.kind).toBe("ok");
    expect(result.attempts.map(({ kind, detail }) => [kind, detail])).toEqual([
      ["network", "reset"],
      ["ok", undefined],
    ]);
  });
});

describe("TLS", () => {
  const trusted = tls.getCACertificates("default");
  beforeAll(() => tls.setDefaultCACertificates([...trusted, certificate("authority")]));
  afterAll(() => tls.setDefaultCACertificates(trusted));

  test("TLS records the certificate's expiry and the handshake's duration for every request", async () => {
    await using server = await serve(respond("200 OK", page), "valid");
    for (let round = 0; round < 2; round++) {
      const result = await send(server.url);
      expect(result.outcome.kind).toBe("ok");
      expect(result.tls).toEqual({ expiresAt: "2098-01-01T00:00:00.000Z" });
      expect(result.timings.tlsMs).toBeGreaterThan(0);
    }
  });

  test("TLS in a pool shows the certificate of a reused socket as well", async () => {
    await using server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
    }, "valid");
    const connections = createConnectionPool(1);
    for (const isFirst of [true, false]) {
      const result = await send(server.url, { connections });
      expect(result.outcome.kind).toBe("ok");
      expect(result.tls).toEqual({ expiresAt: "2098-01-01T00:00:00.000Z" });
      expect(result.timings.tlsMs !== undefined).toBe(isFirst);
    }
    expect(server.connections()).toBe(1);
    connections.close();
  });

  test("Requests that reuse a socket leave no listeners on it", async () => {
    await using server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
    }, "valid");
    const connections = createConnectionPool(1);
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on("warning", note);
    // Node warns of more than ten.
    for (let number = 0; number < 15; number += 1) await send(server.url, { connections });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(server.connections()).toBe(1);
    expect(warnings).toEqual([]);
    connections.close();
  });

  test("TLS works with a host name, and DNS is timed too", async () => {
    await using server = await serve(respond("200 OK", page), "valid");
    for (const host of ["localhost", "localhost."]) {
      server.url.hostname = host;
      const result = await send(server.url);
      expect(result.outcome.kind).toBe("ok");
      expect(result.timings.dnsMs).toBeGreaterThanOrEqual(0);
    }
  });

  test.each([
    ["self-signed", "tls", "2098-01-01T00:00:00.000Z"],
    ["expired", "tls-expired", "2021-01-01T00:00:00.000Z"],
    ["other-host", "tls-hostname", "2098-01-01T00:00:00.000Z"],
  ])("TLS rejects a certificate that is %s before the key is sent", async (name, detail, expiresAt) => {
    await using server = await serve(respond("200 OK", page), name);
    const result = await send(server.url, { apiKey: sentinelKey });
    expect(result.outcome).toEqual({ kind: "network", detail });
    expect(result.tls).toEqual({ expiresAt });
    expect(result.attempts).toHaveLength(2);
    expect(server.requests).toHaveLength(0);
  });

  test("TLS verifies certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      await using server = await serve(respond("200 OK", page), "self-signed");
      expect((await send(server.url, { retry: false })).outcome).toEqual({ kind: "network", detail: "tls" });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  test("TLS reports a server without TLS as a TLS fault", async () => {
    await using server = await serve(neverRespond);
    const plain = net.createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad\r\n\r\n"));
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    server.url.port = String((plain.address() as net.AddressInfo).port);
    const result = await send(new URL(server.url.href.replace("http:", "https:")), { retry: false });
    expect(result.outcome).toEqual({ kind: "network", detail: "tls" });
    plain.close();
  });
});

describe("an invalid body", () => {
  const gzipped = gzipSync(page.repeat(100));
  test.each<[string, Responder, Outcome]>([
    [
      "shorter than its Content-Length",
      sendBytes("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[1]"),
      ["truncated", "closed"],
    ],
    [
      "cut between chunks",
      sendBytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n"),
      ["truncated", "closed"],
    ],
    [
      "cut inside a chunk",
      sendBytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[1]"),
      ["truncated", "closed"],
    ],
    [
      "broken between chunks",
      sendBytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\nzz\r\n"),
      ["truncated", "protocol"],
    ],
    [
      "half a gzip stream",
      respond("200 OK", gzipped.subarray(0, -20), ["Content-Encoding: gzip"]),
      ["truncated", "encoding"],
    ],
    [
      "half a brotli stream",
      respond("200 OK", brotliCompressSync(page).subarray(0, 20), ["Content-Encoding: br"]),
      ["truncated", "encoding"],
    ],
    ["no gzip", respond("200 OK", page, ["Content-Encoding: gzip"]), ["bad-encoding", "corrupt"]],
    ["no brotli", respond("200 OK", page, ["Content-Encoding: br"]), ["bad-encoding", "corrupt"]],
    [
      "gzip with a wrong checksum",
      respond("200 OK", Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(8)]), [
        "Content-Encoding: gzip",
      ]),
      ["bad-encoding", "corrupt"],
    ],
    [
      "of an unknown encoding",
      respond("200 OK", page, ["Content-Encoding: zstd"]),
      ["bad-encoding", "unknown"],
    ],
    [
      "of an encoding named constructor",
      respond("200 OK", page, ["Content-Encoding: constructor"]),
      ["bad-encoding", "unknown"],
    ],
    [
      "encoded twice",
      respond("200 OK", gzipSync(gzipped), ["Content-Encoding: gzip, gzip"]),
      ["bad-encoding", "unknown"],
    ],
    [
      "announced as huge",
      sendBytes("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"),
      ["too-large", "wire"],
    ],
    ["huge", sendBytes(`HTTP/1.1 200 OK\r\n\r\n${" ".repeat(2 ** 21 + 1)}`), ["too-large", "wire"]],
    [
      "a gzip bomb",
      respond("200 OK", gzipSync(Buffer.alloc(2 ** 22)), ["Content-Encoding: gzip"]),
      ["too-large", "body"],
    ],
  ])(
    "An invalid body that is %s gives its own outcome, no body and no second attempt",
    async (_name, responder, [kind, detail]) => {
      await using server = await serve(responder);
      const result = await send(server.url);
      expect(result.outcome).toEqual({ kind, status: 200, detail });
      expect(result.body).toBeNull();
      expect(server.requests).toHaveLength(1);
    },
  );
  type Outcome = [kind: string, detail: string];

  test("An invalid body that is cut by a reset is truncated", async () => {
    const result = await sendOnce((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[1]");
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    expect(result.outcome).toEqual({ kind: "truncated", status: 200, detail: "reset" });
    expect(result.body).toBeNull();
  });

  test("An invalid body is accepted at exactly the size limit and rejected one byte above it", async () => {
    expect((await sendOnce(respond("200 OK", "x".repeat(100)), { maxBodyBytes: 100 })).outcome.kind).toBe(
      "ok",
    );
    const over = await sendOnce(respond("200 OK", "x".repeat(101)), { maxBodyBytes: 100 });
    expect(over.outcome).toEqual({ kind: "too-large", status: 200, detail: "wire" });
  });

  test.each<[string, Responder]>([
    ["too large", sendBytes(`HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`)],
    ["endless", (socket) => socket.write(`HTTP/1.1 200 OK\r\n${"X-A: 1\r\n".repeat(100_000)}`)],
    [
      "too many",
      respond(
        "200 OK",
        page,
        Array.from({ length: 300 }, (_, index) => `X-${index}: 1`),
      ),
    ],
  ])("An invalid body with headers that are %s gives the outcome too-large", async (_name, responder) => {
    const result = await sendOnce(responder);
    expect(result.outcome).toMatchObject({ kind: "too-large", detail: "headers" });
    expect(result.headers).toEqual({});
  });

  test("An invalid body that is a gzip bomb of 120 MB uses less than 64 MiB of memory", async () => {
    const part = gzipSync(Buffer.alloc(30_000_000));
    const bomb = Buffer.concat([part, part, part, part]);
    await using server = await serve(respond("200 OK", bomb, ["Content-Encoding: gzip"]));
    // In a separate process, so that the peak memory is that of this exchange.
    const script = `
      import { exchange } from ${JSON.stringify(new URL("../../../lib/probe/http/exchange.ts", import.meta.url).href)};
      const before = process.memoryUsage().rss;
      const { outcome } = await exchange({ url: new URL(${JSON.stringify(server.url)}), deadlineMs: 10000,
        maxBodyBytes: 2 ** 21, allowLoopback: true });
      const mebibytes = (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20;
      console.log(JSON.stringify({ outcome, mebibytes }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    const { outcome, mebibytes } = JSON.parse(stdout);
    expect(outcome).toEqual({ kind: "too-large", status: 200, detail: "body" });
    expect(mebibytes).toBeLessThan(64);
  });
});

describe("a request that is refused before it is sent", () => {
  test.each([
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["data:,x", "scheme"],
    ["http://user@example.com/", "credentials"],
    ["http://:secret@example.com/", "credentials"],
    ["http://169.254.169.254/latest/meta-data/", "address"],
    ["http://10.0.0.1/", "address"],
    ["http://[::ffff:7f00:1]/", "address"],
  ])(
    "A request to %s is refused before it is sent, names its reason and opens no connection",
    async (url, detail) => {
      const result = await send(new URL(url));
      expect(result.outcome).toEqual({ kind: "refused", detail });
      expect(result.attempts).toEqual([]);
    },
  );

  test.each(["127.0.0.1", "2130706433", "0x7f.1", "127.1", "localhost", "localhost.", "0.0.0.0"])(
    "A request to loopback written as %s is refused and opens no connection",
    async (host) => {
      await using server = await serve(respond("200 OK", page));
      const result = await send(new URL(`http://${host}:${server.url.port}/`), { allowLoopback: false });
      expect(result.outcome).toEqual({ kind: "refused", detail: "address" });
      expect(server.connections()).toBe(0);
    },
  );

  test.each(["\n", "\r\nX-Evil: 1", "\0", "\x7f", "\x85", "\u{1f511}", "ключ"])(
    "A request that is refused because its key contains %j does not show the key",
    async (suffix) => {
      await using server = await serve(respond("200 OK", page));
      const result = await send(server.url, { apiKey: sentinelKey + suffix });
      expect(result.outcome).toEqual({ kind: "refused", detail: "bad-key" });
      expect(JSON.stringify(result)).not.toContain(sentinelKey);
      expect(server.connections()).toBe(0);
    },
  );

  test("A request whose key is empty is refused and not sent as an anonymous request", async () => {
    await using server = await serve(respond("200 OK", page));
    expect((await send(server.url, { apiKey: "" })).outcome.detail).toBe("bad-key");
  });
});

test("A connection pool reuses sockets for many requests and discards a socket after a fault", async () => {
  await using server = await serve((socket, _request, number) => {
    if (number === 5) socket.destroy();
    else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
  });
  const connections = createConnectionPool(2);
  for (let round = 0; round < 8; round++) {
    const result = await send(server.url, { connections });
    expect(result.outcome.kind).toBe("ok");
    expect(result.attempts).toHaveLength(round === 4 ? 2 : 1);
    expect(textOf(result)).toBe(page);
  }
  expect(server.connections()).toBe(2);
  connections.close();
});

test("A connection pool does not use a socket opened with loopback allowed for a request without it", () => {
  const connections = createConnectionPool(1);
  const agent = connections.agentFor("http:", { allowLoopback: true });
  expect(connections.agentFor("http:", { allowLoopback: true })).toBe(agent);
  expect(connections.agentFor("http:", { allowLoopback: false })).not.toBe(agent);
  expect(connections.agentFor("https:", { allowLoopback: true })).not.toBe(agent);
  connections.close();
});

test("The function exchange never throws, hangs or returns a result that does not match the schema, whatever bytes a server sends", async () => {
  const fragments = fc.constantFrom(
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.0 401 No\r\n",
    "HTTP/1.1 103 Hints\r\n\r\n",
    "HTTP/1.1 304 Same\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "Content-Encoding: gzip\r\n",
    "Content-Encoding: deflate\r\n",
    "Connection: upgrade\r\nUpgrade: h2c\r\n",
    "\r\n",
    "0\r\n\r\n",
    "ffffffffffffffff\r\n",
    "5\r\nhello\r\n",
    "\x1f\x8b\x08\0",
  );
  const bytes = fc.array(
    fc.oneof({ weight: 4, arbitrary: fragments }, fc.string({ unit: "binary-ascii", maxLength: 40 })),
    { maxLength: 12 },
  );
  let next = "";
  let isOpen = false;
  await using server = await serve((socket) => {
    socket.write(next, "latin1");
    if (!isOpen) socket.end();
  });
  await fc.assert(
    fc.asyncProperty(bytes, fc.boolean(), async (parts, stayOpen) => {
      next = parts.join("");
      isOpen = stayOpen;
      const result = await send(server.url, { deadlineMs: 60, retry: false });
      const { outcome, attempts, timings, bytes: sizes, tls: certificateEnd } = result;
      const facts = observation.pick({
        outcome: true,
        attempts: true,
        timings: true,
        bytes: true,
        tls: true,
      });
      facts.parse({ outcome, attempts, timings, bytes: sizes, tls: certificateEnd });
      if (outcome.kind === "ok") expect(result.body).not.toBeNull();
    }),
    { numRuns: 60 },
  );
});

// Requests through a proxy: each of its faults is a cause of its own, and none of them is taken for V1's.
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseProxyAddress } from "../../../lib/config/config.ts";
import type { HttpProxy } from "../../../lib/ports.ts";
import { createConnectionPool } from "../../../lib/probe/http/attempt.ts";
import { type ExchangeRequest, exchange } from "../../../lib/probe/http/exchange.ts";
import { proxyFor } from "../../../lib/probe/http/proxy.ts";
import { fc } from "../../random.ts";
import { say, startConnectProxy, tunnelTo } from "./connect-proxy.ts";
import { certificate, respond, serve } from "./hostile-server.ts";

const sentinelKey = "sentinel-key-7c1f";
/** The name of a certificate of the test authority. No resolver knows it. */
const v1Host = "other.example";

const through = (address: string, noProxy = ""): HttpProxy => ({
  readAddress: async () => ({ kind: "key", key: address }),
  noProxy,
});

const send = (proxy: HttpProxy | string, more: Partial<ExchangeRequest> = {}) =>
  exchange({
    url: new URL(`https://${v1Host}/api/v1/passports`),
    deadlineMs: 20_000,
    maxBodyBytes: 2 ** 20,
    allowLoopback: false,
    apiKey: sentinelKey,
    proxy: typeof proxy === "string" ? through(proxy) : proxy,
    ...more,
  });

const portOf = ({ url }: { url: URL }) => Number(url.port);
const startV1 = (certificateName?: string) => serve(respond("200 OK", "{}"), certificateName);

const trusted = tls.getCACertificates("default");
beforeAll(() => tls.setDefaultCACertificates([...trusted, certificate("authority")]));
afterAll(() => tls.setDefaultCACertificates(trusted));

describe("a request through a proxy", () => {
  test("A request through a proxy is the same as without it, and the proxy sees neither key nor path", async () => {
    await using v1 = await startV1("other-host");
    await using proxy = await startConnectProxy({ port: portOf(v1), credentials: "user:p@ss word" });
    const result = await send(`http://user:p%40ss%20word@${proxy.host}`);
    expect(result.outcome).toEqual({ kind: "ok", status: 200 });
    expect(result.tls).toEqual({ expiresAt: "2098-01-01T00:00:00.000Z" });
    // The proxy resolves the name and connects, in one.
    expect(result.timings.dnsMs).toBeUndefined();
    const { tcpMs = -1, tlsMs = -1, firstByteMs = -1 } = result.timings;
    expect(tcpMs).toBeGreaterThan(0);
    expect(tlsMs).toBeGreaterThan(0);
    expect(firstByteMs).toBeGreaterThan(tcpMs);
    const [head = ""] = proxy.heads;
    expect(head).toMatch(/^CONNECT other\.example:443 HTTP\/1\.1\r\nHost: other\.example:443\r\n/);
    expect(head).not.toContain(sentinelKey);
    expect(head).not.toContain("passports");
    const [direct, ...others] = await sendDirectly();
    expect(others).toEqual([]);
    expect(v1.requests).toEqual([direct]);
    expect(v1.requests.join()).not.toContain("Proxy-");
  });

  async function sendDirectly() {
    await using v1 = await startV1("valid");
    v1.url.hostname = "localhost";
    await send(through("http://127.0.0.1:1"), { url: v1.url, allowLoopback: true });
    return v1.requests.map((head) => head.replace(/Host: \S+/, `Host: ${v1Host}`));
  }

  test("A request through a proxy that speaks TLS is sent where its certificate is trusted", async () => {
    await using v1 = await startV1("other-host");
    await using proxy = await startConnectProxy({ port: portOf(v1), certificateName: "valid" });
    expect((await send(proxy.address)).outcome.kind).toBe("ok");
    await using other = await startConnectProxy({ port: portOf(v1), certificateName: "self-signed" });
    expect((await send(other.address)).outcome).toEqual({ kind: "refused", detail: "proxy-unreachable" });
    expect(v1.requests).toHaveLength(1);
  });

  test("A request through a proxy checks V1's certificate, and keeps the expiry of one that is refused", async () => {
    await using v1 = await startV1("expired");
    await using proxy = await startConnectProxy({ port: portOf(v1) });
    const result = await send(proxy.address, { retry: false });
    expect(result.outcome).toEqual({ kind: "network", detail: "tls-expired" });
    expect(result.tls).toEqual({ expiresAt: "2021-01-01T00:00:00.000Z" });
    expect(v1.requests).toEqual([]);
  });

  test("A request through a proxy goes to an http address too", async () => {
    await using v1 = await startV1();
    await using proxy = await startConnectProxy({ port: portOf(v1) });
    const result = await send(proxy.address, { url: new URL(`http://${v1Host}:8080/api/v1/passports`) });
    expect(result.outcome.kind).toBe("ok");
    expect(proxy.heads[0]).toMatch(/^CONNECT other\.example:8080 /);
  });

  test("A request through a proxy refuses a forbidden literal address before the proxy is asked", async () => {
    await using proxy = await startConnectProxy({});
    for (const host of ["169.254.169.254", "10.0.0.1", "127.0.0.1", "[::1]", "v1.localhost"]) {
      const { outcome } = await send(proxy.address, { url: new URL(`https://${host}/`) });
      expect(outcome, host).toEqual({ kind: "refused", detail: "address" });
    }
    expect(proxy.heads).toEqual([]);
  });

  test("Requests through a proxy keep their connection where connections are kept", async () => {
    await using v1 = await serve(
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
      "other-host",
    );
    await using proxy = await startConnectProxy({ port: portOf(v1) });
    const connections = createConnectionPool(2);
    for (let turn = 0; turn < 3; turn++)
      expect((await send(proxy.address, { connections })).outcome.kind).toBe("ok");
    expect(proxy.heads).toHaveLength(1);
    // What is reached without the proxy never gets such a connection.
    const policy = { allowLoopback: false };
    const agents = [undefined, through(proxy.address)].map((way) =>
      connections.agentFor("https:", policy, way),
    );
    expect(agents[0]).not.toBe(agents[1]);
    connections.close();
  });
});

describe("a fault of the proxy", () => {
  const notSent = (cause: string) => ({ kind: "refused", detail: `proxy-${cause}` });
  const failed = (cause: string) => ({ kind: "network", detail: `proxy-${cause}` });

  test.each([
    ["that refuses", say("403 Forbidden"), notSent("refused")],
    ["that knows no CONNECT", say("405 Method Not Allowed"), notSent("refused")],
    ["that redirects", say("302 Found\r\nLocation: http://login.example/"), notSent("refused")],
    ["that fails", say("500 Unable to connect"), notSent("failed")],
    ["that wants credentials", say("407 Denied"), notSent("407")],
    ["that cannot connect to V1", say("502 Bad Gateway"), failed("502")],
    ["that is unavailable, or finds V1 so", say("503 Service Unavailable"), failed("503")],
    ["that V1 does not answer", say("504 Gateway Timeout"), failed("504")],
    ["that speaks no HTTP", (client) => client.end("SSH-2.0-OpenSSH_9.2\r\n"), notSent("protocol")],
    ["whose answer has no end", (client) => client.end("HTTP/1.1 200"), notSent("closed")],
    ["that closes", (client) => client.end(), notSent("closed")],
    ["that resets", (client) => client.resetAndDestroy(), notSent("closed")],
    [
      "whose answer is too long",
      (client) => client.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}`),
      notSent("protocol"),
    ],
  ] satisfies [string, Parameters<typeof startConnectProxy>[0]["answer"], object][])(
    "A fault of the proxy %s is an outcome of its own, and the request is counted only where the proxy tried V1",
    async (_which, answer, outcome) => {
      await using proxy = await startConnectProxy({ answer });
      const result = await send(proxy.address, { retryPauseMs: 0 });
      expect(result.outcome).toEqual(outcome);
      expect(result.attempts).toHaveLength(outcome.kind === "network" ? 2 : 0);
      expect(result.status).toBeUndefined();
      expect(JSON.stringify(result)).not.toMatch(/127\.0\.0\.1|Unable|SSH|login/);
    },
  );

  test("A fault of the proxy that is down, has no name in DNS, or is a metadata service is that it cannot be reached", async () => {
    const proxy = await startConnectProxy({});
    await proxy.close();
    for (const address of [
      proxy.address,
      `http://${"a".repeat(70)}.invalid:3128`,
      "http://169.254.169.254:80",
    ])
      expect((await send(address)).outcome, address).toEqual(notSent("unreachable"));
  });

  test("A fault of the proxy with credentials that are missing or wrong is 407", async () => {
    await using v1 = await startV1("other-host");
    await using proxy = await startConnectProxy({ port: portOf(v1), credentials: "user:right" });
    for (const login of ["", "user:wrong@", "user@", ":right@"])
      expect((await send(`http://${login}${proxy.host}`)).outcome, login).toEqual(notSent("407"));
    expect((await send(`http://user:right@${proxy.host}`)).outcome.kind).toBe("ok");
  });

  test.each([
    "",
    "proxy.example.com:3128",
    "socks5://127.0.0.1:1080",
    "http://proxy/path",
    "http://a%zz@proxy",
  ])("A fault of the proxy's address %j is that there is none, and it is not repeated", async (address) => {
    expect(parseProxyAddress(address)).toBeUndefined();
    expect((await send(address)).outcome).toEqual(notSent("address"));
  });

  test("A fault of the source of the proxy's address is that there is none", async () => {
    const unread: HttpProxy = { readAddress: async () => ({ kind: "no-secret" }), noProxy: "" };
    expect((await send(unread)).outcome).toEqual(notSent("address"));
  });

  test("A fault of a proxy that never answers is that it is slow, within the one deadline, and leaves no connection", async () => {
    await using proxy = await startConnectProxy({ answer: () => {} });
    const connections = createConnectionPool(1);
    for (const kept of [undefined, connections]) {
      const result = await send(proxy.address, { deadlineMs: 300, connections: kept });
      expect(result.outcome).toEqual(notSent("slow"));
      expect(result.attempts).toEqual([]);
    }
    connections.close();
    while (proxy.open() > 0) await sleep(5);
  });

  test("A fault of a proxy that answers late counts in the deadline of the request", async () => {
    await using v1 = await serve(() => {}, "other-host");
    await using proxy = await startConnectProxy({ port: portOf(v1) });
    const { options } = proxy;
    const tunnel = tunnelTo(portOf(v1));
    options.answer = (client) => setTimeout(() => tunnel(client, ""), 300).unref();
    const result = await send(proxy.address, { deadlineMs: 1_500 });
    expect(result.outcome).toEqual({ kind: "timeout", detail: "headers" });
    expect(result.timings.tcpMs).toBeGreaterThan(250);
  });

  test("A connection that is cut inside of the tunnel is V1's, as far as anyone can tell", async () => {
    await using proxy = await startConnectProxy({
      answer(client) {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.once("data", () => client.destroy());
      },
    });
    expect((await send(proxy.address, { retry: false })).outcome).toEqual({
      kind: "network",
      detail: "closed",
    });
  });

  test("A proxy that sends anything at all gives an outcome and no exception", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${bytes}`)),
          fc.integer({ min: 0, max: 1_000 }).map((status) => Buffer.from(`HTTP/1.1 ${status} x\r\n\r\n`)),
        ),
        async (bytes) => {
          await using proxy = await startConnectProxy({ answer: (client) => client.end(bytes) });
          const { outcome } = await send(proxy.address, { retry: false });
          expect(["refused", "network"]).toContain(outcome.kind);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("what is reached without the proxy", () => {
  const isThrough = (url: string, noProxy: string) =>
    proxyFor(through("http://proxy", noProxy), new URL(url)) !== undefined;

  test.each([
    "http://localhost:4181",
    "http://v1.localhost",
    "http://127.0.0.1:80",
    "http://127.9.9.9",
    "https://[::1]/",
    "https://localhost./",
  ])("This machine is reached without the proxy: %s", (url) => {
    expect(isThrough(url, "")).toBe(false);
  });

  test.each([
    ["*", "https://v1.example.com", false],
    ["v1.example.com", "https://V1.example.com.", false],
    ["example.com", "https://v1.example.com", false],
    [".example.com", "https://v1.example.com", false],
    ["*.example.com", "https://v1.example.com", false],
    ["other.com, EXAMPLE.com", "https://v1.example.com", false],
    ["example.com:443", "https://example.com", false],
    ["example.com:8443", "https://example.com", true],
    ["ample.com", "https://example.com", true],
    ["", "https://example.com", true],
    [",", "https://example.com", true],
    ["10.0.0.0/8", "https://10.1.2.3", false],
    ["10.0.0.0/8", "https://11.1.2.3", true],
    ["10.1.2.3", "https://10.1.2.3", false],
    ["fd00::/8", "https://[fd12::1]", false],
    ["fd12::1", "https://[fd12::1]", false],
    ["10.0.0.0/8", "https://ten.example.com", true],
  ])("What NO_PROXY %j says of %s is kept", (noProxy, url, expected) => {
    expect(isThrough(url, noProxy)).toBe(expected);
  });
});

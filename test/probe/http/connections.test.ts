// One request on its connection: what is sent, what is accepted at the limits, and what is left open afterwards.
import { getEventListeners, once } from "node:events";
import type net from "node:net";
import { describe, expect, test } from "vitest";
import { createConnectionPool } from "../../../lib/probe/http/attempt.ts";
import { type ExchangeRequest, exchange } from "../../../lib/probe/http/exchange.ts";
import { connectionAttempts } from "../../loopback-guard.ts";
import { type Responder, respond, sendBytes, serve } from "./hostile-server.ts";

const send = (url: URL, more: Partial<ExchangeRequest> = {}) =>
  exchange({
    url,
    deadlineMs: 20_000,
    maxBodyBytes: 2 ** 20,
    allowLoopback: true,
    ...more,
  });

async function sendOnce(responder: Responder, more: Partial<ExchangeRequest> = {}) {
  await using server = await serve(responder);
  const result = await send(server.url, { retry: false, ...more });
  return { ...result, requests: server.requests };
}

test("A request has its host, what it accepts, its own headers and then the key, in this order", async () => {
  await using server = await serve(respond("200 OK", "{}"));
  await send(server.url, { apiKey: "k", headers: ["X-Clock", "7"] });
  const lines = server.requests[0]?.trim().split("\r\n") ?? [];
  expect(lines.map((line) => line.replace(/\/\d+\.\d+\.\d+ .*/, "/version"))).toEqual([
    "GET /api/v1/passports HTTP/1.1",
    `Host: ${server.url.host}`,
    "Accept: application/json",
    "Accept-Encoding: gzip",
    "User-Agent: v1watch/version",
    "X-Clock: 7",
    "X-API-KEY: k",
    "Connection: close",
  ]);
});

describe("a response is accepted", () => {
  const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1`);

  test("A response is accepted with up to 200 headers", async () => {
    const exact = await sendOnce(respond("200 OK", "{}", headers(199)));
    expect(exact.outcome.kind).toBe("ok");
    expect(Object.keys(exact.headers)).toHaveLength(200);
    const over = await sendOnce(respond("200 OK", "{}", headers(200)));
    expect(over.outcome).toEqual({ kind: "too-large", status: 200, detail: "headers" });
    expect(over.headers).toEqual({});
    // An error status is not hidden by too many headers.
    expect((await sendOnce(respond("503 Busy", "{}", headers(200)))).outcome).toEqual({
      kind: "status",
      status: 503,
    });
  });

  test("A response is accepted after up to eight informational ones", async () => {
    const hinted = (count: number) =>
      sendOnce(
        sendBytes(
          `${"HTTP/1.1 103 Hints\r\n\r\n".repeat(count)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`,
        ),
      );
    expect((await hinted(8)).outcome).toEqual({ kind: "ok", status: 200 });
    expect((await hinted(9)).outcome).toMatchObject({ kind: "network", detail: "protocol" });
  });

  test("A response is accepted with a content length of exactly the limit", async () => {
    const limits = { maxBodyBytes: 10 };
    expect((await sendOnce(respond("200 OK", "x".repeat(10)), limits)).outcome.kind).toBe("ok");
    const over = await sendOnce(respond("200 OK", "x".repeat(11)), limits);
    expect(over.outcome).toMatchObject({ kind: "too-large", detail: "wire" });
    // It is refused by its announcement, before a byte of it was read.
    expect(over.bytes).toEqual({ wire: 0, body: 0 });
  });

  test("A response is accepted with an encoding in any letter case and with spaces around it", async () => {
    expect((await sendOnce(respond("200 OK", "{}", ["Content-Encoding:   IDENTITY  "]))).outcome.kind).toBe(
      "ok",
    );
  });
});

describe("the body of an error", () => {
  test("The body of an error beyond 65,536 bytes, or beyond a smaller limit, is dropped, and its status stays", async () => {
    const exact = await sendOnce(respond("503 Busy", "x".repeat(65_536)));
    expect(exact.body?.length).toBe(65_536);
    const large = await sendOnce(respond("503 Busy", "x".repeat(65_537)));
    expect(large).toMatchObject({ outcome: { kind: "status", status: 503 }, body: null });
    const small = await sendOnce(respond("503 Busy", "x".repeat(101)), { maxBodyBytes: 100 });
    expect(small).toMatchObject({ outcome: { kind: "status", status: 503 }, body: null });
  });
});

test("A request that is refused has no timings, sizes, headers or body", async () => {
  expect(await send(new URL("ftp://example.com/"))).toEqual({
    outcome: { kind: "refused", detail: "scheme" },
    attempts: [],
    timings: { totalMs: 0 },
    bytes: { wire: 0, body: 0 },
    tls: null,
    headers: {},
    body: null,
  });
});

describe("after the exchange", () => {
  test("After the exchange the connection is closed, whether the response was complete, too late or too large", async () => {
    const closings: Promise<unknown>[] = [];
    const watch =
      (responder: Responder): Responder =>
      (socket: net.Socket, head, number) => {
        closings.push(once(socket, "close"));
        responder(socket, head, number);
      };
    const keepOpen: Responder = (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    const never: Responder = () => {};
    const endless: Responder = (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(200)}`);
    const outcomes: string[] = [];
    for (const responder of [keepOpen, never, endless]) {
      await using server = await serve(watch(responder));
      const deadlineMs = responder === never ? 300 : 20_000;
      const { outcome } = await send(server.url, { deadlineMs, maxBodyBytes: 100, retry: false });
      outcomes.push(outcome.kind);
      await closings.at(-1);
    }
    expect(outcomes).toEqual(["ok", "timeout", "too-large"]);
  });

  test("After the exchange the signal of the caller has no listener left", async () => {
    const { signal } = new AbortController();
    expect((await sendOnce(respond("200 OK", "{}"), { signal })).outcome.kind).toBe("ok");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("After the exchange a pool keeps the connection of a complete response, and ends it when it is closed", async () => {
    const closed: Promise<unknown>[] = [];
    await using server = await serve((socket, _head, number) => {
      if (number === 1) closed.push(once(socket, "close"));
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    });
    const connections = createConnectionPool(1);
    const agent = connections.agentFor("http:", { allowLoopback: true });
    const both = await Promise.all([1, 2].map(() => send(server.url, { connections })));
    expect(both.map(({ outcome }) => outcome.kind)).toEqual(["ok", "ok"]);
    expect(server.connections()).toBe(1);
    expect(server.requests[0]).toContain("Connection: keep-alive");
    connections.close();
    await closed[0];
    expect(connections.agentFor("http:", { allowLoopback: true })).not.toBe(agent);
    connections.close();
  });
});

test("The port is that of the URL, or the usual one of its scheme", async () => {
  const before = connectionAttempts.length;
  for (const url of ["http://8.8.8.8/", "https://8.8.8.8/", "https://8.8.8.8:8443/", "http://8.8.8.8:443/"])
    await send(new URL(url), { retry: false });
  // The guard of the tests refuses each before a socket is opened.
  const ports = ["8.8.8.8:80", "8.8.8.8:443", "8.8.8.8:8443", "8.8.8.8:443"];
  expect(connectionAttempts.slice(before)).toEqual(ports);
});

test("A request without a response has no status, and a fault of its body in a pool ends the connection", async () => {
  await using server = await serve((socket) => {
    closed.push(once(socket, "close"));
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}");
  });
  const closed: Promise<unknown>[] = [];
  const connections = createConnectionPool(1);
  const late = await send(server.url, { connections, deadlineMs: 300 });
  expect(late.outcome).toEqual({ kind: "timeout", status: 200, detail: "body" });
  await closed[0];
  connections.close();
  const none = await sendOnce((socket) => socket.destroy());
  expect(none.outcome).toStrictEqual({ kind: "network", detail: "closed" });
  expect(none.status).toBeUndefined();
});

describe("a second attempt", () => {
  const drop: Responder = (socket) => socket.destroy();

  test("A second attempt comes after a pause that is shorter than what is left of the deadline", async () => {
    await using server = await serve(drop);
    const quick = await send(server.url, { retryPauseMs: 0, deadlineMs: 20_000 });
    expect(quick.attempts).toHaveLength(2);
    const none = await send(server.url, { retryPauseMs: 2_000, deadlineMs: 2_000 });
    expect(none.attempts).toHaveLength(1);
  });

  test("A second attempt is left out after a stop in the pause, and the first one is still known", async () => {
    const stop = new AbortController();
    await using server = await serve((socket) => {
      socket.destroy();
      stop.abort();
    });
    const result = await send(server.url, { signal: stop.signal });
    expect(result.outcome).toEqual({ kind: "refused", detail: "stopped" });
    expect(server.requests).toHaveLength(1);
  });
});

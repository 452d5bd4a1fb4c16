// How many requests may leave, from where they are counted, and what one request returns.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../lib/parity/limits.ts";
import { createParityClient, type ParityClientOptions } from "../../lib/parity/request.ts";
import { limitedBudget, type RequestBudget, unlimitedBudget } from "../../lib/parity/request-budget.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import { type Responder, respond, serve } from "../probe/http/hostile-server.ts";

test("A semaphore serves those that wait in their order", async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  const enter = async (number: number) => {
    await semaphore.acquire();
    order.push(number);
  };
  await Promise.all([enter(1), enter(2)]);
  const waiting = [enter(3), enter(4)];
  await sleep(1);
  expect(order).toEqual([1, 2]);
  semaphore.release();
  await waiting[0];
  expect(order).toEqual([1, 2, 3]);
  semaphore.release();
  await waiting[1];
  for (let release = 0; release < 2; release++) semaphore.release();
  await Promise.all([enter(5), enter(6)]);
  expect(order).toEqual([1, 2, 3, 4, 5, 6]);
});

describe("the budget of a run", () => {
  function record(grant = (wanted: number) => wanted) {
    const asked: [number, number | undefined][] = [];
    const released: number[] = [];
    const budget: RequestBudget = {
      async reserve(wanted, unit) {
        asked.push([wanted, unit]);
        const requests = grant(wanted);
        return {
          requests,
          ...(requests < wanted && { limitedBy: "watch" as const }),
          release: async (unused) => void released.push(unused),
        };
      },
    };
    return { asked, released, budget };
  }

  test("The budget of a run is not limited unless a limit is given", async () => {
    const reservation = await unlimitedBudget.reserve(1e9);
    expect(reservation).toMatchObject({ requests: 1e9 });
    await reservation.release(1);
  });

  test("The budget of a run reserves whole units up to its limit, and again what was released", async () => {
    const { asked, released, budget } = record();
    const limited = limitedBudget(10, budget);
    const first = await limited.reserve(4, 4);
    expect([first.requests, first.limitedBy]).toEqual([4, undefined]);
    const second = await limited.reserve(8, 4);
    expect([second.requests, second.limitedBy]).toEqual([4, "requests"]);
    const none = await limited.reserve(4, 4);
    expect([none.requests, none.limitedBy]).toEqual([0, "requests"]);
    await none.release(0);
    await first.release(3);
    expect((await limited.reserve(9)).requests).toBe(5);
    expect(asked).toEqual([
      [4, 4],
      [4, 4],
      [5, 1],
    ]);
    expect(released).toEqual([3]);
  });

  test("The budget of a run keeps what the other budget did not grant", async () => {
    const { budget } = record((wanted) => Math.min(wanted, 3));
    const limited = limitedBudget(5, budget);
    const first = await limited.reserve(5);
    expect([first.requests, first.limitedBy]).toEqual([3, "watch"]);
    expect((await limited.reserve(5)).requests).toBe(2);
    expect((await limited.reserve(1)).requests).toBe(0);
  });

  test("The budget of a run grants no request twice to two reservations at once", async () => {
    const limited = limitedBudget(5);
    const both = await Promise.all([limited.reserve(4), limited.reserve(4)]);
    expect(both.map(({ requests }) => requests)).toEqual([4, 1]);
  });
});

describe("a rate limiter", () => {
  test("A rate limiter limits each origin for itself", async () => {
    const limiter = createRateLimiter(1);
    const release = await limiter.acquire("http://a", undefined);
    await limiter.acquire("http://b", undefined);
    const order: string[] = [];
    const waiting = limiter.acquire("http://a", undefined).then(() => order.push("a"));
    await sleep(1);
    expect(order).toEqual([]);
    release();
    await waiting;
    expect(order).toEqual(["a"]);
  });

  test("A rate limiter ends its waits when it is aborted, and a shorter pause changes nothing", async () => {
    const limiter = createRateLimiter(2);
    limiter.pauseFor("http://a", 3_600_000);
    limiter.pauseFor("http://a", 1);
    const controller = new AbortController();
    let isDone = false;
    const waiting = limiter.acquire("http://a", undefined, controller.signal).then(() => {
      isDone = true;
    });
    await sleep(5);
    expect(isDone).toBe(false);
    controller.abort();
    await waiting;
    await limiter.acquire("http://a", { requests: 1, windowMs: 3_600_000 }, controller.signal);
  });
});

describe("one request of a comparison", () => {
  const limits = { deadlineMs: 2_000, maxBodyBytes: 2 ** 16, allowLoopback: true };

  async function fetchOnce(responder: Responder, more: Partial<ParityClientOptions> = {}, path = "/p?a=1") {
    await using server = await serve(responder);
    const baseUrl = `${server.url.origin}/base//`;
    const client = createParityClient({
      v1: { baseUrl: "http://127.0.0.1:1" },
      v2: { baseUrl, apiKey: "key-of-v2" },
      concurrency: 2,
      ...limits,
      ...more,
    });
    const result = await client.fetchBody("v2", path);
    client.close();
    return { result, requests: server.requests };
  }

  test("One request of a comparison goes to its path below the base URL, with the key of its version", async () => {
    const { result, requests } = await fetchOnce(respond("200 OK", '{"a":1}'));
    expect(result).toEqual({ kind: "ok", body: { a: 1 } });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(/^GET \/base\/p\?a=1 HTTP\/1\.1\r\n/);
    expect(requests[0]).toMatch(/key-of-v2/);
  });

  test.each<[string, string[], object]>([
    ["404 Not Found", [], { kind: "absent" }],
    ["500 Internal Server Error", [], { kind: "failed", why: "500" }],
    ["429 Too Many Requests", ["Retry-After: 0"], { kind: "failed", why: "429" }],
    ["503 No", ["Retry-After: 3600"], { kind: "failed", why: "503" }],
    ["503 No", ["Retry-After: in 5"], { kind: "failed", why: "503" }],
  ])("A request that gets %s with the headers %j is sent once", async (status, headers, expected) => {
    const { result, requests } = await fetchOnce(respond(status, "{}", headers));
    expect(result).toEqual(expected);
    expect(requests).toHaveLength(1);
  });

  test("One request of a comparison names why there is no response", async () => {
    const { result } = await fetchOnce((socket) => void socket.destroy());
    expect(result).toMatchObject({ kind: "failed", why: expect.stringMatching(/^[a-z-]+$/) });
    const hanging = await fetchOnce(() => {}, { deadlineMs: 30 });
    expect(hanging.result).toEqual({ kind: "failed", why: "timeout" });
    const large = await fetchOnce(respond("200 OK", `"${"x".repeat(200)}"`), { maxBodyBytes: 100 });
    expect(large.result).toMatchObject({ kind: "failed" });
  });

  test("One request of a comparison waits for its slot first, and is not sent after the run was stopped", async () => {
    const order: string[] = [];
    await using server = await serve((socket, request, number) => {
      order.push("sent");
      respond("200 OK", "{}", ["Connection: close"])(socket, request, number);
    });
    const signal = new AbortController().signal;
    const acquireSlot = async (given?: AbortSignal) => void order.push(given === signal ? "slot" : "other");
    const baseUrl = server.url.origin;
    const target = { v1: { baseUrl, acquireSlot }, v2: { baseUrl } };
    const client = createParityClient({ ...target, concurrency: 1, ...limits, signal });
    await client.fetchBody("v1", "/");
    // A slot that was not released would make this one wait for ever.
    expect(await client.fetchBody("v2", "/")).toMatchObject({ kind: "ok" });
    expect(order).toEqual(["slot", "sent", "sent"]);
    client.close();
    const stopped = createParityClient({ ...target, concurrency: 1, ...limits, signal: AbortSignal.abort() });
    expect((await stopped.fetchBody("v2", "/")).kind).toBe("failed");
    expect(order).toHaveLength(3);
    stopped.close();
  });
});

// v1watch replay: against a small server on this machine that reads the virtual clock, and against scenarios.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { alert as alertSchema } from "../../lib/records/alert.ts";
import { createBodies } from "../../lib/simulator/bodies.ts";
import { createPopulation } from "../../lib/simulator/population.ts";
import { parseTarget } from "../../lib/simulator/respond.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const bodies = createBodies(createPopulation({ seed: 1, size: 60 }), "documented");
const startMs = Date.parse("2026-03-02T00:00:00Z");
const hourMs = 3_600_000;

type Reply = { status?: number; headers?: Record<string, string> };
type Seen = { atMs: number; key: string | undefined; path: string; port: number };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** V1 as documented, but for what `reply` says of an instant. */
async function serve(reply: (atMs: number, request: IncomingMessage) => Reply = () => ({})) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const atMs = Date.parse(String(request.headers["x-v1watch-clock"]));
    const key = request.headers["x-api-key"];
    seen.push({
      atMs,
      key: key && String(key),
      path: request.url ?? "",
      port: request.socket.remotePort ?? 0,
    });
    const target = parseTarget(request.url ?? "");
    const body = target && bodies[target.endpoint](target, { now: atMs });
    const { status = body ? 200 : 404, headers = {} } = reply(atMs, request);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(status === 200 ? body : { error: "no" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const env = { V1WATCH_API_KEY: "sentinel-key-3f2a" };
const against = (url: string, ...more: string[]) => run(["replay", "--base-url", url, ...more], { env });

type Line = {
  type: string;
  at?: string;
  alert?: unknown;
  checks?: number;
  messages?: number;
  pages?: number;
};
const linesOf = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

describe("v1watch replay against a server on this machine", () => {
  test("v1watch replay against a server on this machine requests every slot of the virtual day with the virtual instant and the configured key", async () => {
    const { url, seen } = await serve();
    const { code, out, err } = await against(url, "--days", "1", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(seen.every(({ atMs }, index) => atMs >= (seen[index - 1]?.atMs ?? startMs))).toBe(true);
    expect(seen.at(-1)?.atMs).toBe(startMs + 24 * hourMs - 12 * 60_000);
    const keyed = seen.filter(({ key }) => key === env.V1WATCH_API_KEY);
    expect(keyed.length).toBeGreaterThanOrEqual(120);
    // Connections are kept.
    expect(new Set(seen.map(({ port }) => port)).size).toBeLessThanOrEqual(3);
    const lines = linesOf(out);
    const summary = lines.at(-1);
    expect(summary).toEqual({ type: "summary", checks: seen.length, messages: lines.length - 1, pages: 0 });
    expect(out).not.toContain(env.V1WATCH_API_KEY);
  });

  test("v1watch replay against a server on this machine prints each message as a line with its virtual time, and counts the pages", async () => {
    const downMs = startMs + 6 * hourMs;
    const { url } = await serve((atMs) => (atMs >= downMs ? { status: 503 } : {}));
    const { out } = await against(url, "--days", "1", "--json");
    const messages = linesOf(out).filter(({ type }) => type === "message");
    for (const { alert } of messages) expect(alertSchema.safeParse(alert).error).toBeUndefined();
    const [page] = messages.filter(({ alert }) => alertSchema.parse(alert).severity === "page");
    const afterMs = Date.parse(page?.at ?? "") - downMs;
    expect(afterMs).toBeGreaterThan(0);
    expect(afterMs).toBeLessThanOrEqual(18 * 60_000);
    expect(linesOf(out).at(-1)?.pages).toBeGreaterThanOrEqual(1);
  });

  test("v1watch replay against a server on this machine counts X-V1watch-Latency as the duration, and what exceeds the deadline as a timeout, whatever the server's Date header says", async () => {
    const slowMs = Date.parse("2025-06-01T06:00:00Z");
    const { url } = await serve((atMs) => ({
      headers: { "X-V1watch-Latency": atMs >= slowMs ? "15000" : "80" },
    }));
    const { out } = await against(url, "--days", "1", "--start", "2025-06-01");
    expect(out).toMatch(/^2025-06-01 \d\d:\d\d {2}PAGE: V1 is down on all 3 endpoints \(timeout/m);
    expect(out).not.toMatch(/clock/i);
    expect(out).toMatch(/^1 days in [\d.]+ s: \d+ checks, \d messages?, 1 page\.$/m);
    expect(out).toMatch(/^Requests: 2025-06 \d+\.$/m);
  });

  test("v1watch replay --start takes a minute in UTC, at which the first check is made", async () => {
    const instants: number[] = [];
    const { url } = await serve((atMs) => {
      instants.push(atMs);
      return {};
    });
    await against(url, "--days", "1", "--start", "2025-06-01T09:30Z");
    expect(new Date(Math.min(...instants)).toISOString()).toMatch(/^2025-06-01T09:3/);
  });

  test("v1watch replay against a server on this machine is no success where no request got a response", async () => {
    const printed = await against("http://127.0.0.1:1", "--days", "1");
    expect(printed.code).toBe(2);
    expect(printed.err).toMatch(/^v1watch: nothing was played: none of \d+ checks got a response from http/);
  });

  test.each(["https://api.example.com", "http://10.0.0.1:80", "http://127.0.0.1.example.com", "V1"])(
    "v1watch replay against a server on this machine refuses %s in one clear line, before anything is sent",
    async (url) => {
      const printed = await against(url);
      expect(printed.code).toBe(2);
      expect(isSingleErrorLine(printed)).toBe(true);
      expect(printed.err).toContain("a server on this machine");
    },
  );
});

describe("v1watch replay of a scenario", () => {
  test("v1watch replay of a scenario prints how soon each fault was reported within 80 columns, against the scenario's truth", async () => {
    const { code, out } = await run(["replay", "key-revoked", "--days", "2"], {
      columns: 80,
      env: { NO_COLOR: "1" },
    });
    expect(code).toBe(0);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^ {2}in time +key-refused +reported after \d+ min \(limit 1 h 30 min\)$/m);
  });

  test.each([
    ["no target", []],
    ["two targets", ["healthy", "--all"]],
    ["an unknown scenario", ["heathy"]],
    ["a start that is no date", ["healthy", "--start", "yesterday"]],
    ["no whole number of days", ["healthy", "--days", "0.5"]],
  ])("v1watch replay of a scenario refuses %s in one clear line", async (_name, args) => {
    const printed = await run(["replay", ...args]);
    expect(printed.code).toBe(2);
    expect(isSingleErrorLine(printed)).toBe(true);
  });
});

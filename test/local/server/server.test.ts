// Security of the web server: Host check, token, origin check, and security headers.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../lib/local/server/api.ts";
import { simulatorKey } from "../../../lib/local/simulation.ts";
import { fc } from "../../random.ts";
import { type Rig, startRig } from "../monitor-rig.ts";

const token = "a-token-for-the-tests";
let rig: Rig;

beforeAll(async () => {
  rig = await startRig({ token, scenario: "realistic", allowHosts: ["watch.example.com"] });
  await rig.monitor.once();
});
afterAll(() => rig.stop());

type HttpResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

function send(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = "GET", headers = {}, body } = options;
  return new Promise<HttpResponse>((resolve, reject) => {
    const outgoing = request(`${rig.url}${path}`, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const json = { "Content-Type": "application/json" };
const withToken = { ...json, Authorization: `Bearer ${token}` };
const inject = JSON.stringify({ kind: "status" });
const injected = () => rig.simulation.read().injected;

describe("the Host header", () => {
  test.each(["localhost:4180", "127.0.0.1", "[::1]:9", "LOCALHOST", "watch.example.com:80"])(
    "The Host header %s is accepted",
    async (host) => {
      expect((await send("/healthz", { headers: { Host: host } })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:4180",
    "evil@127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
  ])("The Host header %s is rejected on every path", async (host) => {
    for (const path of ["/", "/api/summary", "/api/events", "/metrics", "/healthz"])
      expect((await send(path, { headers: { Host: host } })).status, path).toBe(421);
  });
});

describe("a request that changes state", () => {
  const post = (headers: Record<string, string>) =>
    send("/api/simulation/inject", { method: "POST", headers, body: inject });

  test.each([
    ["a missing token", json, 401],
    ["a wrong token", { ...json, Authorization: "Bearer a-token-for-the-test" }, 401],
    ["a token without the Bearer scheme", { ...json, Authorization: token }, 401],
    ["another Origin, even with the token", { ...withToken, Origin: "https://evil.example" }, 403],
    [
      "Sec-Fetch-Site: cross-site, even with the token",
      { ...withToken, "Sec-Fetch-Site": "cross-site" },
      403,
    ],
    ["the content type of a form", { Authorization: `Bearer ${token}`, "Content-Type": "text/plain" }, 415],
  ] as const)("A request that changes state is rejected with %s", async (_name, headers, status) => {
    expect((await post(headers)).status).toBe(status);
    expect(injected()).toEqual([]);
  });

  test("A request that changes state is rejected with the method GET on every path", async () => {
    const posts = Object.entries(routes).filter(([, { method }]) => method === "POST");
    expect(posts).toHaveLength(4);
    for (const [path] of posts) expect((await send(path, { headers: withToken })).status).toBe(405);
    expect(injected()).toEqual([]);
  });

  test("A request that changes state is rejected with a method that the path does not support", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
      expect((await send("/api/summary", { method, headers: withToken })).status, method).toBe(405);
  });

  test("A request that changes state is rejected with an invalid or too large body, or an unknown effect", async () => {
    for (const [body, status] of [
      ["", 400],
      ["{", 400],
      [`{"kind":"${"x".repeat(9_000)}"}`, 400],
      ['{"kind":"status","more":1}', 400],
      ['{"kind":"__proto__"}', 409],
      ['{"kind":"no-such"}', 409],
      ['{"kind":"unsorted","endpoint":"passport"}', 409],
    ] as const)
      expect(
        (await send("/api/simulation/inject", { method: "POST", headers: withToken, body })).status,
        body.slice(0, 30),
      ).toBe(status);
    expect(injected()).toEqual([]);
  });

  test("A request that changes state is accepted with the token", async () => {
    expect((await post(withToken)).status).toBe(200);
    expect(injected()).toEqual(["status"]);
    expect(
      (await send("/api/simulation/clear", { method: "POST", headers: withToken, body: "{}" })).status,
    ).toBe(200);
    expect(injected()).toEqual([]);
  });
});

describe("every response", () => {
  test("Every response has a strict content security policy, no CORS headers and nosniff", async () => {
    for (const path of ["/", "/checks", "/uplot.js", "/api/summary", "/no-such", "/metrics", "/badge.svg"]) {
      const { headers } = await send(path);
      const policy = String(headers["content-security-policy"]);
      expect(policy, path).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
  });

  test("Every response has an expected status for any path and query", async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.webQueryParameters(), async (path, query) => {
        const { status } = await send(`/${path}?${query}`);
        expect([200, 400, 404, 405]).toContain(status);
      }),
      { numRuns: 60 },
    );
    expect((await send("/..%2f..%2fpackage.json")).status).toBe(404);
    expect((await send("/__proto__")).status).toBe(404);
    expect((await send("/constructor")).status).toBe(404);
  });

  test("Every response contains neither the API key nor the token", async () => {
    const observations = rig.store.history.observationRows({ limit: 5 });
    const paths = [
      ...Object.keys(routes).filter((path) => routes[path]?.method === "GET"),
      ...["/", "/metrics", "/healthz", "/badge.svg", "/api/openapi.json"],
      ...observations.map(({ id }) => `/api/observation?id=${encodeURIComponent(id)}`),
    ];
    for (const path of paths) {
      const { body } = await send(path);
      expect(body, path).not.toContain(simulatorKey);
      expect(body, path).not.toContain(token);
    }
  });

  test("Every response is compressed for clients that accept gzip, and 304 for clients that have it cached", async () => {
    const { headers } = await send("/page.css", { headers: { "Accept-Encoding": "gzip" } });
    expect(headers["content-encoding"]).toBe("gzip");
    expect((await send("/page.css", { headers: { "If-None-Match": String(headers.etag) } })).status).toBe(
      304,
    );
  });
});

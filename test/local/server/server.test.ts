// The web server towards strangers: who may ask, what may change, and what a browser may do with the answer.
import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../lib/local/server/api.ts";
import { simulatorKey } from "../../../lib/local/simulation.ts";
import { type Rig, startRig } from "../monitor-rig.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder();
const token = "a-token-of-the-tests";
let rig: Rig;

beforeAll(async () => {
  rig = await startRig(folder, { token, scenario: "realistic", allowHosts: ["watch.example.com"] });
  await rig.monitor.once();
});
afterAll(() => rig.stop());

type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = "GET", headers = {}, body } = options;
  return new Promise<Reply>((resolve, reject) => {
    const asked = request(`${rig.url}${path}`, { method, headers, agent: false }, (response) => {
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
    asked.on("error", reject);
    asked.end(body);
  });
}

const json = { "Content-Type": "application/json" };
const trusted = { ...json, Authorization: `Bearer ${token}` };
const inject = JSON.stringify({ kind: "status" });
const injected = () => rig.simulation.read().injected;

describe("the Host", () => {
  test.each(["localhost:4180", "127.0.0.1", "[::1]:9", "LOCALHOST", "watch.example.com:80"])(
    "%s is known",
    async (host) => {
      expect((await ask("/healthz", { headers: { Host: host } })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:4180",
    "evil@127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
  ])("%s is refused, for every path", async (host) => {
    for (const path of ["/", "/api/summary", "/api/events", "/metrics", "/healthz"])
      expect((await ask(path, { headers: { Host: host } })).status, path).toBe(421);
  });
});

describe("nothing changes", () => {
  const post = (headers: Record<string, string>) =>
    ask("/api/simulation/inject", { method: "POST", headers, body: inject });

  test.each([
    ["without a token", json, 401],
    ["with a wrong token", { ...json, Authorization: "Bearer a-token-of-the-test" }, 401],
    ["with the token in another place", { ...json, Authorization: token }, 401],
    ["from another origin, token or not", { ...trusted, Origin: "https://evil.example" }, 403],
    ["from another site, by the browser's own word", { ...trusted, "Sec-Fetch-Site": "cross-site" }, 403],
    ["by a form", { Authorization: `Bearer ${token}`, "Content-Type": "text/plain" }, 415],
  ] as const)("%s", async (_name, headers, status) => {
    expect((await post(headers)).status).toBe(status);
    expect(injected()).toEqual([]);
  });

  test("by GET, on whatever path", async () => {
    const posts = Object.entries(routes).filter(([, { method }]) => method === "POST");
    expect(posts).toHaveLength(3);
    for (const [path] of posts) expect((await ask(path, { headers: trusted })).status).toBe(405);
    expect(injected()).toEqual([]);
  });

  test("by a method that the path does not have", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
      expect((await ask("/api/summary", { method, headers: trusted })).status, method).toBe(405);
  });

  test("by a body that is none, too large, or names no effect", async () => {
    for (const [body, status] of [
      ["", 400],
      ["{", 400],
      [`{"kind":"${"x".repeat(9_000)}"}`, 400],
      ['{"kind":"status","more":1}', 400],
      ['{"kind":"__proto__"}', 404],
      ['{"kind":"no-such"}', 404],
    ] as const)
      expect(
        (await ask("/api/simulation/inject", { method: "POST", headers: trusted, body })).status,
        body.slice(0, 30),
      ).toBe(status);
    expect(injected()).toEqual([]);
  });

  test("and with the token it does", async () => {
    expect((await post(trusted)).status).toBe(200);
    expect(injected()).toEqual(["status"]);
    expect(
      (await ask("/api/simulation/clear", { method: "POST", headers: trusted, body: "{}" })).status,
    ).toBe(200);
    expect(injected()).toEqual([]);
  });
});

describe("every answer", () => {
  test("has a strict policy, no CORS, and no room for guessing its type", async () => {
    for (const path of ["/", "/page.js", "/api/summary", "/no-such", "/metrics", "/badge.svg"]) {
      const { headers } = await ask(path);
      const policy = String(headers["content-security-policy"]);
      expect(policy, path).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
  });

  test("survives any path and query", async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.webQueryParameters(), async (path, query) => {
        const { status } = await ask(`/${path}?${query}`);
        expect([200, 400, 404, 405]).toContain(status);
      }),
      { numRuns: 60 },
    );
    expect((await ask("/..%2f..%2fpackage.json")).status).toBe(404);
    expect((await ask("/__proto__")).status).toBe(404);
    expect((await ask("/constructor")).status).toBe(404);
  });

  test("holds neither the key nor the token", async () => {
    const { observations } = {
      observations: rig.store.history.briefs(undefined, Number.MAX_SAFE_INTEGER, 5),
    };
    const paths = [
      ...Object.keys(routes).filter((path) => routes[path]?.method === "GET"),
      ...["/", "/metrics", "/healthz", "/badge.svg", "/api/openapi.json"],
      ...observations.map(({ id }) => `/api/observation?id=${encodeURIComponent(id)}`),
    ];
    for (const path of paths) {
      const { body } = await ask(path);
      expect(body, path).not.toContain(simulatorKey);
      expect(body, path).not.toContain(token);
    }
  });

  test("is packed for those who take it, and not sent again to those who have it", async () => {
    const { headers } = await ask("/page.css", { headers: { "Accept-Encoding": "gzip" } });
    expect(headers["content-encoding"]).toBe("gzip");
    expect((await ask("/page.css", { headers: { "If-None-Match": String(headers.etag) } })).status).toBe(304);
  });
});

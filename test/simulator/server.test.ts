import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../lib/contract/endpoints.ts";
import { days } from "../../lib/simulator/population.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf, get, type Options } from "./client.ts";
import { strict } from "./strict-schema.ts";

const key = "right-key";
const clock = { time: Date.UTC(2026, 10, 14, 12), now: () => clock.time };
let simulator: Simulator;
let index: number;

beforeAll(async () => {
  simulator = await startSimulator({ passports: 113, key, clock });
  index = simulator.population.ranked()[0] ?? 0;
});
afterAll(() => simulator.close());

const request = (path: string, options?: Options) => get(`${simulator.url}${path}`, options);

test("Each endpoint returns 200 with JSON exactly as documented", async () => {
  const id = simulator.population.idOf(index);
  for (const [path, response] of [
    ["/api/v1/passports", endpoints["passport-list"].body],
    [`/api/v1/passports/${id}`, endpoints.passport.body],
    [`/api/v1/passport_credentials?passport_id=${id}`, endpoints["passport-credentials"].body],
  ] as const) {
    const reply = await request(path);
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    strict(response).parse(bodyOf(reply));
  }
});

test("The list is sorted by score with 25 records per page, and the last page contains the rest", async () => {
  const [first, last] = [
    bodyOf(await request("/api/v1/passports")),
    bodyOf(await request("/api/v1/passports?page=5")),
  ];
  const scores = first.passports.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one));
  expect(scores.length).toBe(25);
  expect(last.passports.length).toBe(13);
  expect(last.pagination).toEqual({ current_page: 5, last_page: 5, total: 113 });
});

test.each(["0", "-1", "x", "1e3", ""])("page=%s returns page 1", async (page) => {
  const reply = await request(`/api/v1/passports?page=${page}`);
  expect(reply.bytes).toEqual((await request("/api/v1/passports")).bytes);
});

test("A page after the last one is empty and contains the number of the last page", async () => {
  expect(bodyOf(await request("/api/v1/passports?page=77"))).toEqual({
    passports: [],
    pagination: { current_page: 77, last_page: 5, total: 113 },
  });
});

test("A keyword filters by name, ignoring letter case, in any script", async () => {
  const names = async (keyword: string) =>
    bodyOf(await request(`/api/v1/passports?keyword=${encodeURIComponent(keyword)}`)).passports.map(
      (passport: { passport_profile: { display_name: string } }) => passport.passport_profile.display_name,
    );
  const all = simulator.population.ranked();
  const name = simulator.population.listed(all[0] ?? 0, { now: 0 }).passport_profile.display_name;
  expect(await names(name.toUpperCase())).toContain(name);
  const some: string[] = await names("AN");
  expect(some.length).toBeGreaterThan(0);
  expect(some.every((one) => one.toLowerCase().includes("an"))).toBe(true);
  const cyrillic: string[] = await names("ов");
  expect(cyrillic.every((one) => one.includes("ов"))).toBe(true);
});

test("A keyword without a match gives one empty page", async () => {
  expect(bodyOf(await request("/api/v1/passports?keyword=nobody-has-this"))).toEqual({
    passports: [],
    pagination: { current_page: 1, last_page: 1, total: 0 },
  });
});

test("A passport is found by its id and by any of its wallet addresses, ignoring letter case", async () => {
  const byId = await request(`/api/v1/passports/${simulator.population.idOf(index)}`);
  const { verified_wallets } = bodyOf(byId).passport;
  for (const wallet of verified_wallets as string[]) {
    for (const spelling of [wallet, wallet.toUpperCase().replace("0X", "0x"), wallet.toUpperCase()]) {
      expect((await request(`/api/v1/passports/${spelling}`)).bytes).toEqual(byId.bytes);
    }
  }
});

test("The list and the single-passport endpoint return the same values of a record", async () => {
  const [listed] = bodyOf(await request("/api/v1/passports")).passports;
  const { passport } = bodyOf(await request(`/api/v1/passports/${listed.passport_id}`));
  expect(passport).toMatchObject(listed);
});

test.each(["1", "999999", "0", "-5", "1.5", "abc", "0x12", `0x${"0".repeat(40)}`, "%zz", "__proto__"])(
  "The unknown id %s gets 404 with an error body",
  async (id) => {
    const reply = await request(`/api/v1/passports/${id}`);
    expect(reply.status).toBe(404);
    expect(bodyOf(reply)).toEqual({ error: "Resource not found." });
  },
);

test("Credentials are found by id and by wallet address, are empty without an id, and get 404 for an unknown id", async () => {
  const { population } = simulator;
  const byId = await request(`/api/v1/passport_credentials?passport_id=${population.idOf(index)}`);
  const byWallet = await request(`/api/v1/passport_credentials?passport_id=${population.walletOf(index, 0)}`);
  expect(byWallet.bytes).toEqual(byId.bytes);
  expect(bodyOf(await request("/api/v1/passport_credentials"))).toEqual({ passport_credentials: [] });
  expect((await request("/api/v1/passport_credentials?passport_id=5")).status).toBe(404);
});

test("The correct key and no key get 200, a wrong key gets 401", async () => {
  const withKey = (value: string) => request("/api/v1/passports", { headers: { "X-API-KEY": value } });
  expect((await withKey(key)).status).toBe(200);
  expect((await request("/api/v1/passports")).status).toBe(200);
  const wrong = await withKey("wrong");
  expect(wrong.status).toBe(401);
  expect(bodyOf(wrong)).toEqual({ error: expect.any(String) });
});

test("HEAD returns the headers of GET without the body", async () => {
  const [head, full] = [
    await request("/api/v1/passports", { method: "HEAD" }),
    await request("/api/v1/passports"),
  ];
  expect(head.headers).toEqual(full.headers);
  expect(head.bytes.length).toBe(0);
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])(
  "The method %s gets 405 with an Allow header",
  async (method) => {
    const reply = await request("/api/v1/passports", { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe("GET, HEAD");
  },
);

test.each(["/", "/api/v2/profile", "/api/v1/passports/1/2", "/api/v1/passport", "//", "/api/v1/passportsX"])(
  "The unknown path %s gets 404 with an error body",
  async (path) => {
    const reply = await request(path);
    expect(reply.status).toBe(404);
    expect(bodyOf(reply)).toEqual({ error: "Resource not found." });
  },
);

test("The Date header and the data follow the simulator's clock", async () => {
  const before = clock.time;
  const newest = async () =>
    bodyOf(await request("/api/v1/passports"))
      .passports.map(({ last_calculated_at }: { last_calculated_at: string }) => last_calculated_at)
      .toSorted()
      .at(-1);
  const first = await newest();
  clock.time = before + 3 * days;
  expect((await request("/api/v1/passports")).headers.date).toBe("Tue, 17 Nov 2026 12:00:00 GMT");
  expect((await newest()) > first).toBe(true);
  clock.time = before;
});

test("Requests are counted, and injected effects apply and end at once", async () => {
  const before = simulator.requests();
  simulator.inject([{ kind: "status", status: 410 }]);
  expect((await request("/api/v1/passports")).status).toBe(410);
  simulator.clear();
  expect((await request("/api/v1/passports")).status).toBe(200);
  simulator.use("gone", 2 * days);
  expect((await request("/api/v1/passports")).status).toBe(410);
  simulator.use("healthy");
  expect((await request("/api/v1/passports")).status).toBe(200);
  expect(simulator.requests()).toBe(before + 4);
});

test("Closing the simulator ends at once while connections hang, receive a slow body or are idle", async () => {
  const closing = await startSimulator({ passports: 5 });
  const idle = connect(closing.port, "127.0.0.1").on("error", () => {});
  closing.inject([
    { kind: "hang", endpoint: "passport" },
    { kind: "slow-drip", bytesPerSecond: 1 },
  ]);
  const hanging = get(`${closing.url}/api/v1/passports/1001`);
  const dripping = get(`${closing.url}/api/v1/passports`);
  await expect.poll(() => closing.requests()).toBe(2);
  await closing.close();
  expect((await hanging).failure).toBe("ECONNRESET");
  expect((await dripping).failure).toBe("ECONNRESET");
  idle.destroy();
});

test("startSimulator rejects with EADDRINUSE when the port is in use", async () => {
  await expect(startSimulator({ port: simulator.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("A 401 names the way to authenticate", async () => {
  const reply = await request("/api/v1/passports", { headers: { "X-API-KEY": "wrong" } });
  expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, 'ApiKey realm="V1"']);
  expect((await request("/api/v1/passports")).headers["www-authenticate"]).toBeUndefined();
});

test("Page numbers beyond the list get an empty page, however large they are", async () => {
  for (const page of ["6", "999999999", "9999999999", "9".repeat(400)]) {
    const reply = await request(`/api/v1/passports?page=${page}`);
    expect([reply.status, bodyOf(reply).passports], page).toEqual([200, []]);
  }
});

test("Composed and decomposed letters are found alike", async () => {
  const find = async (keyword: string) =>
    bodyOf(await request(`/api/v1/passports?keyword=${encodeURIComponent(keyword)}`)).pagination.total;
  for (const name of ["é", "ö", "ü", "João"]) {
    expect(await find(name.normalize("NFC"))).toBeGreaterThan(0);
    expect(await find(name.normalize("NFD")), name).toBe(await find(name.normalize("NFC")));
  }
});

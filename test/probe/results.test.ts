// What the scheduler learns of each response: good or bad, the kind of failure, and what was sent.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Exchange } from "../../lib/probe/http/exchange.ts";
import { type ProbeInput, probe, type Transport } from "../../lib/probe/probe.ts";
import type { PlannedRequest } from "../../lib/probe/schedule/plan.ts";
import type { Variant } from "../../lib/records/observation.ts";
import { configure } from "../config/configure.ts";
import { type HostileServer, type Responder, respond, sendBytes, serve } from "./http/hostile-server.ts";
import { bodyOf } from "./validate/bodies.ts";

const state: { responder: Responder } = { responder: () => {} };
let server: HostileServer;
beforeAll(async () => {
  server = await serve((socket, head, number) => state.responder(socket, head, number));
});
afterAll(() => server[Symbol.asyncDispose]());

const json = ["Content-Type: application/json"];
const send = (body: unknown, status = "200 OK", headers: string[] = json) =>
  respond(status, typeof body === "string" ? body : JSON.stringify(body), headers);
const planned = (
  endpoint: EndpointId,
  variant: Variant = "authenticated",
  more: Partial<PlannedRequest> = {},
): PlannedRequest => ({ endpoint, variant, reason: "scheduled", attempts: 1, ...more });

async function run(
  responder: Responder,
  requests: PlannedRequest[],
  more: Partial<ProbeInput> = {},
  samples: object = { ids: [7, 8, 9] },
) {
  state.responder = responder;
  const before = server.requests.length;
  const result = await probe({
    tickMs: Date.UTC(2026, 10, 14, 12),
    config: configure({ baseUrl: server.url.origin, samples }),
    plan: { requests },
    key: { kind: "key", key: "sentinel-key" },
    nowMs: () => 1_000,
    allowLoopback: true,
    ...more,
  });
  const sent = server.requests.slice(before).map((head) => {
    const path = head.split(" ")[1];
    return /x-api-key/i.test(head) ? `${path} with key` : path;
  });
  return { ...result, sent };
}

const list = bodyOf("passport-list");
const used = ["X-API-Usage-Current: 5000", "X-API-Usage-Limit: 5000"];
const without = (name: string) => ({
  ...list,
  passports: list.passports.map(({ [name]: _, ...rest }: Record<string, unknown>) => rest),
});
const fault = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

describe("a response to the list is", () => {
  test.each<[string, Responder, object]>([
    ["good", send(list), { class: "ok", findings: fault("") }],
    ["good with an additive difference", send({ ...list, more: 1 }), { class: "ok", findings: fault("") }],
    ["refused", send({}, "401 No"), { class: "unauthorized" }],
    ["refused for its quota", send({}, "401 No", used), { class: "quota" }],
    ["forbidden", send({}, "403 No"), { class: "forbidden" }],
    ["forbidden for its quota", send({}, "403 No", used), { class: "quota" }],
    ["not found", send({}, "404 No"), { class: "not-found" }],
    ["gone", send({}, "410 Gone"), { class: "gone" }],
    ["a redirect", send("", "302 Found", ["Location: /v2"]), { class: "redirect" }],
    ["throttled", send({}, "429 Slow"), { class: "throttled" }],
    ["failed", send({}, "500 No"), { class: "failed" }],
    ["failed without a status", sendBytes(""), { class: "failed" }],
    ["not JSON", send("<html>"), { class: "not-json" }],
    [
      "empty",
      send({ passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } }),
      { class: "empty" },
    ],
    ["of V2's shape", send({ profiles: [], pagination: list.pagination }), { class: "v2-shape" }],
    [
      "a breaking difference",
      send(without("score")),
      { class: "ok", findings: fault("passport-list passports[].score missing") },
    ],
  ])("A response to the list is %s", async (_name, responder, judged) => {
    const { results } = await run(responder, [planned("passport-list")]);
    expect(results).toEqual([
      {
        endpoint: "passport-list",
        variant: "authenticated",
        reason: "scheduled",
        atMs: 1_000,
        requests: 1,
        ...judged,
      },
    ]);
  });

  test("A response to the list is stub data where every score is 0", async () => {
    const zeros = ["score", "activity_score", "identity_score", "skills_score"].map((name) => [name, 0]);
    const stub = list.passports.map((one: object) => ({ ...one, ...Object.fromEntries(zeros) }));
    const { results } = await run(send({ ...list, passports: stub }), [planned("passport-list")]);
    expect(results).toMatchObject([{ class: "stub" }]);
  });

  test("A response without credentials is good, because a person may have none", async () => {
    const { results } = await run(send({ passport_credentials: [] }), [planned("passport-credentials")]);
    expect(results).toMatchObject([{ class: "ok" }]);
  });
});

describe("requests are sent", () => {
  test("Requests are sent with the key first, the list before all others, and then in the order of the document", async () => {
    const requests = [
      planned("passport-credentials", "anonymous"),
      planned("passport-list", "anonymous"),
      planned("passport-credentials"),
      planned("passport"),
      planned("passport-list"),
    ];
    const { results } = await run(send({}, "500 No"), requests);
    expect(results.map(({ endpoint, variant }) => `${endpoint} ${variant}`)).toEqual([
      "passport-list authenticated",
      "passport authenticated",
      "passport-credentials authenticated",
      "passport-list anonymous",
      "passport-credentials anonymous",
    ]);
  });

  test("Requests are sent once more after a fault of the network, where the plan allows it", async () => {
    const drop: Responder = (socket) => socket.destroy();
    const twice = await run(drop, [planned("passport", "authenticated", { attempts: 2 })]);
    expect(twice.results).toMatchObject([{ requests: 2 }]);
    const once = await run(drop, [planned("passport")]);
    expect(once.results).toMatchObject([{ requests: 1 }]);
  });

  test("Requests are sent without a key, and the slot of the check counts as used", async () => {
    const slotMs = 500;
    const { results, sent } = await run(
      send({}, "500 No"),
      [planned("passport", "authenticated", { slotMs })],
      { key: { kind: "none" } },
    );
    expect(results).toMatchObject([{ variant: "authenticated", slotMs }]);
    expect(sent.every((path) => !path?.includes("with key"))).toBe(true);
  });

  test("Requests are sent without the key for an endpoint of its own, where no key is configured", async () => {
    const requests = [planned("passport-list"), planned("passport", "anonymous")];
    const { sent } = await run(send({}, "500 No"), requests, { key: { kind: "none" } });
    expect(sent).toEqual(["/api/v1/passports", expect.stringMatching(/^\/api\/v1\/passports\/[789]$/)]);
  });

  test("Requests are sent without the key beside a 401 of the same endpoint only, and not beside one of another variant", async () => {
    const beside = (endpoint: EndpointId) => planned(endpoint, "anonymous", { isIfUnauthorized: true });
    const refusing: Responder = (socket, head, number) =>
      send({}, / \/api\/v1\/passports /.test(head) ? "401 No" : "500 No")(socket, head, number);
    const requests = [
      planned("passport-list"),
      planned("passport"),
      beside("passport-list"),
      beside("passport"),
    ];
    const { observations } = await run(refusing, requests);
    expect(observations.map(({ endpoint, variant }) => `${endpoint} ${variant}`)).toEqual([
      "passport-list authenticated",
      "passport authenticated",
      "passport-list anonymous",
    ]);
    const wrong = [planned("passport", "bad-key"), beside("passport")];
    expect((await run(send({}, "401 No"), wrong)).observations).toHaveLength(1);
  });

  test("Requests are sent with a keyword of the list", async () => {
    const requests = [planned("passport-list"), planned("passport-list", "keyword")];
    const words = list.passports.flatMap((one: { passport_profile: { display_name: string } }) =>
      one.passport_profile.display_name.split(" "),
    );
    const auto = await run(send(list), requests);
    const keyword = new URLSearchParams(auto.sent[1]?.split(/[? ]/)[1]).get("keyword");
    expect(words).toContain(keyword);
  });

  test("Requests are sent with the samples of a probe by hand, which chooses others only where it was given none", async () => {
    const requests = [planned("passport-list"), planned("passport")];
    const listed = list.passports.map(({ passport_id }: { passport_id: number }) => String(passport_id));
    const chosen = await run(send(list), requests, {}, {});
    expect(chosen.samples.chosen).toHaveLength(3);
    for (const { id } of chosen.samples.chosen) expect(listed).toContain(id);
    const given = await run(send(list), requests, {}, { ids: [7] });
    expect(given.sent[1]).toBe("/api/v1/passports/7 with key");
    expect(given.samples.chosen).toEqual([]);
    const filled = await run(send(list), requests, { samples: [] }, { ids: [7] });
    expect(filled.samples.chosen).toHaveLength(2);
  });

  test("Requests are sent with a wrong key even where the key is missing", async () => {
    const { observations, sent } = await run(
      send({}, "401 No"),
      [planned("passport", "bad-key"), planned("passport", "unknown-id")],
      { key: { kind: "no-secret" } },
    );
    expect(observations.map(({ variant, outcome }) => `${variant} ${outcome.kind}`).sort()).toEqual([
      "bad-key unauthorized",
      "unknown-id no-secret",
    ]);
    expect(sent).toHaveLength(1);
  });
});

describe("a sample", () => {
  const opinion = planned("passport", "authenticated", { attempts: 2, hasSecondOpinion: true });
  const goneFor =
    (...ids: string[]): Responder =>
    (socket, head, number) =>
      send(bodyOf("passport"), ids.some((id) => head.includes(`/${id} `)) ? "404 Not Found" : "200 OK")(
        socket,
        head,
        number,
      );
  const hashed = { hashKey: "k" };

  test("A sample is in the observation of a request that names it, and of no other", async () => {
    const requests = [
      planned("passport-list"),
      planned("passport"),
      planned("passport", "unknown-id"),
      planned("passport-credentials"),
    ];
    const { observations } = await run(send({}, "500 No"), requests, hashed);
    const of = (variant: Variant, endpoint: EndpointId) =>
      observations.find((one) => one.variant === variant && one.endpoint === endpoint)?.sample;
    expect(of("authenticated", "passport")).toMatch(/^[0-9a-f]{10}$/);
    expect(of("authenticated", "passport-credentials")).toBe(of("authenticated", "passport"));
    expect(of("authenticated", "passport-list")).toBeUndefined();
    expect(of("unknown-id", "passport")).toBeUndefined();
  });

  test("A sample that gets a 404 is gone where another one is served, and the first 404 then says nothing", async () => {
    const [first] = (await run(goneFor(), [opinion])).sent;
    const id = first?.match(/\/(\d)/)?.[1] ?? "";
    const { results, samples, observations } = await run(goneFor(id), [opinion]);
    expect(samples.gone).toEqual([id]);
    expect(results.map(({ class: name, reason, requests }) => [reason, name, requests])).toEqual([
      ["scheduled", undefined, 1],
      ["second-opinion", "ok", 1],
    ]);
    expect(observations.map(({ id: name }) => name)).toEqual([
      "passport/authenticated/2026-11-14T12:00:00.000Z",
      "passport/authenticated/2026-11-14T12:00:00.000Z/second-opinion",
    ]);
    const none = await run(goneFor("7", "8", "9"), [opinion]);
    expect(none.samples.gone).toEqual([]);
    expect(none.results.map(({ class: name }) => name)).toEqual(["not-found", "not-found"]);
  });

  test.each<[string, Partial<PlannedRequest>, string]>([
    ["the plan allows none", { hasSecondOpinion: undefined as never }, "404 Not Found"],
    ["the budget has room for one request", { attempts: 1 }, "404 Not Found"],
    ["the status is another one", {}, "410 Gone"],
    ["it is the list", { endpoint: "passport-list" }, "404 Not Found"],
  ])("A sample has no second opinion where %s", async (_name, more, status) => {
    const { sent } = await run(send({}, status), [{ ...opinion, ...more }]);
    expect(sent).toHaveLength(1);
  });

  test("A sample whose second opinion is stopped counts that request as sent", async () => {
    const stop = new AbortController();
    const responder: Responder = (socket, head, number) => {
      if (isSecond) stop.abort();
      else send({}, "404 Not Found")(socket, head, number);
      isSecond = true;
    };
    let isSecond = false;
    const { results, samples } = await run(responder, [opinion], {
      signal: stop.signal,
    });
    expect(results).toMatchObject([{ endpoint: "passport", requests: 2, class: "not-found" }]);
    expect(samples.gone).toEqual([]);
  });
});

describe("The requests of one tick", () => {
  const everything = endpointIds.map((endpoint) => planned(endpoint));

  test("The endpoints are asked side by side: none is answered before all have been asked", async () => {
    const waiting: (() => void)[] = [];
    const responder: Responder = (socket, head, number) => {
      waiting.push(() => send({}, "503 No")(socket, head, number));
      if (waiting.length === endpointIds.length) for (const answer of waiting) answer();
    };
    const { observations } = await run(responder, everything);
    expect(observations.map(({ endpoint, outcome }) => [endpoint, outcome.status])).toEqual(
      endpointIds.map((endpoint) => [endpoint, 503]),
    );
  });

  test("Without a known sample the list is asked first", async () => {
    const { sent } = await run(send({}, "503 No"), everything.toReversed(), {}, {});
    expect(sent[0]).toBe("/api/v1/passports with key");
    expect(sent).toHaveLength(3);
  });

  test("Rare variants wait until the checks were assessed, and are not sent where the check failed", async () => {
    const order: string[] = [];
    const responder: Responder = (socket, head, number) => {
      const path = head.split(" ")[1] ?? "";
      order.push(path);
      const isList = path.startsWith("/api/v1/passports?") || path === "/api/v1/passports";
      (isList ? send(list) : send({}, "503 No"))(socket, head, number);
    };
    const { observations, results } = await run(
      responder,
      [
        planned("passport-list", "second-page", { isRare: true }),
        planned("passport", "unknown-id", { isRare: true }),
        planned("passport", "anonymous", { isRare: true }),
        ...everything,
      ],
      {
        async onChecked(checks) {
          await sleep(5);
          order.push(`assessed ${checks.length}`);
        },
      },
    );
    expect(order.slice(3)).toEqual(["assessed 3", "/api/v1/passports?page=2"]);
    expect(observations.map(({ id }) => id.split("/").slice(0, 2).join(" "))).toEqual([
      "passport-list authenticated",
      "passport authenticated",
      "passport-credentials authenticated",
      "passport-list second-page",
    ]);
    // A tick of its own, so that the assessment of the checks need not be repeated.
    expect(observations.at(-1)?.id).toContain("T12:00:00.001Z");
    // What was not sent is not counted as done: it is due with the next check that is served.
    expect(results.filter(({ variant }) => variant !== "authenticated")).toMatchObject([
      { endpoint: "passport-list", variant: "second-page", requests: 1 },
    ]);
  });

  test("A key that is refused does not hold back the request without a key", async () => {
    const { sent } = await run(send({}, "401 No"), [
      planned("passport"),
      planned("passport", "anonymous", { isRare: true }),
      planned("passport", "unknown-id", { isRare: true }),
    ]);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toContain("with key");
    expect(sent[1]).not.toContain("with key");
  });
});

describe("a request for the list that only finds a sample", () => {
  test("A request for the list that only finds a sample is sent once, without a retry, and is in no observation", async () => {
    const responder: Responder = (socket, head, number) =>
      head.startsWith("GET /api/v1/passports ") ? socket.destroy() : send({}, "500 No")(socket, head, number);
    const { results, observations, sent } = await run(responder, [], {
      plan: { requests: [planned("passport"), planned("passport-credentials")], lookup: true },
    });
    expect(sent).toHaveLength(3);
    expect(observations.map(({ endpoint }) => endpoint)).toEqual(["passport", "passport-credentials"]);
    expect(results.map(({ requests }) => requests)).toEqual([2, 1]);
  });
});

describe("the transport of a replay", () => {
  test("The transport of a replay adds its headers to each request, and what it reads is what is observed", async () => {
    const transport: Transport = {
      request: { retryPauseMs: 0 },
      headers: (atMs) => ["X-Clock", String(atMs)],
      read: (response: Exchange, atMs, deadlineMs) => ({
        ...response,
        timings: { totalMs: atMs + deadlineMs },
      }),
    };
    const drop: Responder = (socket) => socket.destroy();
    const { observations } = await run(drop, [planned("passport-list", "authenticated", { attempts: 2 })], {
      transport,
    });
    expect(server.requests.at(-1)).toContain("X-Clock: 1000\r\n");
    const { totalMs } = observations[0]!.timings;
    expect(totalMs).toBe(1_000 + 10_000);
    expect(observations[0]!.attempts).toHaveLength(2);
  });
});

test("Each observation is reported as soon as it is known", async () => {
  const seen: string[] = [];
  const { observations } = await run(
    send({}, "500 No"),
    endpointIds.map((endpoint) => planned(endpoint)),
    { onObservation: ({ id }) => seen.push(id) },
  );
  expect(seen).toEqual(observations.map(({ id }) => id));
  expect(seen).toHaveLength(3);
});

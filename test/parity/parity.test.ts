import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { readShape } from "../../lib/mapping/v2-shape.ts";
import {
  addRange,
  countPositions,
  fingerprintCohort,
  gapsBetween,
  readCohort,
  sampleCohort,
} from "../../lib/parity/cohort.ts";
import { compareBodies } from "../../lib/parity/compare.ts";
import { diffyRule, judgeParity } from "../../lib/parity/judge.ts";
import { createRateLimiter, limitedBudget, type RequestBudget } from "../../lib/parity/limits.ts";
import { type ParityRun, type Progress, runParity, sampleIds } from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { type Ask, type AskOptions, openAsk } from "../../lib/parity/request.ts";
import { findBreaches } from "../../lib/parity/v2-shape.ts";
import {
  emptyParity,
  mergeParity,
  type ParityAggregate,
  parityAggregate,
  type Range,
} from "../../lib/records/parity.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { startV2Simulator } from "../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../mapping/v2-mapping.ts";
import { respond, serve } from "../probe/http/hostile-server.ts";

const clock = { now: () => now };
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const limits = { deadlineMs: 2_000, maxBodyBytes: 2 ** 21, maxWireBytes: 2 ** 21, allowLoopback: true };

function start(v1: string, v2: string, more: Partial<AskOptions> = {}) {
  const asking = openAsk({
    v1: { baseUrl: v1 },
    v2: { baseUrl: v2, apiKey: "k" },
    concurrency: 4,
    ...limits,
    ...more,
  });
  open.push(asking);
  return asking.ask;
}

async function bed(passports = 40) {
  const [v1, v2] = await Promise.all([
    startSimulator({ passports, clock }),
    startV2Simulator({ passports, clock }),
  ]);
  open.push(v1, v2);
  const mapping = decidedMapping(v2.url);
  const ids = Array.from({ length: passports }, (_, index) => String(v1.population.idOf(index)));
  const run: ParityRun = {
    ...{ ids, mapping, plan: planParity(mapping), ask: start(v1.url, v2.url) },
    ...{ apartMs: 0, atOnce: 4, batchSize: 10, lanes: 2 },
  };
  return { v1, v2, run };
}

const field = fc.record({
  compared: fc.nat(1_000),
  raw: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
  noise: fc.dictionary(fc.constantFrom("type", "value"), fc.nat(99)),
});
const aggregates: fc.Arbitrary<ParityAggregate> = fc.record({
  schema: fc.constant("v1watch/parity/1" as const),
  pairs: fc.nat(1_000),
  skipped: fc.dictionary(fc.constantFrom("v1 absent", "v2 timeout"), fc.nat(99)),
  requests: fc.record({ v1: fc.nat(99), v2: fc.nat(99) }),
  fields: fc.dictionary(fc.constantFrom("a", "b.c", "constructor"), field),
  shape: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(9)),
});

describe("an aggregate", () => {
  test("merges in any order and grouping to the same text, with the empty one as zero", () => {
    fc.assert(
      fc.property(aggregates, aggregates, aggregates, (a, b, c) => {
        const text = (value: ParityAggregate) => JSON.stringify(parityAggregate.parse(value));
        expect(text(mergeParity(a, b))).toBe(text(mergeParity(b, a)));
        expect(text(mergeParity(mergeParity(a, b), c))).toBe(text(mergeParity(a, mergeParity(b, c))));
        const whole = mergeParity(a, emptyParity());
        expect(text(mergeParity(whole, emptyParity()))).toBe(text(whole));
        expect(whole).toEqual(a);
      }),
    );
  });
});

describe("the rule", () => {
  const judge = (compared: number, raw: number, noise: number, rule = diffyRule) =>
    judgeParity(
      {
        ...emptyParity(),
        pairs: compared,
        fields: { f: { compared, raw: { value: raw }, noise: { value: noise } } },
      },
      rule,
    );

  test("reports what is beyond the noise by both margins", () => {
    expect(judge(1_000, 100, 10).verdict).toBe("differences");
    expect(judge(1_000, 100, 10).differences[0]).toMatchObject({
      path: "f",
      kind: "value",
      rawRate: 0.1,
      noiseRate: 0.01,
    });
    expect(judge(1_000, 10, 100).verdict).toBe("parity");
    expect(judge(1_000, 100, 100).verdict).toBe("parity");
    // 20 % relative: 115 against 85 is 15 %.
    expect(judge(100_000, 11_500, 8_500).verdict).toBe("parity");
    expect(judge(100_000, 13_000, 8_500).verdict).toBe("differences");
    // 0.03 % absolute: 3 in 10,000 is not beyond, 4 is.
    expect(judge(10_000, 3, 0).verdict).toBe("parity");
    expect(judge(10_000, 4, 0).verdict).toBe("differences");
  });

  test("takes three differences for a fact where V1 is steady, and for chance where it is not", () => {
    expect(judge(100, 3, 0)).toMatchObject({ verdict: "differences", unsure: [] });
    expect(judge(100, 5, 1).verdict).toBe("parity");
    expect(judge(100, 25, 1).verdict).toBe("differences");
  });

  test("a difference so rare that V1's noise may not have shown is neither found nor parity", () => {
    const few = judge(100, 2, 0);
    expect(few).toMatchObject({ verdict: "insufficient", differences: [], insufficient: [] });
    expect(few.unsure).toMatchObject([{ path: "f", kind: "value", raw: 2, compared: 100 }]);
    expect(judge(100, 1, 0, { ...diffyRule, minDifferences: 1 }).verdict).toBe("differences");
  });

  test("a rare noise of V1 is taken for a difference in five of a hundred comparisons at the most", () => {
    const chanceOf = (seen: number, pairs: number, rate: number) => {
      let chance = (1 - rate) ** pairs;
      for (let k = 0; k < seen; k++) chance *= ((pairs - k) / (k + 1)) * (rate / (1 - rate));
      return chance;
    };
    /** Over every outcome of two reads of the same noise, each with its exact chance. */
    const misread = (pairs: number, rate: number, rule = diffyRule) => {
      let sum = 0;
      for (let raw = 1; raw < 15; raw++) {
        for (let noise = 0; noise < raw; noise++) {
          if (judge(pairs, raw, noise, rule).differences.length > 0)
            sum += chanceOf(raw, pairs, rate) * chanceOf(noise, pairs, rate);
        }
      }
      return sum;
    };
    for (const pairs of [30, 100, 400]) {
      for (const rate of [0.001, 0.002, 0.005, 0.01, 0.02])
        expect(misread(pairs, rate), `${pairs} ${rate}`).toBeLessThan(0.05);
    }
    expect(misread(100, 0.007, { ...diffyRule, minDifferences: 1 })).toBeGreaterThan(0.2);
  });

  test("is configurable", () => {
    expect(judge(10_000, 4, 0, { ...diffyRule, absolutePercent: 1 }).verdict).toBe("parity");
    expect(judge(100, 30, 0, { ...diffyRule, minPairs: 101 }).verdict).toBe("insufficient");
  });

  test("says insufficient evidence below 30 pairs, of all or of one field", () => {
    expect(judge(29, 29, 0)).toMatchObject({ verdict: "insufficient", differences: [] });
    expect(judge(30, 0, 0).verdict).toBe("parity");
    const fields = { f: { compared: 29, raw: {}, noise: {} }, g: { compared: 90, raw: {}, noise: {} } };
    expect(judgeParity({ ...emptyParity(), pairs: 90, fields })).toMatchObject({
      verdict: "insufficient",
      insufficient: [{ path: "f", compared: 29 }],
    });
  });
});

describe("comparing two bodies", () => {
  const plan = planParity(decidedMapping("http://v2"));
  const social = (name: string, followers: unknown, location: unknown = "x") => ({
    v1: { profile_name: name, follower_count: String(followers), location },
    v2: { name, followers_count: followers, location },
  });
  const compare = (v1: unknown[] | undefined, v2: unknown) => {
    const differences = compareBodies(
      plan.raw,
      new Map([["passport", { passport: { passport_socials: v1 } }]]),
      new Map([["socials", { socials: v2 }]]),
    );
    return Object.fromEntries(
      plan.paths.flatMap((path, slot) => {
        const kind = differences[slot];
        return kind === undefined || kind === "equal"
          ? []
          : [[path.replace("passport.passport_socials", ""), kind]];
      }),
    );
  };
  const [a, b, c] = [social("a", 1), social("b", 2), social("c", 3)];

  test("equal lists are equal, and absent ones of V1 are not compared", () => {
    expect(compare([a.v1, b.v1], [a.v2, b.v2])).toEqual({});
    expect(compare(undefined, [a.v2])).toEqual({});
  });

  test("another length, no list and another type are of the list, once", () => {
    expect(compare([a.v1, b.v1], [a.v2])).toEqual({ "[]": "size" });
    expect(compare([a.v1], undefined)).toEqual({ "[]": "missing" });
    expect(compare([a.v1], "none")).toEqual({ "[]": "type" });
  });

  test("another order is one difference of the list, not one of each field", () => {
    expect(compare([a.v1, b.v1, c.v1], [c.v2, a.v2, b.v2])).toEqual({ "[]": "order" });
  });

  test("a changed field is found beside its own record in another order", () => {
    const changed = { ...b.v2, followers_count: 99 };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, changed, a.v2])).toEqual({
      "[]": "order",
      "[].follower_count": "value",
    });
    const retyped = { ...a.v2, followers_count: "1" };
    expect(compare([a.v1, b.v1, c.v1], [c.v2, b.v2, retyped])).toEqual({
      "[]": "order",
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, followers_count: "2" }])).toEqual({
      "[].follower_count": "type",
    });
    expect(compare([a.v1, b.v1], [a.v2, { ...b.v2, location: null }])).toEqual({ "[].location": "type" });
  });

  test("values that only changed places among the records are of the field", () => {
    const [x, y] = [social("a", 1, "here"), social("b", 2, "there")];
    expect(
      compare(
        [x.v1, y.v1],
        [
          { ...x.v2, location: "there" },
          { ...y.v2, location: "here" },
        ],
      ),
    ).toEqual({
      "[].location": "order",
    });
  });

  test("a stranger's body is never an exception", () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    const lists = fc.array(fc.record({ name: any, followers_count: any }));
    fc.assert(
      fc.property(any, fc.oneof(any, fc.record({ socials: fc.oneof(any, lists) })), (left, right) => {
        const all = (body: unknown) =>
          new Map([...plan.v1Endpoints, ...plan.v2Endpoints].map((name) => [name, body]));
        compareBodies(plan.raw, all(left), all(right));
        for (const kind of compareBodies(plan.noise, all(left), all(left)))
          expect([undefined, "equal"]).toContain(kind);
      }),
    );
  });
});

describe("V2's answers against its shape", () => {
  const shape = readShape({
    $defs: {
      profile: {
        type: "object",
        required: ["profile"],
        properties: { profile: { $ref: "#/$defs/person" } },
      },
      person: {
        type: "object",
        required: ["id", "bio"],
        additionalProperties: false,
        properties: {
          id: { type: "string" },
          bio: { type: ["string", "null"] },
          points: { anyOf: [{ type: "integer" }, { type: "null" }] },
          kind: { enum: ["a", "b"] },
          old: { type: "string", nullable: true },
          tags: { type: "array", items: { type: "string" } },
          parent: { $ref: "#/$defs/person" },
        },
      },
      loop: { anyOf: [{ $ref: "#/$defs/loop" }] },
    },
  });
  if (!shape) throw new Error("no shape");
  const endpoint = { path: "/profile" };
  const breaches = (body: unknown, name = "profile") =>
    findBreaches(shape, shape.schemaOf(name, endpoint) ?? {}, body).map(
      ({ path, kind }) => `${path} ${kind}`,
    );

  test("one that fits has none", () => {
    const profile = { id: "x", bio: null, points: null, kind: "a", old: null, tags: ["t"] };
    expect(breaches({ profile: { ...profile, parent: profile }, more: 1 })).toEqual([]);
  });

  test("others are told by path and kind, never by key or value", () => {
    expect(breaches([])).toEqual(["(body) type"]);
    expect(breaches({})).toEqual(["profile missing"]);
    const profile = {
      id: 7,
      points: "ten",
      kind: "c",
      tags: ["t", 8, 9],
      "0xsecret": 1,
      parent: { id: "y" },
    };
    expect(breaches({ profile })).toEqual([
      "profile.bio missing",
      "profile.id type",
      "profile.points type",
      "profile.kind value",
      "profile.tags[] type",
      "profile.parent.bio missing",
      "profile unlisted",
    ]);
  });

  test("a shape that only refers to itself ends", () => {
    expect(breaches({}, "loop")).toEqual([]);
  });
});

describe("a run", () => {
  test("counts each passport once, and asks V1 twice and V2 once for it", async () => {
    const { v1, v2, run } = await bed();
    const { aggregate, done, ending } = await runParity(run);
    expect({ done, ending, pairs: aggregate.pairs }).toEqual({
      done: [[0, 40]],
      ending: { kind: "finished" },
      pairs: 40,
    });
    expect(aggregate.requests).toEqual({ v1: 40 * 4, v2: 40 * 5 });
    expect([v1.requests(), v2.requests()]).toEqual([40 * 4, 40 * 5]);
    expect(judgeParity(aggregate).verdict).toBe("parity");
  });

  test("gives back what a batch did not need, and all that a stop left unasked", async () => {
    const { run, v1, v2 } = await bed();
    const booked = { requests: 0 };
    const requestBudget: RequestBudget = {
      async reserve(wanted) {
        booked.requests += wanted;
        const release = async (unused: number) => {
          booked.requests -= unused;
        };
        return { requests: wanted, release };
      },
    };
    await runParity({ ...run, ids: [...run.ids, "999999"], requestBudget });
    expect(booked.requests).toBe(v1.requests());
    const stop = new AbortController();
    const ask = start(v1.url, v2.url, { signal: stop.signal });
    const asked = async (...question: Parameters<typeof ask>) => {
      if (v1.requests() > 40 * 4 + 20) stop.abort();
      return ask(...question);
    };
    const stopped = await runParity({ ...run, ask: asked, signal: stop.signal, requestBudget });
    expect(stopped.ending).toEqual({ kind: "stopped" });
    // One that was under way when it was stopped may have been asked: it stays in the books.
    expect(booked.requests).toBeGreaterThanOrEqual(v1.requests());
    expect(booked.requests).toBeLessThan(v1.requests() + 20);
    expect(stopped.aggregate.requests.v1).toBe(booked.requests - (40 * 4 + 1));
  });

  test("what a requestBudget could not bear at once is compared when it can", async () => {
    const { run } = await bed();
    let asked = 0;
    const requestBudget: RequestBudget = {
      async reserve(wanted, unit = 1) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        return { requests: asked++ === 1 ? unit : wanted, release: async () => {} };
      },
    };
    const { done, ending, aggregate } = await runParity({ ...run, requestBudget });
    expect({ done, ending, pairs: aggregate.pairs }).toEqual({
      ...{ done: [[0, 40]], ending: { kind: "finished" }, pairs: 40 },
    });
  });

  test("a requestBudget that runs dry ends the run, however many lanes there are", async () => {
    const { run } = await bed();
    let left = 15 * run.plan.requestsPerPair.v1;
    const requestBudget: RequestBudget = {
      async reserve(wanted, unit = 1) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        const requests = Math.floor(Math.min(wanted, left) / unit) * unit;
        left -= requests;
        return { requests, limitedBy: "watch", release: async () => {} };
      },
    };
    const { done, ending } = await runParity({ ...run, requestBudget });
    expect({ done, ending }).toEqual({ done: [[0, 15]], ending: { kind: "budget", limitedBy: "watch" } });
  });

  test("waits between the two reads of V1", async () => {
    const { run } = await bed(2);
    const startedAt = performance.now();
    await runParity({ ...run, apartMs: 150 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
  });

  test("gives the same counts in batches of any size", async () => {
    const { run } = await bed();
    const texts = [];
    for (const batchSize of [7, 40]) {
      const { aggregate } = await runParity({ ...run, batchSize });
      texts.push(JSON.stringify(aggregate));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test("stops at its budget, and goes on from there without asking anything again", async () => {
    const { v1, v2, run } = await bed();
    const kept: Progress[] = [];
    const onProgress = (progress: Progress) => void kept.push(structuredClone(progress));
    const { v1: perPair, v2: v2PerPair } = run.plan.requestsPerPair;
    const first = await runParity({ ...run, requestBudget: limitedBudget(23 * perPair + 3), onProgress });
    expect(first.ending).toEqual({ kind: "budget", limitedBy: "requests" });
    expect(countPositions(first.done)).toBe(23);
    expect([v1.requests(), v2.requests()]).toEqual([23 * perPair, 23 * v2PerPair]);
    const second = await runParity({ ...run, before: kept.at(-1) ?? first });
    expect(second.ending).toEqual({ kind: "finished" });
    expect(second.aggregate.pairs).toBe(40);
    expect([v1.requests(), v2.requests()]).toEqual([40 * perPair, 40 * v2PerPair]);
    const whole = await runParity(run);
    expect(second.aggregate).toEqual(whole.aggregate);
  });

  test("keeps nothing of a batch that it was stopped in", async () => {
    const { run, v1, v2 } = await bed();
    const stop = new AbortController();
    const ask = start(v1.url, v2.url, { signal: stop.signal });
    const kept: Progress[] = [];
    const stopped = await runParity({
      ...{ ...run, ask, signal: stop.signal, lanes: 1 },
      onProgress(progress) {
        kept.push(progress);
        if (kept.length === 2) setTimeout(() => stop.abort(), 2);
      },
    });
    expect(stopped.ending).toEqual({ kind: "stopped" });
    expect(stopped.done).toEqual(kept.at(-1)?.done);
    expect(stopped.aggregate.pairs).toBe(countPositions(stopped.done));
  });

  test("an id that V1 does not know is skipped, and counts as done", async () => {
    const { run } = await bed();
    const { aggregate, ending, done } = await runParity({ ...run, ids: [...run.ids, "999999"] });
    expect({ ending, done, skipped: aggregate.skipped }).toEqual({
      ...{ ending: { kind: "finished" }, done: [[0, 41]], skipped: { "v1 absent": 1 } },
    });
  });

  test("wallets are ids too", async () => {
    const { run, v1 } = await bed();
    const ids = run.ids.map((_, index) => v1.population.walletOf(index, 0));
    const { aggregate } = await runParity({ ...run, ids });
    expect({ pairs: aggregate.pairs, verdict: judgeParity(aggregate).verdict }).toEqual({
      pairs: 40,
      verdict: "parity",
    });
  });

  test("a version that answers nobody holds the run before the cohort is burnt", async () => {
    const { run, v1, v2 } = await bed();
    const ask = start(v1.url, v2.url, { v2: { baseUrl: v2.url } });
    const { ending, done, aggregate } = await runParity({ ...run, ask, lanes: 1 });
    expect(ending).toEqual({ kind: "unanswered", why: "v2 401" });
    expect({ done, pairs: aggregate.pairs }).toEqual({ done: [], pairs: 0 });
    expect(v2.requests()).toBeLessThanOrEqual(50);
  });

  test("hostile answers are a word of ours each", async () => {
    const { run, v1 } = await bed(4);
    for (const [answer, why] of [
      [respond("200 OK", "<html>"), "v2 not-json"],
      [respond("200 OK", "[".repeat(100_000)), "v2 not-json"],
      [respond("302 Found", "", ["Location: http://127.0.0.1/"]), "v2 302"],
      [respond("429 Too Many Requests", "{}"), "v2 429"],
    ] as const) {
      await using server = await serve(answer);
      const ask = start(v1.url, server.url.origin);
      expect((await runParity({ ...run, ask })).ending, why).toEqual({ kind: "unanswered", why });
    }
  });

  test("a last batch of one that fails is counted, and the run ends", async () => {
    const { run, v1, v2 } = await bed(31);
    const answering = start(v1.url, v2.url);
    const last = run.ids.at(-1)!;
    let isLast = false;
    const ask: Ask = async (side, path) => {
      if (side === "v1") isLast = path.endsWith(last);
      return side === "v2" && isLast ? { kind: "failed", why: "500" } : answering(side, path);
    };
    const { ending, aggregate } = await runParity({ ...run, ask, lanes: 1 });
    expect(ending).toEqual({ kind: "finished" });
    expect(aggregate).toMatchObject({ pairs: 30, skipped: { "v2 500": 1 } });
  });

  test("a list that is split over two of V2's counts a passport once", async () => {
    const { run, v2 } = await bed(12);
    const mapping = decidedMapping(v2.url);
    const row = mapping.fields["passport_credentials[].name"];
    if (!row || !("path" in row)) throw new Error("no row");
    mapping.fields["passport_credentials[].name"] = { ...row, path: "elsewhere[].name" } as typeof row;
    const { aggregate } = await runParity({ ...run, mapping, plan: planParity(mapping) });
    const { compared, raw } = aggregate.fields["passport_credentials[]"]!;
    expect(compared).toBe(12);
    expect(Object.values(raw).reduce((sum, times) => sum + (times ?? 0), 0)).toBe(12);
  });

  test("takes its ids from the list, page by page, as many as it is asked for", async () => {
    const { run, v1 } = await bed(60);
    expect(await sampleIds(run.ask, 30)).toMatchObject({ requests: 2, ids: { length: 30 } });
    expect(await sampleIds(run.ask, 60, limitedBudget(1))).toMatchObject({
      requests: 1,
      ids: { length: 25 },
    });
    const all = await sampleIds(run.ask, 500);
    expect(new Set(all.ids).size).toBe(60);
    expect(all.ids.map(Number).sort((a, b) => a - b)[0]).toBe(v1.population.idOf(0));
  });
});

describe("the probe state", () => {
  test("lets no more leave in any window than it says, and no more at once", async () => {
    const rateLimiter = createRateLimiter(3);
    const burst = { requests: 5, windowMs: 200 };
    const left: number[] = [];
    const startedAt = performance.now();
    let inside = 0;
    await Promise.all(
      Array.from({ length: 18 }, async () => {
        const leave = await rateLimiter.enter("http://a", burst);
        left.push(performance.now());
        expect(++inside).toBeLessThanOrEqual(3);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
        leave();
      }),
    );
    // Written down late, an instant can only be later than it was: from the start this bound is exact.
    for (const [index, at] of left.entries()) {
      expect(at - startedAt).toBeGreaterThanOrEqual(Math.floor(index / 5) * 200);
    }
    // Between two of them the moments of writing differ, by far less than half a window.
    for (let index = 5; index < left.length; index++) {
      expect((left[index] ?? 0) - (left[index - 5] ?? 0)).toBeGreaterThan(100);
    }
  });

  test("gives a server the rest that it asks for, and the other one none", async () => {
    await using tired = await serve(respond("429 Too Many Requests", "{}", ["Retry-After: 1"]));
    const { run, v1 } = await bed(1);
    const ask = start(v1.url, tired.url.origin);
    expect(await ask("v2", "/profile")).toEqual({ kind: "failed", why: "429" });
    const startedAt = performance.now();
    const order: string[] = [];
    await Promise.all([
      ask("v2", "/profile").then(() => order.push("v2")),
      ask("v1", `/api/v1/passports/${run.ids[0]}`).then(() => order.push("v1")),
    ]);
    expect(order).toEqual(["v1", "v2"]);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });
});

describe("a cohort", () => {
  test("is a file of ids and wallets; what is neither is told by its line alone", () => {
    const wallet = `0x${"aB".repeat(20)}`;
    expect(readCohort(`\uFEFF# ours\n12\r\n\n ${wallet} \n`)).toEqual({ ok: true, ids: ["12", wallet] });
    const twice = [12, wallet, 12, wallet.toLowerCase()].join("\n");
    expect(readCohort(twice)).toEqual({ ok: true, ids: ["12", wallet] });
    expect(readCohort("12\nAda Lovelace\n-1\n0x12\n")).toEqual({ ok: false, lines: [2, 3, 4], count: 3 });
  });

  test("is sampled evenly, and the same each time", () => {
    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    expect(sampleCohort(ids, 4)).toEqual(["0", "25", "50", "75"]);
    expect(sampleCohort(ids, 1_000)).toEqual(ids);
  });

  test("is told apart by too few bits to find an id by trying", () => {
    const keys = Array.from({ length: 200_000 }, (_, id) => fingerprintCohort([String(id)]).check);
    const same = keys.filter((check) => check === keys[4_711]).length;
    expect(same).toBeGreaterThan(1);
    expect(fingerprintCohort(["1", "2"])).not.toEqual(fingerprintCohort(["2", "1"]));
  });

  test("is done where a range says so, in whatever order batches end", () => {
    const batches = fc.uniqueArray(fc.nat(49), { maxLength: 50 });
    fc.assert(
      fc.property(batches, (numbers) => {
        const done = numbers.reduce<Range[]>((ranges, n) => addRange(ranges, [n * 2, n * 2 + 2]), []);
        expect(countPositions(done)).toBe(numbers.length * 2);
        const gaps = gapsBetween(done, 100);
        expect(countPositions(gaps)).toBe(100 - numbers.length * 2);
        for (const [from, until] of done) expect(gaps.some(([a, b]) => a < until && from < b)).toBe(false);
        expect(addRange(done, [0, 100])).toEqual([[0, 100]]);
      }),
    );
  });
});

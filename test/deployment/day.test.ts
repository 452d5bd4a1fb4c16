// A day of V1 on moto, read by AWS's own command line: every statistic is the one that the bodies of V1 give by hand.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toDataPoints, units } from "../../lib/assess/metrics.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { createCheckPublisher, createCloudWatchPublisher } from "../../lib/aws/cloudwatch.ts";
import { createLedger, createUnpublished } from "../../lib/aws/ledger.ts";
import { loadConfig } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { runTick } from "../../lib/probe/tick.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { tableInput } from "../aws/dynamo-server.ts";
import { type Aws, region, startAws } from "./moto.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const startMs = Date.parse("2026-11-10T00:00:00Z");
const noonMs = startMs + 12 * hourMs;
/** The first scheduled check of a passport from here on gets a 401. */
const refusedFromMs = startMs + 9 * hourMs;
/** From here on the passport announces its end. */
const sunsetFromMs = startMs + 15 * hourMs;
const sunset = new Date(startMs + 45 * dayMs + 6 * hourMs);
/** CloudWatch accepts nothing: everything arrives later. */
const outage = { fromMs: startMs + 17 * hourMs, untilMs: startMs + 20 * hourMs };

/** The first checks of all are made at once, and fall into no slot: they are of the hour before. */
let nowMs = startMs - hourMs;
let aws: Aws;
const close: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of close.reverse()) await end();
});

type Served = { atMs: number; url: string; status: number; dates: string[] };
const served: Served[] = [];

/** The dates of the list's records, which stay as they are all day; those of the passport are a month old. */
const dateOf = (isList: boolean, index: number) =>
  new Date(startMs - (isList ? 0 : 30 * dayMs) - (index * index * 37 + 5) * minuteMs).toISOString();

/** Bodies of the simulator with dates, a type, a status and a header that this test decides. */
async function startV1() {
  const simulator = await startSimulator({ passports: 60, clock: { now: () => startMs } });
  close.push(() => simulator.close());
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    const isPassport = /\/passports\/\d+/.test(url);
    const isRefused = isPassport && nowMs >= refusedFromMs && !served.some(({ status }) => status === 401);
    const body = (await (await fetch(`${simulator.url}${url}`)).json()) as { passport: { score: unknown } };
    const dates: string[] = [];
    const date = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const record = value as Record<string, unknown>;
      if ("last_calculated_at" in record) {
        const at = dateOf(!isPassport, dates.length);
        record.last_calculated_at = at;
        dates.push(at);
      }
      for (const one of Object.values(record)) date(one);
    };
    date(body);
    if (isPassport && nowMs >= noonMs) body.passport.score = String(body.passport.score);
    served.push({ atMs: nowMs, url, status: isRefused ? 401 : 200, dates: isRefused ? [] : dates });
    if (isPassport && nowMs >= sunsetFromMs) response.setHeader("sunset", sunset.toUTCString());
    response.writeHead(isRefused ? 401 : 200, {
      "content-type": "application/json",
      date: new Date(nowMs).toUTCString(),
    });
    response.end(JSON.stringify(isRefused ? { error: "unauthorized" } : body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  close.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function playDay(): Promise<void> {
  const url = await startV1();
  const rare = ["anonymous", "bad-key", "unknown-id", "by-other-id", "keyword", "second-page"];
  const variants = Object.fromEntries(rare.map((name) => [name, false]));
  const loaded = loadConfig({
    fileText: JSON.stringify({
      baseUrl: url,
      cadence: { calm: "30m" },
      budget: { monthlyRequests: 9_000 },
      variants,
    }),
    env: {},
    flags: {},
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const { config } = loaded;
  const options = {
    region,
    endpoint: aws.endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const client = new DynamoDBClient(options);
  await client.send(new CreateTableCommand({ TableName: "day", ...tableInput() }));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName: "day" });
  const table = { tableName: "day", retentionDays: 400, client };
  const now = () => nowMs;
  const ledger = createLedger({ ...table, nowMs: now });
  const send = createCloudWatchPublisher({
    namespace: "V1Watch",
    units,
    nowMs: now,
    onDropped: (cause) => expect.fail(cause),
    client: new CloudWatchClient(options),
  });
  const probers = endpointIds.map((only: EndpointId) => ({
    only,
    dueMs: nowMs,
    publisher: createCheckPublisher({
      endpoint: only,
      unpublished: createUnpublished(table),
      async publish(points) {
        if (nowMs >= outage.fromMs && nowMs < outage.untilMs) throw new Error("out");
        await send(points);
      },
      toDataPoints: (observation) => toDataPoints(observation, {}),
      nowMs: now,
      onFailed() {},
    }),
  }));
  for (; nowMs < startMs + dayMs; nowMs += minuteMs)
    for (const prober of probers) {
      if (nowMs < prober.dueMs) continue;
      const { observations, nextTickMs } = await runTick({
        tickMs: nowMs,
        config,
        ledger,
        readKey: async () => ({ kind: "none" }),
        nowMs: now,
        only: prober.only,
        allowLoopback: true,
      });
      prober.dueMs = nextTickMs;
      expect(await recordTick({ ledger }, observations)).toBeUndefined();
      await prober.publisher.publish(
        observations.map(({ id }) => id),
        Infinity,
      );
    }
  for (const { publisher } of probers) expect(publisher.hasMore()).toBe(false);
}

type Statistics = { samples: number; sum: number; average: number; minimum: number; maximum: number };

/** Of the whole day, as AWS's own command line reads it; undefined where there is no data. */
async function read(metric: string, endpoint?: EndpointId): Promise<Statistics | undefined> {
  const dimensions = endpoint ? ["--dimensions", `Name=Endpoint,Value=${endpoint}`] : [];
  const { Datapoints } = (await aws.cli(
    ...["cloudwatch", "get-metric-statistics", "--namespace", "V1Watch", "--metric-name", metric],
    ...dimensions,
    ...["--statistics", "SampleCount", "Sum", "Average", "Minimum", "Maximum", "--period", "86400"],
    ...["--start-time", new Date(startMs).toISOString()],
    ...["--end-time", new Date(startMs + dayMs).toISOString()],
  )) as { Datapoints: Record<string, number>[] };
  expect(Datapoints.length).toBeLessThanOrEqual(1);
  const [day] = Datapoints;
  return (
    day && {
      samples: day.SampleCount!,
      sum: day.Sum!,
      average: day.Average!,
      minimum: day.Minimum!,
      maximum: day.Maximum!,
    }
  );
}

function byHand(values: readonly number[]): Statistics {
  const sum = values.reduce((all, value) => all + value, 0);
  return {
    samples: values.length,
    sum,
    average: sum / values.length,
    minimum: Math.min(...values),
    maximum: Math.max(...values),
  };
}

/** The scheduled ones of the day's requests for an endpoint: every 30 minutes from the first on. */
function scheduledOf(endpoint: EndpointId): Served[] {
  const path = {
    "passport-list": /\/passports(?:\?|$)/,
    passport: /\/passports\/\d+/,
    "passport-credentials": /\/passport_credentials/,
  }[endpoint];
  const own = served.filter(({ url, atMs }) => path.test(url) && atMs >= startMs);
  return own.filter(({ atMs }) => (atMs - own[0]!.atMs) % (30 * minuteMs) === 0);
}

async function expectStatistics(metric: string, endpoint: EndpointId | undefined, values: readonly number[]) {
  const found = await read(metric, endpoint);
  const expected = byHand(values);
  for (const name of Object.keys(expected) as (keyof Statistics)[])
    expect(found?.[name], `${metric} ${endpoint ?? ""} ${name}`).toBeCloseTo(expected[name], 3);
}

beforeAll(async () => {
  aws = await startAws();
  close.push(() => aws.stop());
  await playDay();
});

test("One 401 in 48 checks is an average of 0.0208, and no failure", async () => {
  const scheduled = scheduledOf("passport");
  expect(scheduled).toHaveLength(48);
  const refused = scheduled.map(({ status }) => (status === 401 ? 1 : 0));
  expect(refused.reduce<number>((sum, one) => sum + one, 0)).toBe(1);
  await expectStatistics("Unauthorized", "passport", refused);
  expect((await read("Unauthorized", "passport"))?.average).toBeCloseTo(0.0208, 4);
  for (const endpoint of endpointIds) {
    await expectStatistics(
      "RequestFailed",
      endpoint,
      Array.from({ length: 48 }, () => 0),
    );
    if (endpoint !== "passport")
      await expectStatistics(
        "Unauthorized",
        endpoint,
        Array.from({ length: 48 }, () => 0),
      );
  }
});

test("A field with another type from noon on is one breaking difference in every response since", async () => {
  const answered = scheduledOf("passport").filter(({ status }) => status === 200);
  await expectStatistics(
    "BreakingDrift",
    "passport",
    answered.map(({ atMs }) => (atMs >= noonMs ? 1 : 0)),
  );
  const list = scheduledOf("passport-list").filter(({ status }) => status === 200);
  expect((await read("LatencyMs", "passport-list"))?.samples).toBe(list.length);
});

test("The ages are those of every record of every response of the list", async () => {
  const ages = scheduledOf("passport-list").flatMap(({ atMs, dates }) =>
    dates.map((date) => (atMs - Date.parse(date)) / 1_000),
  );
  await expectStatistics("RecordAgeSeconds", "passport-list", ages);
});

test("The days to an announced end are published from the second response on that announces it", async () => {
  const announcing = scheduledOf("passport").filter(({ atMs }) => atMs >= sunsetFromMs);
  await expectStatistics(
    "DaysToRetirement",
    undefined,
    announcing.slice(1).map(() => 45),
  );
  // V1 is asked without TLS here.
  expect(await read("CertificateDaysLeft")).toBeUndefined();
});

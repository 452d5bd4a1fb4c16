// Against a server of our own that speaks as much of CloudWatch's JSON protocol as PutMetricData needs. It shows
// what is sent and what is kept; whether CloudWatch would take it is shown by `npm run test:aws`, on moto.

import { beforeEach, describe, expect, test, vi } from "vitest";
import { toDataPoints, units } from "../../lib/assess/metrics.ts";
import { createCloudWatchPublisher } from "../../lib/aws/cloudwatch.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import { observationOf, stepsOf } from "../assess/observation-builder.ts";
import { startCloudWatch } from "./cloudwatch-server.ts";

const cloudWatch = await startCloudWatch();
const { calls, answers, client } = cloudWatch;

beforeEach(() => cloudWatch.clear());

const nowMs = Date.parse("2026-11-15T12:00:00Z");
const dayMs = 86_400_000;

function deliver(points: readonly MetricPoint[], now = nowMs) {
  const said: string[] = [];
  const publish = createCloudWatchPublisher({
    namespace: "V1Watch",
    units,
    nowMs: () => now,
    onDropped: (cause) => said.push(cause),
    client,
  });
  return { said, done: publish(points) };
}

const success: MetricPoint = {
  metric: "RequestFailed",
  endpoint: "passport",
  atMs: nowMs - 90_000,
  values: [1],
};
const beat: MetricPoint = { metric: "OpenIncidents", atMs: nowMs - 90_000, values: [1] };

describe("CloudWatch gets", () => {
  test("CloudWatch gets one call for a check, with the check's time, its dimension and the unit of each metric", async () => {
    const ages: MetricPoint = {
      metric: "RecordAgeSeconds",
      endpoint: "passport",
      atMs: nowMs,
      values: [60, 90.5],
      counts: [1, 24],
    };
    await deliver([success, beat, ages]).done;
    expect(cloudWatch.target()).toMatch(/\.PutMetricData$/);
    expect(calls).toEqual([
      {
        Namespace: "V1Watch",
        MetricData: [
          {
            MetricName: "RequestFailed",
            Timestamp: (nowMs - 90_000) / 1_000,
            Unit: "Count",
            Values: [1],
            Counts: [1],
            Dimensions: [{ Name: "Endpoint", Value: "passport" }],
          },
          {
            MetricName: "OpenIncidents",
            Timestamp: (nowMs - 90_000) / 1_000,
            Unit: "Count",
            Values: [1],
            Counts: [1],
          },
          {
            MetricName: "RecordAgeSeconds",
            Timestamp: nowMs / 1_000,
            Unit: "Seconds",
            Values: [60, 90.5],
            Counts: [1, 24],
            Dimensions: [{ Name: "Endpoint", Value: "passport" }],
          },
        ],
      },
    ]);
  });

  test("CloudWatch gets no data point older than two weeks or more than two hours ahead; it is logged instead", async () => {
    const ages = [-14 * dayMs - 1, -14 * dayMs, 7_200_000, 7_200_001];
    const { said, done } = deliver(ages.map((ms) => ({ ...beat, atMs: nowMs + ms })));
    await done;
    expect(calls[0]!.MetricData.map(({ Timestamp }) => Timestamp * 1_000 - nowMs)).toEqual([
      -14 * dayMs,
      7_200_000,
    ]);
    expect(calls[0]!.MetricData).toHaveLength(2);
    expect(said).toEqual([
      "A data point was not sent: OpenIncidents is older than two weeks, which CloudWatch refuses.",
      "A data point was not sent: OpenIncidents is more than two hours in the future, which CloudWatch refuses.",
    ]);
  });

  test("CloudWatch gets no dimension for a data point of the whole watch", async () => {
    await deliver([{ metric: "OpenIncidents", atMs: nowMs, values: [1] }]).done;
    expect(calls[0]!.MetricData[0]).not.toHaveProperty("Dimensions");
  });

  test("CloudWatch gets no call when there are no data points", async () => {
    await deliver([]).done;
    expect(calls).toEqual([]);
  });

  test("CloudWatch gets at most 150 values a data point, all values and counts kept", async () => {
    const sizes = [1, 150, 151, 400];
    const points = sizes.map(
      (size): MetricPoint => ({
        ...success,
        metric: "RecordAgeSeconds",
        values: Array.from({ length: size }, (_, index) => index + 0.5),
        counts: Array.from({ length: size }, (_, index) => index + 1),
      }),
    );
    await deliver(points).done;
    const data = calls.flatMap(({ MetricData }) => MetricData);
    expect(data.map(({ Values }) => Values.length)).toEqual([1, 150, 150, 1, 150, 150, 100]);
    for (const { Values, Counts } of data) expect(Counts).toEqual(Values.map((value) => value + 0.5));
    expect(data.flatMap(({ Values }) => Values)).toEqual(points.flatMap(({ values }) => values));
  });
});

describe("a call that fails", () => {
  test.each([
    [400, "ThrottlingException"],
    [500, "InternalServiceFault"],
    [503, "ServiceUnavailable"],
  ])(
    "A call that fails with %d %s rejects, so that a later run publishes with the same time",
    async (status, type) => {
      answers.push({ status, type });
      await expect(deliver([success]).done).rejects.toThrow();
      expect(calls).toEqual([]);
      await deliver([success], nowMs + 3 * 3_600_000).done;
      expect(calls[0]!.MetricData[0]!.Timestamp * 1_000).toBe(success.atMs);
    },
  );

  test("A call that fails is made twice at most", async () => {
    for (const [name, value] of Object.entries({
      AWS_ENDPOINT_URL: cloudWatch.endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    }))
      vi.stubEnv(name, value);
    const publish = createCloudWatchPublisher({
      namespace: "V1Watch",
      units,
      nowMs: () => nowMs,
      onDropped: () => {},
    });
    answers.push(...Array.from({ length: 3 }, () => ({ status: 500, type: "InternalServiceFault" })));
    await expect(publish([beat])).rejects.toThrow();
    vi.unstubAllEnvs();
    expect(answers).toHaveLength(1);
  });
});

describe("what CloudWatch computes", () => {
  const hourMs = 3_600_000;
  const startMs = Date.parse("2026-11-14T00:00:00Z");
  const unauthorized = { namespace: "V1Watch", name: "Unauthorized" };
  const passport = { Name: "Endpoint", Value: "passport" };

  /** One call for each check, as the probers make them. */
  async function publish(checks: Parameters<typeof observationOf>[0][]) {
    for (const check of checks) {
      const observation = observationOf({ endpoint: "passport", ...check });
      await deliver(toDataPoints(observation, {}), startMs + 24 * hourMs).done;
    }
  }

  test("CloudWatch computes an average of 0.021 from 47 good checks and one 401, whatever the confirmations got", async () => {
    const scheduled = Array.from({ length: 48 }, (_, index) => ({
      at: startMs + index * 30 * 60_000,
      status: index === 20 ? 401 : 200,
    }));
    const confirmations = [1, 2, 3].map((minute) => ({
      at: startMs + 10 * hourMs + minute * 60_000,
      status: 401,
      reason: "confirmation" as const,
    }));
    await publish([...scheduled, ...confirmations]);
    expect(calls).toHaveLength(51);
    const day = { fromMs: startMs, untilMs: startMs + 24 * hourMs, periodSeconds: 86_400 };
    const [rate] = await cloudWatch.read({ ...unauthorized, dimension: passport }, day);
    expect(rate?.samples).toBe(48);
    expect(rate?.average).toBeCloseTo(0.021, 3);
    const [confirmed] = await cloudWatch.read(
      { ...unauthorized, name: "ConfirmationFailed", dimension: passport },
      day,
    );
    expect(confirmed).toMatchObject({ samples: 3, average: 1 });
  });

  test.each([
    ["25 records", Array.from({ length: 25 }, (_, index) => 7_800.5 + index * 86_400)],
    ["151 records, more than one datum holds", Array.from({ length: 151 }, (_, index) => index * 977.3)],
    ["100 records of 3 ages", Array.from({ length: 100 }, (_, index) => [60, 3_600, 2_592_000][index % 3]!)],
  ])("CloudWatch computes the statistics of the records from the ages of %s", async (_, given) => {
    const ages = given.toSorted((a, b) => a - b).map((age) => Math.round(age * 10) / 10);
    await publish([{ at: startMs, staleness: { ageSteps: stepsOf(ages), dated: ages.length } }]);
    expect(
      Math.max(...calls.flatMap(({ MetricData }) => MetricData.map(({ Values }) => Values.length))),
    ).toBe(Math.min(150, new Set(ages).size));
    const [read] = await cloudWatch.read(
      { namespace: "V1Watch", name: "RecordAgeSeconds", dimension: passport },
      { fromMs: startMs, untilMs: startMs + 24 * hourMs, periodSeconds: 86_400 },
    );
    expect(read).toMatchObject({ minimum: ages[0], maximum: ages.at(-1), samples: ages.length });
    expect(read?.average).toBeCloseTo(ages.reduce((sum, age) => sum + age, 0) / ages.length, 3);
  });
});

// A server that speaks CloudWatch's JSON protocol as far as PutMetricData and GetMetricStatistics: it stores what is
// sent, and computes statistics from it with the function that evaluates alarms on one machine.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { CloudWatchClient, GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { afterAll } from "vitest";
import { aggregate } from "../stack/evaluate-alarm.ts";

type Dimension = { Name: string; Value: string };

export type Datum = {
  MetricName: string;
  Timestamp: number;
  Unit: string;
  Values: number[];
  Counts: number[];
  Dimensions?: Dimension[];
};

export type Call = { Namespace: string; MetricData: Datum[] };

type Query = {
  Namespace: string;
  MetricName: string;
  Dimensions?: Dimension[];
  StartTime: number;
  EndTime: number;
  Period: number;
};

/** A data point of the server, and its period's start in milliseconds. */
export type Statistic = { atMs: number; average: number; minimum: number; maximum: number; samples: number };

const keyOf = ({ Namespace, MetricName, Dimensions = [] }: Query | (Datum & { Namespace: string })) =>
  JSON.stringify([Namespace, MetricName, ...Dimensions.map(({ Name, Value }) => [Name, Value])]);

/** `onEnd` gets what stops the server: after all tests of the file, where nothing else is given. */
export async function startCloudWatch(onEnd: (stop: () => Promise<void>) => void = afterAll) {
  const calls: Call[] = [];
  /** Answers to the next calls; then 200. */
  const answers: { status: number; type: string }[] = [];
  const data = new Map<string, Datum[]>();
  let lastTarget = "";

  function store(call: Call): object {
    calls.push(call);
    for (const datum of call.MetricData) {
      const key = keyOf({ Namespace: call.Namespace, ...datum });
      data.set(key, [...(data.get(key) ?? []), datum]);
    }
    return {};
  }

  function query(wanted: Query): object {
    const periods = new Map<number, Datum[]>();
    for (const datum of data.get(keyOf(wanted)) ?? []) {
      if (datum.Timestamp < wanted.StartTime || datum.Timestamp >= wanted.EndTime) continue;
      const start = Math.floor(datum.Timestamp / wanted.Period) * wanted.Period;
      periods.set(start, [...(periods.get(start) ?? []), datum]);
    }
    const Datapoints = [...periods].map(([Timestamp, own]) => {
      const samples = own.flatMap(({ Values, Counts }) =>
        Values.map((value, index) => ({ value, count: Counts[index] ?? 1 })),
      );
      return {
        Timestamp,
        Average: aggregate(samples, "Average"),
        Minimum: aggregate(samples, "Minimum"),
        Maximum: aggregate(samples, "Maximum"),
        SampleCount: aggregate(samples, "SampleCount"),
      };
    });
    return { Label: wanted.MetricName, Datapoints };
  }

  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    lastTarget = String(request.headers["x-amz-target"]);
    const answer = answers.shift() ?? { status: 200, type: "" };
    const isOk = answer.status === 200;
    const input = JSON.parse(body.toString("utf8"));
    const output = lastTarget.endsWith(".GetMetricStatistics")
      ? query(input as Query)
      : isOk && store(input as Call);
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(isOk ? output : { __type: answer.type, message: "no" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new CloudWatchClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  onEnd(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  return {
    endpoint,
    client,
    calls,
    answers,
    target: () => lastTarget,
    clear() {
      for (const list of [calls, answers]) list.length = 0;
      data.clear();
    },
    /** Asked through the SDK's client; oldest first. */
    async read(
      metric: { namespace: string; name: string; dimension?: Dimension | undefined },
      range: { fromMs: number; untilMs: number; periodSeconds: number },
    ): Promise<Statistic[]> {
      const { Datapoints = [] } = await client.send(
        new GetMetricStatisticsCommand({
          Namespace: metric.namespace,
          MetricName: metric.name,
          ...(metric.dimension && { Dimensions: [metric.dimension] }),
          StartTime: new Date(range.fromMs),
          EndTime: new Date(range.untilMs),
          Period: range.periodSeconds,
          Statistics: ["Average", "Minimum", "Maximum", "SampleCount"],
        }),
      );
      return Datapoints.map(({ Timestamp, Average = 0, Minimum = 0, Maximum = 0, SampleCount = 0 }) => ({
        atMs: Timestamp?.getTime() ?? 0,
        average: Average,
        minimum: Minimum,
        maximum: Maximum,
        samples: SampleCount,
      })).sort((one, other) => one.atMs - other.atMs);
    },
  };
}

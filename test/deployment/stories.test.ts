// The same on AWS: the bundles of the functions, in AWS's runtime client and over a table that moto plays, give the same
// incidents as `v1watch replay` for parts of four stories. Minutes in which nothing is due are left out.

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forCloudWatch } from "../../lib/assess/alarms/published.ts";
import { metrics, toDataPoints } from "../../lib/assess/metrics.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { findNextTick, planRequests } from "../../lib/probe/schedule/plan.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { collect } from "../local/samples.ts";
import { playStory } from "../stories/play.ts";
import { MINUTE, parseInstant, readStory, type Story } from "../stories/types.ts";
import { bundleFunctions, type FunctionName, putKey, startBundledWatch } from "./bundled-watch.ts";
import { type Aws, startAws } from "./moto.ts";

/** The part of each story that is played, in offsets from its start. Nothing in them is left to chance. */
const parts: [name: string, cut: { from: string; to: string }][] = [
  ["outage-starts-with-one-endpoint", { from: "5h", to: "12h" }],
  ["key-refused-then-everybody-refused", { from: "22h", to: "1d10h" }],
  ["drift-returns-after-an-end", { from: "1d1h", to: "1d12h" }],
  ["sunset-announced-on-all-endpoints", { from: "1d6h", to: "1d10h" }],
];

const cloudWatch = await startCloudWatch();
const bundles = bundleFunctions();
let aws: Aws;

beforeAll(async () => {
  aws = await startAws();
  await putKey(aws);
});

afterAll(async () => {
  await aws?.stop();
  bundles.remove();
});

/** Of an incident's alerts all that does not depend on seconds. */
const outline = (alerts: readonly Alert[]) =>
  alerts
    .filter(({ event }) => event !== "digest")
    // The alerts of one instant have no order.
    .sort((a, b) => (a.at === b.at ? (a.rule < b.rule ? -1 : 1) : a.at < b.at ? -1 : 1))
    .map(({ event, severity, rule, scope, endpoints, facts }) => ({
      event,
      severity,
      rule,
      scope,
      endpoints: endpoints.toSorted(),
      firstBad: facts?.firstBadAt.slice(0, 16),
      firstGood: facts?.firstGoodAfterAt?.slice(0, 16) ?? null,
    }));

/** `published`, `expected`: the data points of checks in CloudWatch, and those of the observations in the table. */
type Invocation = { invocations: number; alerts: Alert[]; published: string[]; expected: string[] };

const ofChecks = new Set<string>(
  metrics.filter(({ when }) => when === "check" || when === "event").map(({ name }) => name),
);
const pointText = (point: {
  metric: string;
  endpoint?: string | undefined;
  atMs: number;
  samples: [number, number][];
}) => JSON.stringify([point.metric, point.endpoint ?? "", new Date(point.atMs).toISOString(), point.samples]);
const pair = (values: readonly number[], counts: readonly number[] | undefined) =>
  values.map((value, index): [number, number] => [value, counts?.[index] ?? 1]);

/** Those of checks that were published since this was called last. */
const takePublished = (): string[] =>
  cloudWatch.calls
    .splice(0)
    .flatMap(({ MetricData }) => MetricData)
    .filter(({ MetricName }) => ofChecks.has(MetricName))
    .map(({ MetricName, Dimensions, Timestamp, Values, Counts }) =>
      pointText({
        metric: MetricName,
        endpoint: Dimensions?.[0]?.Value,
        atMs: Math.round(Timestamp * 1_000),
        samples: pair(Values, Counts),
      }),
    )
    .sort();

async function playOnAws(story: Story, cut: { from: string; to: string }): Promise<Invocation> {
  const watch = await startBundledWatch({
    aws,
    cloudWatchUrl: cloudWatch.endpoint,
    folder: bundles.folder,
    story,
    name: story.name,
  });
  const { config, ledger, alerts } = watch;
  let nowMs = parseInstant(story, cut.from);
  let invocations = 0;
  const invoke = async (name: FunctionName) => {
    invocations += 1;
    const answer = await watch.invoke(name, nowMs);
    expect(answer.ok, JSON.stringify(answer)).toBe(true);
  };
  let isNew = true;
  while (nowMs < parseInstant(story, cut.to)) {
    watch.turnTo(nowMs + 1_000);
    const { value: probeState } = (await ledger.readProbeState()) ?? { value: emptyProbeState };
    const due = endpointIds.filter(
      (endpoint) => planRequests(nowMs, probeState, config, endpoint).requests.length > 0,
    );
    // The assessment of a minute begins with its checks, and does not see them.
    if (isNew) await invoke("assess");
    await Promise.all(due.map(invoke));
    isNew = due.length > 0;
    const nextMs = Math.min(...endpointIds.map((one) => findNextTick(nowMs, probeState, config, one)));
    nowMs = isNew ? nowMs + MINUTE : Math.max(nowMs + MINUTE, Math.ceil(nextMs / MINUTE) * MINUTE);
  }
  const observations = await collect(ledger.observations(parseInstant(story, cut.from), nowMs + MINUTE));
  await watch.close();
  const expected = observations
    .flatMap((one) => forCloudWatch(toDataPoints(one, {})))
    .map(({ values, counts, ...point }) => pointText({ ...point, samples: pair(values, counts) }))
    .sort();
  return { invocations, alerts, published: takePublished(), expected };
}

test.each(parts)(
  "The story %s has the same incidents on AWS as in a replay, and publishes the data points of the stored observations",
  async (name, cut) => {
    const story = readStory(join(import.meta.dirname, "..", "stories", "stories", `${name}.json`));
    const { messages } = await playStory(story, cut);
    const local = messages.map(({ alert }) => alert);
    const startedMs = performance.now();
    const { alerts, invocations, published, expected } = await playOnAws(story, cut);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(
      `${name}: ${invocations} invocations and ${published.length} data points in ${seconds} s: ${alerts.map(({ subject }) => subject).join(" · ")}`,
    );
    expect(outline(alerts)).toEqual(outline(local));
    expect(outline(alerts).length).toBeGreaterThan(0);
    expect(published).toEqual(expected);
    expect(published.length).toBeGreaterThan(0);
  },
);

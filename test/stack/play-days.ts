// Days of the deployed watch, with a fault of V1 or of AWS from the second noon on: what the assessment tells, and what the
// alarms of the template tell of the very same checks. Probers and assessment are the product's; their data points are what the
// alarms read. Lambda's and DynamoDB's own metrics follow from the runs.
import { forCloudWatch } from "../../lib/assess/alarms/published.ts";
import { toDataPoints } from "../../lib/assess/metrics.ts";
import { createDeliveryMemory, deliverPending } from "../../lib/delivery/outbox.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Outbox, Receiver } from "../../lib/ports.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { planFaults } from "../faults/plan.ts";
import { breakPorts } from "../faults/ports.ts";
import { createChance } from "../random.ts";
import { playStoryByFunctions, type Surroundings } from "../stories/play.ts";
import { type Behaviour, DAY, ENDPOINTS, HOUR, MINUTE, STORY_KEY } from "../stories/types.ts";
import { playAlarms, readMetricAlarm, type Series } from "./play-alarms.ts";
import { named, type Resources } from "./synthesis.ts";

export type DaysFault = {
  /** What V1 does; nothing where the fault is one of AWS. */
  v1?: Pick<Behaviour, "effect" | "probability">;
  aws?: "no prober" | "no key" | "throttled table";
  /** Every prober starts up to 90 s after its tick. */
  isLate?: boolean;
  /** How long it lasts; a day where it is left out. */
  days?: number;
};

/** Of the assessment, from the second noon on. "is refused": SNS does not take its alerts. */
export const conditions = ["works", "throws", "is refused"] as const;
export type Condition = (typeof conditions)[number];

/** `minute` is counted from the beginning of the fault. */
export type Told = {
  minute: number;
  by: "assessment" | "CloudWatch";
  what: string;
  state: "wrong" | "still wrong" | "over";
};

type Input = { fault: DaysFault; resources: Resources; refusing: Receiver };

const startMs = Date.parse("2026-03-02T00:00:00Z");
const onsetMs = startMs + 1.5 * DAY;
/** After the fault, for what is told of its end. */
const afterDays = 1;
/** The alarms are played from here on: an hour before the fault, when they have read all that they read. */
const alarmsFromMs = onsetMs - 2 * HOUR;

/** What a run of the assessment published, and the alerts that would still wait if SNS had refused all since the onset. */
type Assessed = { atMs: number; isFailed: boolean; points: MetricPoint[]; undelivered: number };

async function play({ fault, refusing }: Input) {
  const { v1, aws, isLate = false, days = 1 } = fault;
  const endMs = onsetMs + days * DAY;
  const isOn = (atMs: number) => atMs >= onsetMs && atMs < endMs;
  const chance = createChance(1);
  const assessments: Assessed[] = [];
  const probes: { endpoint: string; atMs: number; isFailed: boolean }[] = [];
  let points: MetricPoint[] = [];
  let nowMs = () => startMs;
  /** The outbox of an assessment whose alerts are refused from the onset on. */
  const refused = openMemoryStore(() => nowMs()).outbox;
  const memory = createDeliveryMemory();
  const receiver: Receiver = {
    ...refusing,
    send: async (alert) => (nowMs() < onsetMs ? acceptedByReceiver() : refusing.send(alert)),
  };
  const putTwice = (outbox: Outbox): Outbox => ({
    ...outbox,
    async put(messages) {
      await refused.put(messages);
      return outbox.put(messages);
    },
  });
  const around: Surroundings = {
    assessEveryMinutes: 5,
    lateMs: isLate ? () => Math.floor(chance() * 90_000) : undefined,
    isStarted: (_, atMs) => !(aws === "no prober" && isOn(atMs)),
    readKey: async (atMs) =>
      aws === "no key" && isOn(atMs) ? { kind: "no-secret" } : { kind: "key", key: STORY_KEY },
    wrapPorts(ports) {
      nowMs = ports.nowMs;
      const outages = ["ledger", "outbox"].map((port) => ({ port, fromMs: onsetMs, untilMs: endMs }));
      const plan = planFaults({
        seed: 1,
        share: 0,
        outages: aws === "throttled table" ? outages : [],
        nowMs,
      });
      return breakPorts({ ...ports, outbox: putTwice(ports.outbox), publishMetrics }, plan);
    },
    async onRun({ name, atMs, isFailed }) {
      if (name !== "assess") return void probes.push({ endpoint: name, atMs, isFailed });
      await deliverPending(refused, [receiver], nowMs, { memory });
      const { count } = await refused.undelivered();
      assessments.push({ atMs, isFailed, points, undelivered: count });
      points = [];
    },
  };
  async function publishMetrics(given: readonly MetricPoint[]) {
    points.push(...given);
  }
  const { messages, observations } = await playStoryByFunctions(
    {
      name: "days",
      kind: "fault",
      description: "A fault from the second noon on.",
      start: new Date(startMs).toISOString(),
      days: (endMs - startMs) / DAY + afterDays,
      seed: 1,
      timeline: v1 ? [{ from: "1d12h", to: new Date(endMs).toISOString(), ...v1 }] : [],
      truth: { messages: [], maxPages: 0, maxMessages: 0 },
    },
    around,
  );
  return { messages, observations, assessments, probes, endMs: endMs + afterDays * DAY, isOn };
}

type Days = Awaited<ReturnType<typeof play>>;

/** What CloudWatch has of these days. */
function seriesOf({ fault, resources }: Input, days: Days, condition: Condition): Series {
  const series: Series = new Map();
  const put = (key: string, atMs: number, value: number, count = 1) => {
    const samples = series.get(key) ?? [];
    series.set(key, samples);
    samples.push({ atMs, value, count });
  };
  const publish = ({ metric, endpoint, atMs, values, counts }: MetricPoint) => {
    for (const [index, value] of values.entries())
      put(endpoint ? `${metric} ${endpoint}` : metric, atMs, value, counts?.[index] ?? 1);
  };
  const throttled = (["reads", "writes"] as const).map((verb) => {
    const name = `v1watch-table-throttles-${verb}`;
    return readMetricAlarm(named(resources, "AWS::CloudWatch::Alarm", "AlarmName", name), resources).key;
  });
  const putRun = (name: string, atMs: number, isFailed: boolean) => {
    put(`Errors v1watch-${name}`, atMs, isFailed ? 1 : 0);
    // The first call of every run is a read.
    if (isFailed && fault.aws === "throttled table") put(throttled[0]!, atMs, 1);
  };
  for (const observation of days.observations)
    for (const one of forCloudWatch(toDataPoints(observation, {}))) publish(one);
  for (let atMs = startMs; atMs < days.endMs; atMs += MINUTE)
    for (const endpoint of ENDPOINTS)
      if (fault.aws !== "no prober" || !days.isOn(atMs))
        put(`Invocations v1watch-probe-${endpoint}`, atMs, 1);
  for (const { endpoint, atMs, isFailed } of days.probes) putRun(`probe-${endpoint}`, atMs, isFailed);
  for (const { atMs, isFailed, points, undelivered } of days.assessments) {
    put("Invocations v1watch-assess", atMs, 1);
    const isThrown = condition === "throws" && atMs >= onsetMs;
    putRun("assess", atMs, isFailed || isThrown);
    if (isThrown) continue;
    const isRefused = condition === "is refused" && atMs >= onsetMs;
    for (const one of points)
      publish(isRefused && one.metric === "UndeliveredAlerts" ? { ...one, values: [undelivered] } : one);
  }
  // A late start may be after the next one.
  for (const samples of series.values()) samples.sort((one, other) => one.atMs - other.atMs);
  return series;
}

/** By condition, in the order in which people heard of it. */
export async function playDays(input: Input): Promise<Record<Condition, Told[]>> {
  const days = await play(input);
  const tell = (condition: Condition): Told[] => {
    const { messages } = playAlarms({
      resources: input.resources,
      series: seriesOf(input, days, condition),
      startMs: alarmsFromMs,
      minutes: (days.endMs - alarmsFromMs) / MINUTE,
      fromMinute: 60,
    });
    const ofAlarms = messages
      .filter(({ topic }) => topic === "Watch")
      .map(({ minute, alarm, state }): Told => {
        const atMs = alarmsFromMs + minute * MINUTE;
        return {
          minute: (atMs - onsetMs) / MINUTE,
          by: "CloudWatch",
          what: alarm,
          state: state === "ALARM" ? "wrong" : "over",
        };
      });
    const alerts = days.messages.filter(({ alert }) => alert.event !== "digest");
    const ofAssessment = (condition === "works" ? alerts : []).map(
      ({ atMs, alert }): Told => ({
        minute: (atMs - onsetMs) / MINUTE,
        by: "assessment",
        what: alert.rule,
        state: alert.event === "resolved" ? "over" : alert.event === "reminder" ? "still wrong" : "wrong",
      }),
    );
    return [...ofAssessment, ...ofAlarms].sort((one, other) => one.minute - other.minute);
  };
  return { works: tell("works"), throws: tell("throws"), "is refused": tell("is refused") };
}

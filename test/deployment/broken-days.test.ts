// Hours in which AWS starts the functions twice at once, ends them at their timeout or does not start them: what the packaged bundles
// tell of it, and what the alarms of the template tell of the very same data points and runs. The table in docs/aws/operate.md is
// written from this: npm run test:aws -- broken-days -u
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findNextTick, planRequests } from "../../lib/probe/schedule/plan.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { emptyProbeState, type ProbeState } from "../../lib/records/probe-state.ts";
import { describeDuration } from "../../lib/time.ts";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { configure } from "../stack/configuration.ts";
import { playAlarms, type Series } from "../stack/play-alarms.ts";
import { synthesise } from "../stack/synthesis.ts";
import { MINUTE, type Story } from "../stories/types.ts";
import {
  type AwsCall,
  bundleFunctions,
  type End,
  type FunctionName,
  functionNames,
  putKey,
  startBundledWatch,
} from "./bundled-watch.ts";
import { type Aws, startAws } from "./moto.ts";

process.env.CDK_VALIDATION = "false";

const startMs = Date.parse("2026-03-02T00:00:00Z");
/** Before it, in which the alarms get their first data. */
const leadMinutes = 40;
const onsetMs = startMs + leadMinutes * MINUTE;

type Hours = {
  /** How long it lasts, and how long after it the watch is played on. */
  minutes: number;
  afterMinutes: number;
  /** V1 answers 503 all the time. */
  isV1Down: boolean;
  atOnce?: number;
  isStarted?(name: FunctionName): boolean;
  /** Made anew for each play. */
  ends?: () => (call: AwsCall, isOn: boolean) => End;
  /** What is told, in this order; what of it does not end in the time that is played; and what reaches people twice. */
  expected: string[];
  lasting?: string[];
  twice: string[];
};

/** SNS takes so long for each message that the other invocation at the same time finds it undelivered, too. */
async function wait({ action }: AwsCall): Promise<End> {
  if (action === "Publish") await sleep(1_500);
  return undefined;
}

/** Each message once: SNS has it, and the function is ended before it knows. */
function endOnceAtEachMessage(): (call: AwsCall) => End {
  const seen = new Set<string>();
  return ({ action, body }) => {
    if (action !== "Publish") return undefined;
    const { id } = JSON.parse(JSON.parse(new URLSearchParams(body).get("Message") ?? "{}").http ?? "{}") as {
      id?: string;
    };
    if (id === undefined) throw new Error(`a message without an alert: ${body}`);
    if (seen.has(id)) return undefined;
    seen.add(id);
    return "after";
  };
}

const unhealthy = "v1watch-unhealthy";

const hours: Record<string, Hours> = {
  "V1 is dead, and every function is started twice at once": {
    minutes: 25,
    afterMinutes: 25,
    isV1Down: true,
    atOnce: 2,
    expected: ["down"],
    twice: [],
  },
  "V1 is dead, and the assessment is ended whenever SNS has just taken a message": {
    minutes: 25,
    afterMinutes: 25,
    isV1Down: true,
    ends: endOnceAtEachMessage,
    expected: ["down"],
    twice: ["down", "down is over"],
  },
  "V1 is dead, and the assessment is ended in each run": {
    minutes: 30,
    afterMinutes: 15,
    isV1Down: true,
    ends:
      () =>
      ({ by }, isOn) =>
        isOn && by === "assess" ? "before" : undefined,
    expected: [unhealthy, "down"],
    // It counts the failed runs of two hours.
    lasting: [unhealthy],
    twice: [],
  },
  "the prober of `passport` is ended whenever it has booked a request": {
    minutes: 100,
    afterMinutes: 30,
    isV1Down: false,
    ends:
      () =>
      ({ by, action }, isOn) =>
        isOn && by === "passport" && action === "PutItem" ? "after" : undefined,
    expected: [unhealthy, "silent"],
    // It counts the failed runs of two hours, too.
    lasting: [unhealthy],
    twice: [],
  },
  "V1 is dead, and the table's indexes refuse every read": {
    minutes: 30,
    afterMinutes: 15,
    isV1Down: true,
    ends:
      () =>
      ({ body }, isOn) =>
        isOn && body.includes('"IndexName"') ? "throttled" : undefined,
    expected: [unhealthy, "down"],
    lasting: [unhealthy],
    twice: [],
  },
  "no prober is started": {
    minutes: 150,
    afterMinutes: 15,
    isV1Down: false,
    isStarted: (name) => name === "assess",
    expected: [unhealthy, "silent"],
    twice: [],
  },
};

type Told = {
  atMs: number;
  by: "assessment" | "CloudWatch";
  what: string;
  isEnd: boolean;
  againMs: number[];
};
type Played = { told: Told[]; runs: number; ended: number; requests: string[]; seconds: number };

const cloudWatch = await startCloudWatch();
const bundles = bundleFunctions();
const { resources } = synthesise(configure());
let aws: Aws;
const played = new Map<string, Played>();

const storyOf = ({ isV1Down, minutes }: Hours): Story => ({
  name: "hours",
  kind: "fault",
  description: "A fault of an hour or two.",
  start: new Date(startMs).toISOString(),
  days: 1,
  seed: 1,
  timeline: isV1Down
    ? [{ from: `${leadMinutes}m`, to: `${leadMinutes + minutes}m`, effect: { kind: "respond", status: 503 } }]
    : [],
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
});

async function play(name: string, given: Hours): Promise<Played> {
  const { minutes, afterMinutes, atOnce = 1, isStarted, ends } = given;
  const overMs = onsetMs + minutes * MINUTE;
  const endMs = overMs + afterMinutes * MINUTE;
  const isOn = (atMs: number) => atMs >= onsetMs && atMs < overMs;
  const startedMs = performance.now();
  let nowMs = startMs;
  const end = ends?.();
  const watch = await startBundledWatch({
    aws,
    cloudWatchUrl: cloudWatch.endpoint,
    folder: bundles.folder,
    story: storyOf(given),
    name,
    endsIn: atOnce > 1 ? wait : end && ((call) => end(call, isOn(nowMs))),
  });
  const { config, ledger, alerts } = watch;
  const series: Series = new Map();
  const put = (key: string, atMs: number, value: number, count = 1) =>
    series.set(key, [...(series.get(key) ?? []), { atMs, value, count }]);
  const sent: { atMs: number; alert: Alert }[] = [];
  /** Lambda's second try of a run that failed, a minute after it. */
  const again = new Map<number, { name: FunctionName; tickMs: number }[]>();
  let [runs, ended] = [0, 0];
  let probeState: ProbeState = emptyProbeState;

  async function run(one: FunctionName, tickMs: number, isAgain = false): Promise<void> {
    const processes = Array.from({ length: atOnce }, (_, index) => `${isAgain ? "again" : ""}${index}`);
    const answers = await Promise.all(processes.map((process) => watch.invoke(one, tickMs, process)));
    runs += answers.length;
    for (const { ok } of answers) {
      put(`Errors v1watch-${one === "assess" ? one : `probe-${one}`}`, nowMs, ok ? 0 : 1);
      if (ok) continue;
      ended += 1;
      const next = nowMs + MINUTE;
      if (!isAgain) again.set(next, [...(again.get(next) ?? []), { name: one, tickMs }]);
    }
    sent.push(...alerts.slice(sent.length).map((alert) => ({ atMs: nowMs, alert })));
  }

  for (; nowMs < endMs; nowMs += MINUTE) {
    const scheduled = functionNames.filter((one) => {
      const isTime = one !== "assess" || (nowMs - startMs) % (5 * MINUTE) === 0;
      return isTime && (!isOn(nowMs) || (isStarted?.(one) ?? true));
    });
    for (const one of scheduled)
      put(`Invocations v1watch-${one === "assess" ? one : `probe-${one}`}`, nowMs, atOnce);
    // A prober that has nothing to do is left out.
    const due = scheduled.filter(
      (one) =>
        one !== "assess" &&
        (findNextTick(nowMs - 1, probeState, config, one) <= nowMs ||
          planRequests(nowMs, probeState, config, one).requests.length > 0),
    );
    const seconds = again.get(nowMs) ?? [];
    if (due.length === 0 && seconds.length === 0 && !scheduled.includes("assess")) continue;
    watch.turnTo(nowMs + 1_000);
    // The assessment of a minute begins with its checks, and does not see them.
    if (scheduled.includes("assess")) await run("assess", nowMs);
    await Promise.all([
      ...due.map((one) => run(one, nowMs)),
      ...seconds.map(({ name: one, tickMs }) => run(one, tickMs, true)),
    ]);
    if (due.length + seconds.length > 0) probeState = (await ledger.readProbeState())?.value ?? probeState;
  }
  await watch.close();

  for (const { Namespace, MetricData } of cloudWatch.calls)
    for (const { MetricName, Dimensions, Timestamp, Values, Counts } of Namespace === name ? MetricData : [])
      for (const [index, value] of Values.entries())
        put(
          [MetricName, ...(Dimensions ?? []).map((one) => one.Value)].join(" "),
          Math.round(Timestamp * 1_000),
          value,
          Counts?.[index] ?? 1,
        );
  for (const samples of series.values()) samples.sort((one, other) => one.atMs - other.atMs);
  const { messages } = playAlarms({
    resources,
    series,
    startMs,
    minutes: (endMs - startMs) / MINUTE,
    fromMinute: leadMinutes,
  });
  const ofAlarms = messages
    .filter(({ topic }) => topic === "Watch")
    .map(({ minute, alarm, state }): Told => {
      const atMs = startMs + minute * MINUTE;
      return { atMs, by: "CloudWatch", what: alarm, isEnd: state !== "ALARM", againMs: [] };
    });
  const byId = Map.groupBy(
    sent.filter(({ alert }) => alert.event !== "digest"),
    ({ alert }) => alert.id,
  );
  const ofAssessment = [...byId.values()].map(([first, ...more]): Told => {
    const { atMs, alert } = first!;
    return {
      atMs,
      by: "assessment",
      what: alert.rule,
      isEnd: alert.event === "resolved",
      againMs: more.map((one) => one.atMs),
    };
  });
  return {
    told: [...ofAssessment, ...ofAlarms].sort((one, other) => one.atMs - other.atMs),
    runs,
    ended,
    requests: watch.requests.toSorted(),
    seconds: (performance.now() - startedMs) / 1_000,
  };
}

beforeAll(async () => {
  aws = await startAws();
  await putKey(aws);
  await Promise.all(
    Object.entries(hours).map(async ([name, one], index) => {
      const found = await play(`hours-${index}`, one);
      played.set(name, found);
      console.log(`${name}: ${found.runs} runs in ${found.seconds.toFixed(1)} s`);
    }),
  );
});

afterAll(async () => {
  await aws?.stop();
  bundles.remove();
});

test.each(Object.entries(hours))(
  "%s: what is expected is told with its end, and nothing more often than the table says",
  (name, { expected, lasting = [], twice, ends }) => {
    const { told, ended } = played.get(name)!;
    expect(told.filter(({ isEnd }) => !isEnd).map(({ what }) => what)).toEqual(expected);
    const over = told.filter(({ isEnd }) => isEnd).map(({ what }) => what);
    expect(over.sort()).toEqual(expected.filter((what) => !lasting.includes(what)).sort());
    const again = told.filter(({ againMs }) => againMs.length > 0);
    expect(again.map(({ what, isEnd }) => (isEnd ? `${what} is over` : what))).toEqual(twice);
    for (const { againMs } of again) expect(againMs).toHaveLength(1);
    // What is played is what happened.
    expect(ended > 0).toBe(ends !== undefined);
  },
);

test("Two probers at once send no request twice", () => {
  const [twice, once] = Object.keys(hours).map((name) => played.get(name)!.requests);
  expect(twice).toEqual(once);
  expect(once!.length).toBeGreaterThan(20);
});

const minutesText = (ms: number) => describeDuration(Math.max(0, ms) / 1_000);

/** "`down` 10 min / 10 min": after the fault began, and after it ended. */
function cell(told: readonly Told[], overMs: number): string {
  return told
    .filter(({ isEnd }) => !isEnd)
    .map(({ what, atMs }) => {
      const end = told.find((one) => one.what === what && one.isEnd);
      return `\`${what}\` ${[minutesText(atMs - onsetMs), ...(end ? [minutesText(end.atMs - overMs)] : [])].join(" / ")}`;
    })
    .join(", ");
}

test("The second table of docs/aws/operate.md has what was told in these hours", async () => {
  const file = join(import.meta.dirname, "../../docs/aws/operate.md");
  const [before, rest] = readFileSync(file, "utf8").split("<!-- hours -->");
  const after = rest?.split("<!-- -->").slice(1).join("<!-- -->");
  if (!after) throw new Error("docs/aws/operate.md has no place for the table");
  const table = [
    "| what AWS does | for | told | a second time |",
    "|---|---|---|---|",
    ...Object.entries(hours).map(([name, { minutes }]) => {
      const { told } = played.get(name)!;
      const again = told.flatMap(({ what, isEnd, atMs, againMs }) =>
        againMs.map((ms) => `\`${what}\`${isEnd ? " is over" : ""} after ${minutesText(ms - atMs)}`),
      );
      const cells = [name, minutesText(minutes * MINUTE), cell(told, onsetMs + minutes * MINUTE)];
      return `| ${[...cells, again.join(", ") || "–"].join(" | ")} |`;
    }),
  ].join("\n");
  await expect(`${before}<!-- hours -->\n\n${table}\n\n<!-- -->${after}`).toMatchFileSnapshot(file);
});

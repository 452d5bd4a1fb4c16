// v1watch alarms: what CloudWatch would say of this watch, from the same table.
import { type Alarm, alarmTable, listAlarms } from "../assess/alarms/alarm-table.ts";
import { type AlarmState, evaluateAlarm } from "../assess/alarms/evaluate-alarm.ts";
import { groupTicks, tickOf } from "../assess/fold.ts";
import { alivePoint, statusPoints, undeliveredPoint } from "../assess/metrics.ts";
import { metricsMessages } from "../assess/record-tick.ts";
import { primaryVariant } from "../assess/rules/response-class.ts";
import { alarmSettings, assessmentSettings, type Config, durationMs } from "../config/config.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { requestsLeft } from "../probe/schedule/budget.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Observation } from "../records/observation.ts";
import { emptyProbeState, signEveryMs } from "../records/probe-state.ts";
import { type Command, exitCodes } from "./command.ts";
import { type Known, storeHelp, storeOptions, withLedger } from "./open-watch.ts";

/** The longest range that any row of the table looks back over. */
const lookBackMs = 9 * 86_400_000;

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

/** How soon after a data point it is judged. */
const evaluatedAfterMs = 61_000;

const everySign = (fromMs: number, untilMs: number): number[] =>
  Array.from(
    { length: Math.max(1, Math.ceil((untilMs - fromMs) / signEveryMs)) },
    (_, sign) => fromMs + sign * signEveryMs,
  );

/** Signs of life are not kept: while an answer is no older than usual, somebody lived. */
function alivePoints(observations: readonly Observation[], config: Config, nowMs: number): MetricPoint[] {
  const { silentAfterMs } = assessmentSettings(config);
  const points: MetricPoint[] = [];
  let knownMs = Number.NEGATIVE_INFINITY;
  for (const [index, { at }] of observations.entries()) {
    const next = observations[index + 1];
    const untilMs = Math.min(next ? Date.parse(next.at) : nowMs, Date.parse(at) + silentAfterMs);
    for (const atMs of everySign(Date.parse(at), untilMs)) {
      if (atMs - knownMs < signEveryMs && next) continue;
      // A minute before: only full minutes are judged, and a fresh watch is no silent one.
      points.push(alivePoint(atMs - minuteMs, endpointIds.length));
      knownMs = atMs;
    }
  }
  return points;
}

/** The data points that this watch would have sent, made again from what it observed. */
async function readPoints({ state, store, config, outlook, nowMs }: Known): Promise<MetricPoint[]> {
  const primary = primaryVariant(state.availability.primary);
  const everyMs = durationMs(config.aws.metricsEvery);
  const observations: Observation[] = [];
  for await (const observation of store.ledger.observations(nowMs - lookBackMs, nowMs))
    observations.push(observation);
  const points: MetricPoint[] = [];
  const taken = new Set<string>();
  for (const tick of groupTicks(observations)) {
    const tickMs = tickOf(tick[0]!);
    const sparing = { everyMs };
    for (const message of metricsMessages({ tickMs, observations: tick, primary, sparing })) {
      // The outbox takes an id once.
      if (message.kind === "metrics" && !taken.has(message.id)) points.push(...message.points);
      taken.add(message.id);
    }
  }
  const probeState = (await store.ledger.readProbeState())?.value ?? emptyProbeState;
  const { certificateMs } = state.availability;
  const status = statusPoints({
    atMs: nowMs - minuteMs,
    daysToRetirement: outlook?.daysLeft,
    budgetLeft: requestsLeft(nowMs, probeState, config),
    openIncidents: Object.values(state.incidents).filter(({ incident }) => incident.state === "open").length,
    certificateDaysLeft:
      certificateMs === undefined ? undefined : Math.floor((certificateMs - nowMs) / 86_400_000),
  });
  const waiting = await store.outbox.pending("alert", 100);
  const [oldest] = waiting;
  const undelivered =
    oldest?.kind === "alert"
      ? everySign(Date.parse(oldest.alert.at), nowMs).map((atMs) => undeliveredPoint(atMs, waiting.length))
      : [];
  return points.concat(status, undelivered, alivePoints(observations, config, nowMs));
}

/** An alarm keeps its state while data is missing, so it is judged as CloudWatch does: again and again. */
function judgeOverTime(alarm: Alarm, points: readonly MetricPoint[], nowMs: number): AlarmState {
  const { signal, periodSeconds, evaluationPeriods } = alarm.row;
  const own = points
    .filter(({ metric, endpoint }) => metric === signal.metric && (!endpoint || endpoint === alarm.endpoint))
    .sort((a, b) => a.atMs - b.atMs);
  // As each point comes into a period, and as it leaves it.
  const periodMs = periodSeconds * 1_000;
  const periods = evaluationPeriods + 3;
  const instants = own.flatMap(({ atMs }) =>
    Array.from({ length: periods }, (_, period) => atMs + evaluatedAfterMs + period * periodMs),
  );
  const minutes = new Set(instants.map((atMs) => Math.floor(atMs / minuteMs) * minuteMs));
  const past = [...minutes].filter((atMs) => atMs <= nowMs).sort((a, b) => a - b);
  let state: AlarmState = "INSUFFICIENT_DATA";
  let from = 0;
  let until = 0;
  for (const atMs of [...past, nowMs]) {
    // Only what a row can see: a point a minute for nine days is too much to look through each time.
    while (until < own.length && own[until]!.atMs <= atMs) until++;
    while (from < until && own[from]!.atMs < atMs - periods * periodMs - hourMs) from++;
    const seen = own.slice(from, until);
    state = evaluateAlarm(alarm.row, {
      endpoint: alarm.endpoint,
      points: seen,
      previous: state,
      nowMs: atMs,
    });
  }
  return state;
}

type Judged = Alarm & { state: AlarmState };

const rank: Record<AlarmState, number> = { ALARM: 0, INSUFFICIENT_DATA: 1, OK: 2 };

function render(judged: readonly Judged[]): string {
  const width = Math.max(...judged.map(({ name }) => name.length));
  const line = (state: string, name: string, when: string) =>
    `  ${state.padEnd(17)}  ${name.padEnd(width)}  ${when}`;
  const rows = judged.map(({ name, state, row }) => line(state, name, row.meaning));
  return `${[line("state", "alarm", "raised when"), ...rows].join("\n")}\n`;
}

export const alarms: Command = {
  name: "alarms",
  summary: "what CloudWatch's alarms would say of this watch",
  help: `v1watch alarms [--json]

The alarm table that the AWS stack deploys, evaluated here on what this machine, or with --table the watch in AWS,
observed in the last nine days; signs of life are guessed from the answers. Composites and the alarms on queues
are not in it.

${storeHelp}

Exit codes: 0 none is in alarm, 1 some are, 2 usage.

Example: v1watch alarms --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    withLedger(values, io, async (known) => {
      const { config, nowMs } = known;
      const points = await readPoints(known);
      const judged = listAlarms(alarmTable(alarmSettings(config)))
        .map((alarm): Judged => ({ ...alarm, state: judgeOverTime(alarm, points, nowMs) }))
        .sort((a, b) => rank[a.state] - rank[b.state]);
      const plain = judged.map(({ name, state, endpoint, row: { runbook, severity } }) => ({
        name,
        state,
        endpoint,
        severity,
        runbook,
      }));
      io.out(values.json ? `${JSON.stringify(plain, null, 2)}\n` : render(judged));
      return judged.some(({ state }) => state === "ALARM") ? exitCodes.findings : exitCodes.fine;
    }),
};

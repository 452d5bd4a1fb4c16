// What is left after the functions have run under faults: read from the table itself, and compared with what was
// acknowledged and with an assessment of the same observations without faults.
import { inflateRawSync } from "node:zlib";
import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { assess, type Memory, readAssessment, type Settings } from "../../lib/assess/assess.ts";
import { groupTicks } from "../../lib/assess/fold.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import type { AssessState } from "../../lib/assess/state.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ports } from "../../lib/ports.ts";
import { incidentOf } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { describeHits } from "../sentinels.ts";
import { MINUTE } from "../stories/types.ts";
import type { FunctionsRun } from "./functions.ts";
import type { FaultPlan } from "./plan.ts";
import type { Servers } from "./servers.ts";
import { compare, judgeArrivals } from "./watch.ts";

type TableContents = {
  observations: Observation[];
  unassessed: string[];
  /** Ids of all alerts, and of all messages that still wait. */
  alerts: string[];
  waiting: string[];
  /** Every item as it is: alerts and data points are sent from these. */
  items: Record<string, string>;
};

/** In base64, in which the search finds compressed texts. */
const writeBytes = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

/** By a scan, without the code of the ledger and the outbox. */
async function readContents(client: DynamoDBClient, TableName: string): Promise<TableContents> {
  const contents: TableContents = { observations: [], unassessed: [], alerts: [], waiting: [], items: {} };
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true }))
    for (const item of page.Items ?? []) {
      const { pk, toDo, body } = item;
      contents.items[JSON.stringify([pk, item.sk])] = JSON.stringify(item, writeBytes);
      const [kind = "", id = ""] = pk?.S?.split(/#(.*)/s) ?? [];
      if (kind === "observation") {
        contents.observations.push(JSON.parse(inflateRawSync(body?.B ?? new Uint8Array()).toString()));
        if (toDo) contents.unassessed.push(id);
      }
      if (kind !== "message") continue;
      contents.alerts.push(id);
      if (toDo) contents.waiting.push(id);
    }
  return contents;
}

/** The same observations where each tick is assessed when it has come, and nothing fails. */
async function assessWithoutFaults(observations: readonly Observation[], settings: Settings, nowMs: number) {
  const ids = new Set<string>();
  const clock = { nowMs: 0 };
  const { ledger, outbox } = openMemoryStore(() => clock.nowMs);
  const ports: Ports = {
    nowMs: () => clock.nowMs,
    readKey: async () => ({ kind: "none" }),
    outbox,
    ledger,
    receivers: [acceptAlerts(({ id }) => ids.add(id))],
  };
  const memory: Memory = {};
  for (const tick of groupTicks(observations)) {
    await recordTick(ports, tick);
    clock.nowMs = Math.max(...tick.map(({ at }) => Date.parse(at))) + MINUTE;
    await assess(ports, settings, memory);
  }
  const { state } = await readAssessment(ports.ledger, settings, nowMs);
  return { alerts: ids, incidents: listIncidents(state) };
}

const listIncidents = ({ incidents, resolved }: AssessState) =>
  [...incidents, ...resolved].map(({ id, state, since, openedAt, resolvedAt }) =>
    JSON.stringify({ id, state, since, openedAt, resolvedAt }),
  );

const repeats = (what: string, names: readonly string[]) =>
  names.length === new Set(names).size
    ? []
    : [`${names.length - new Set(names).size} ${what} are there twice`];

const left = (what: string, names: readonly string[]) =>
  names.length === 0 ? [] : [`${names.length} ${what}, such as ${names.slice(0, 3).join(", ")}`];

export type FunctionsJudgement = {
  /** Everything that is wrong. */
  faults: string[];
  observations: number;
  incidents: number;
  alerts: string[];
  /** In the order of arrival, with every copy. */
  arrived: string[];
  /** Alerts of incidents that late observations have replaced by wider ones: without faults there are none of them. */
  revised: string[];
  /** Checks with more than one data point: CloudWatch counts a request that reaches it twice. */
  pointsTwice: number;
};

/** Announced, not firing, and neither resolved nor replaced by another incident that was announced too. */
function listEndless(alerts: readonly string[], { incidents, resolved }: AssessState): string[] {
  const ended = new Set([
    ...alerts.filter((id) => id.endsWith("-resolved")).map((id) => incidentOf({ id })),
    ...resolved.filter(({ supersededBy }) => supersededBy).map(({ id }) => id),
    ...incidents.map(({ id }) => id),
  ]);
  const opened = alerts.filter((id) => id.endsWith("-opened") && !id.startsWith("subscriptions-"));
  return opened.map((id) => incidentOf({ id })).filter((id) => !ended.has(id));
}

/** What began and ended before a run that did not fail could assess it is one message: its end. */
const isToldAtItsEnd = (id: string, arrived: readonly string[]) => {
  const own = arrived.filter((other) => incidentOf({ id: other }) === incidentOf({ id }));
  return own.length > 0 && own.every((other) => other.endsWith("-resolved"));
};

export async function judgeFunctions(
  { observations: made, acknowledged, settings, sentinels }: FunctionsRun,
  servers: Servers,
  plan: FaultPlan,
  nowMs: number,
): Promise<FunctionsJudgement> {
  const stored = await readContents(servers.dynamo, servers.tableName);
  const arrived = await servers.receive();
  const table = { tableName: servers.tableName, retentionDays: 400, client: servers.dynamo };
  const ledger = createLedger({ ...table, nowMs: () => nowMs });
  const { state } = await readAssessment(ledger, settings, nowMs);
  const calm = await assessWithoutFaults(stored.observations, settings, nowMs);
  const texts = new Map(stored.observations.map((one) => [one.id, JSON.stringify(one)]));
  const changed = [...acknowledged.observations].filter(([id, text]) => texts.get(id) !== text);
  const unexplained = [...acknowledged.sends].filter(([, { sent, failed }]) => sent > 1 + failed);
  /** A request that was repeated on its way arrives twice under one id, which tells its receivers. */
  const duplicates = plan.drawn.get("sns.connection")?.get("duplicate") ?? 0;
  const copies = new Map(
    [...acknowledged.sends].map(([id, { sent }]) => [`sns ${id}`, sent + duplicates - 1]),
  );
  const points = new Map<string, number>();
  for (const one of servers.readPoints()) points.set(one, (points.get(one) ?? 0) + 1);
  /** A check that was never sent, because no sample was known yet, has none. */
  const scheduled = stored.observations
    .filter(
      ({ isPrimary, reason, outcome }) => isPrimary && reason === "scheduled" && outcome.kind !== "refused",
    )
    .map(({ endpoint, at }) => `${endpoint} ${Date.parse(at)}`);
  const withoutPoint = scheduled.filter((name) => !points.has(name));
  return {
    faults: [
      ...acknowledged.faults,
      ...compare(
        "observations",
        made.map(({ id }) => id),
        texts.keys(),
      ),
      ...repeats("observations", [...stored.observations.map(({ id }) => id)]),
      ...left(
        "observations are not stored as they were acknowledged",
        changed.map(([id]) => id),
      ),
      ...left("observations are not assessed", stored.unassessed),
      ...compare("incidents", calm.incidents, listIncidents(state)),
      ...compare("alerts in the table", acknowledged.alerts, stored.alerts),
      ...repeats("alerts", stored.alerts),
      ...left("messages wait", stored.waiting),
      ...left("incidents were announced and never ended", listEndless(stored.alerts, state)),
      ...left(
        "alerts did not arrive",
        [...calm.alerts].filter((id) => !arrived.includes(id) && !isToldAtItsEnd(id, arrived)),
      ),
      ...left(
        "alerts were sent again without a failure",
        unexplained.map(([id]) => id),
      ),
      ...judgeArrivals(new Set(stored.alerts), new Map([["sns", arrived]]), copies),
      ...left("checks have no data point", withoutPoint),
      ...describeHits(stored.items, sentinels),
    ],
    observations: stored.observations.length,
    incidents: calm.incidents.length,
    alerts: stored.alerts,
    arrived,
    revised: stored.alerts.filter((id) => !calm.alerts.has(id)),
    pointsTwice: scheduled.filter((name) => (points.get(name) ?? 0) > 1).length,
  };
}

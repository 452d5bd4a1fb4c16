// The rules of the composite alarms, judged by a server's own reading of them.
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  PutCompositeAlarmCommand,
  type PutCompositeAlarmInput,
  PutMetricAlarmCommand,
  type PutMetricAlarmInput,
  SetAlarmStateCommand,
} from "@aws-sdk/client-cloudwatch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmTable, fallbacks, listAlarms } from "../../lib/assess/alarms/alarm-table.ts";
import { alarmSettings } from "../../lib/config/assessment-settings.ts";
import { configure } from "../stack/configuration.ts";
import { ofType, type Resource, synthesise } from "../stack/synthesis.ts";
import { type Server, startMiniStack } from "./further-servers.ts";
import { region } from "./moto.ts";

process.env.CDK_VALIDATION = "false";
const config = configure();
const { resources } = synthesise(config);
/** Where an alarm notifies and whose queue it reads does not matter to a rule. */
const plain = (properties: object) =>
  JSON.parse(JSON.stringify(properties).replace(/\{"(Fn::GetAtt|Ref)":[^}]*\}/g, '"arn"'));

/** A rule names the alarms below it by their ARN; this server knows them by their name, which CloudWatch takes too. */
function resolveRule({ AlarmRule }: Resource["Properties"]): string {
  const parts = AlarmRule["Fn::Join"][1] as (string | { "Fn::GetAtt": [string, string] })[];
  return parts
    .map((part) =>
      typeof part === "string" ? part : String(resources[part["Fn::GetAtt"][0]]?.Properties.AlarmName),
    )
    .join("");
}

let server: Server;
let client: CloudWatchClient;
const children: string[] = [];

beforeAll(async () => {
  server = await startMiniStack();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  client = new CloudWatchClient({ endpoint: server.endpoint, region, credentials });
  for (const { Properties } of ofType(resources, "AWS::CloudWatch::Alarm")) {
    const alarm: PutMetricAlarmInput = plain(Properties);
    await client.send(new PutMetricAlarmCommand(alarm));
    children.push(String(alarm.AlarmName));
  }
  for (const { Properties } of ofType(resources, "AWS::CloudWatch::CompositeAlarm")) {
    const alarm: PutCompositeAlarmInput = plain({ ...Properties, AlarmRule: resolveRule(Properties) });
    await client.send(new PutCompositeAlarmCommand(alarm));
  }
});
afterAll(async () => {
  client?.destroy();
  await server?.stop();
});

/** Which composites are raised while these alarms are, and no others. */
async function raise(...names: string[]): Promise<string[]> {
  for (const AlarmName of children) {
    const StateValue = names.includes(AlarmName.replace(/^v1watch-/, "")) ? "ALARM" : "OK";
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: "a test" }));
  }
  const { CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmTypes: ["CompositeAlarm"] }),
  );
  expect(CompositeAlarms).toHaveLength(1 + Object.keys(fallbacks).length);
  const raised = CompositeAlarms.filter(({ StateValue }) => StateValue === "ALARM");
  return raised.map(({ AlarmName = "" }) => AlarmName.replace(/^v1watch-/, "")).sort();
}
const kindOf = (fault: string) =>
  Object.entries(fallbacks).find(([, { faults }]) => faults.some((one) => one === fault))?.[0];
const each = (id: string) => ["passport-list", "passport", "passport-credentials"].map((of) => `${id}-${of}`);

test("v1watch-unhealthy fires when a function is silent or fails, and when messages are not delivered", async () => {
  expect(await raise()).toEqual([]);
  const own = [
    ...each("not-running-probe"),
    ...each("errors-probe"),
    "throttles-assess",
    "table-throttles-writes",
  ];
  for (const name of [...own, "lost-runs", "delivery-failed", "delivery-failed-watch"])
    expect(await raise(name), name).toEqual(["v1watch-unhealthy"]);
  expect(await raise("retirement-near", ...each("request-failures"))).toEqual([]);
});

test("Each kind of fault notifies while the assessment is broken, and only then", async () => {
  const broken = ["assessment-incomplete", "errors-assess", "alerts-undelivered"];
  for (const name of broken) expect(await raise(name), name).toEqual(["v1watch-unhealthy"]);
  for (const [index, alarm] of listAlarms(alarmTable(alarmSettings(config))).entries()) {
    expect(await raise(alarm.name), alarm.name).toEqual([]);
    const cause = broken[index % broken.length] ?? "";
    expect(await raise(alarm.name, cause), alarm.name).toEqual([
      ...[`fallback-${kindOf(alarm.row.fault)}`, "v1watch-unhealthy"],
    ]);
  }
  // A silent prober does not keep the assessment from reporting.
  expect(await raise("slow-passport-list", "not-running-probe-passport")).toEqual(["v1watch-unhealthy"]);
});

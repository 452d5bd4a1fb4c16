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
import { configure } from "../stack/configuration.ts";
import { ofType, synthesise } from "../stack/synthesis.ts";
import { type Server, startMiniStack } from "./further-servers.ts";
import { region } from "./moto.ts";

process.env.CDK_VALIDATION = "false";
const { resources } = synthesise(configure());
/** Where an alarm speaks and whose queue it reads does not matter to a rule. */
const plain = (properties: object) =>
  JSON.parse(JSON.stringify(properties).replace(/\{"(Fn::GetAtt|Ref)":[^}]*\}/g, '"arn"'));

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
    const alarm: PutCompositeAlarmInput = plain(Properties);
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
    const StateValue = names.includes(AlarmName.replace("v1watch-", "")) ? "ALARM" : "OK";
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: "a test" }));
  }
  const { CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmTypes: ["CompositeAlarm"] }),
  );
  expect(CompositeAlarms).toHaveLength(2);
  const raised = CompositeAlarms.filter(({ StateValue }) => StateValue === "ALARM");
  return raised.map(({ AlarmName = "" }) => AlarmName.replace("v1watch-", ""));
}
const each = (id: string) => ["passport-list", "passport", "passport-credentials"].map((of) => `${id}-${of}`);

test("leaving fires when the date is near, no endpoint responds, or all refuse a key whose quota is not used up", async () => {
  expect(await raise()).toEqual([]);
  expect(await raise("retirement-near")).toEqual(["leaving"]);
  expect(await raise(...each("down"))).toEqual(["leaving"]);
  expect(await raise(...each("down").slice(1))).toEqual([]);
  expect(await raise(...each("unauthorized"))).toEqual(["leaving"]);
  expect(await raise(...each("unauthorized").slice(1))).toEqual([]);
  expect(await raise(...each("unauthorized"), "quota-exhausted")).toEqual([]);
});

test("alerting-broken fires when an alarm on V1 fires and the assessment is silent or its alerts are undelivered", async () => {
  const troubles = [...each("down"), ...each("unauthorized"), ...each("breaking-drift"), ...each("slow")];
  for (const trouble of [...troubles, "quota-exhausted", "frozen-data"]) {
    expect(await raise(trouble), trouble).toEqual([]);
    expect(await raise(trouble, "assessment-silent"), trouble).toEqual(["alerting-broken"]);
  }
  expect(await raise("slow-passport", "alerts-undelivered")).toEqual(["alerting-broken"]);
  // The prober's silence and our own budget are no trouble of V1's; without trouble there is nothing to hear.
  expect(await raise("assessment-silent", "prober-silent", "budget-low", "function-failed")).toEqual([]);
  expect(await raise("slow-passport", "prober-silent")).toEqual([]);
});

import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createEventBus } from "../../lib/aws/events.ts";
import { type Alert, alertJsonSchema } from "../../lib/records/alert.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { sampleAlert } from "../local/samples.ts";
import { type Answer, type Asked, refusal, startAccount } from "./account-server.ts";

const busArn = "arn:aws:events:eu-west-3:123456789012:event-bus/default";
const topicArn = "arn:aws:sns:eu-west-3:123456789012:alerts";

type Entry = Record<"EventBusName" | "Source" | "DetailType" | "Detail", string> & {
  Resources: string[];
  Time: number;
};
const entries: Entry[] = [];
const accepted: Answer = {
  status: 200,
  body: JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: "1" }] }),
};
let play: (asked: Asked) => Answer;
const { asked, endpoint } = await startAccount((one, body) => {
  const answer = play(one);
  if (answer === accepted) entries.push(...(JSON.parse(body) as { Entries: Entry[] }).Entries);
  return answer;
});

beforeEach(() => {
  play = () => accepted;
  entries.length = 0;
  asked.length = 0;
  vi.stubEnv("AWS_ENDPOINT_URL", endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => void vi.unstubAllEnvs());

function open(isOut = () => false) {
  const sent: Alert[] = [];
  const failed: string[] = [];
  const bus = createEventBus({ busArn, topicArn, onFailed: ({ cause }) => failed.push(cause) });
  const receiver = bus.beside(
    acceptAlerts(
      (alert) => sent.push(alert),
      () => isOut(),
    ),
  );
  return { bus, receiver, sent, failed };
}

test("An alert is an event of its bus, with the published schema as its detail", async () => {
  const { receiver, sent, bus } = open();
  expect(bus.state()).toEqual({ kind: "unknown" });
  const alert = sampleAlert(1);
  await receiver.send(alert);
  expect(sent).toEqual([alert]);
  expect(entries).toMatchObject([
    { EventBusName: busArn, Source: "v1watch", DetailType: "v1watch alert", Resources: [topicArn] },
  ]);
  expect(asked).toMatchObject([{ region: "eu-west-3", service: "events", what: "AWSEvents.PutEvents" }]);
  const detail = JSON.parse(entries[0]!.Detail);
  expect(detail).toEqual(alert);
  registerSchema(alertJsonSchema() as never, "https://v1watch.test/alert");
  expect((await validate("https://v1watch.test/alert", detail)).valid).toBe(true);
  expect(entries[0]!.Time * 1_000).toBe(Date.parse(alert.at));
  expect(bus.state()).toEqual({ kind: "accepts" });
});

test.each<[string, (asked: Asked) => Answer, string]>([
  [
    "refuses the entry with 200",
    () => ({
      status: 200,
      body: JSON.stringify({ FailedEntryCount: 1, Entries: [{ ErrorCode: "ThrottlingException" }] }),
    }),
    "ThrottlingException",
  ],
  ["refuses the permission", (one) => refusal(one, "AccessDeniedException"), "AccessDeniedException"],
])("A bus that %s delays no alert, is reported, and gets the event later", async (_, answer, cause) => {
  play = answer;
  const { receiver, sent, failed, bus } = open();
  await receiver.send(sampleAlert(1));
  await receiver.send(sampleAlert(2));
  expect(sent).toHaveLength(2);
  expect(failed).toHaveLength(2);
  expect(failed[0]).toContain(cause);
  expect(bus.state()).toEqual({ kind: "refuses", cause });
  await bus.retry();
  // One try says that it still refuses.
  expect(failed).toHaveLength(3);
  play = () => accepted;
  await bus.retry();
  await bus.retry();
  expect(entries.map(({ Detail }) => JSON.parse(Detail).id).sort()).toEqual(
    [sampleAlert(1).id, sampleAlert(2).id].sort(),
  );
  expect(bus.state()).toEqual({ kind: "accepts" });
});

test("An alert that SNS does not take is an event once, however often it is tried", async () => {
  let isOut = true;
  const { receiver, sent } = open(() => isOut);
  await expect(receiver.send(sampleAlert(1))).rejects.toThrow();
  await expect(receiver.send(sampleAlert(1))).rejects.toThrow();
  isOut = false;
  await receiver.send(sampleAlert(1));
  expect(sent).toHaveLength(1);
  expect(entries).toHaveLength(1);
});

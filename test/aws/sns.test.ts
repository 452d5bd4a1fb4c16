import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createSnsReceiver } from "../../lib/aws/sns.ts";
import { alertJsonSchema, textOf } from "../../lib/records/alert.ts";
import { sampleAlert } from "../local/samples.ts";
import { type Answer, type Asked, refusal, startAccount } from "./account-server.ts";
import { readAlert, startQueues } from "./queue-server.ts";

const { sns, topicArn, subscribe } = await startQueues();
let play: (asked: Asked) => Answer;
const { asked, endpoint } = await startAccount((one) => play(one));
afterAll(() => void vi.unstubAllEnvs());

function useEndpoint() {
  asked.length = 0;
  vi.stubEnv("AWS_ENDPOINT_URL", endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
}

const topic = createSnsReceiver({ topicArn, client: sns });

describe("an alert sent through SNS", () => {
  test("An alert sent through SNS arrives as JSON of the versioned schema, with what filters and receivers need", async () => {
    const receive = await subscribe("everything", undefined);
    const sent = sampleAlert(1);
    await topic.send(sent);
    const [message, ...others] = await receive();
    expect(others).toEqual([]);
    expect(readAlert(message?.Body)).toEqual(sent);
    const attributes = Object.entries(message?.MessageAttributes ?? {});
    expect(Object.fromEntries(attributes.map(([name, value]) => [name, value.StringValue]))).toEqual({
      severity: "page",
      rule: "down",
      scope: "api",
      endpoint: "all",
      event: "opened",
      id: sent.id,
    });
  });

  test("An alert sent through SNS keeps its subject in the envelope", async () => {
    const receive = await subscribe("envelopes", undefined, false);
    const sent = sampleAlert(2);
    await topic.send(sent);
    const envelope = JSON.parse((await receive())[0]?.Body ?? "{}");
    expect(envelope.Subject).toBe(sent.subject);
    expect(readAlert(envelope.Message)).toEqual(sent);
  });

  test("An alert sent through SNS passes only the filter policies that match it", async () => {
    const pages = await subscribe("pages", { severity: ["page"] });
    const quiet = await subscribe("quiet", { severity: ["warning", "info"] });
    const passport = await subscribe("passport", { endpoint: ["passport"], rule: ["breaking-drift"] });
    const recoveries = await subscribe("recoveries", { event: ["resolved"] });
    const page = sampleAlert(10);
    const warning = sampleAlert(11, { severity: "warning", rule: "breaking-drift", endpoints: ["passport"] });
    const resolved = sampleAlert(12, { event: "resolved", rule: "breaking-drift" });
    for (const each of [page, warning, resolved]) await topic.send(each);
    const ids = async (receive: typeof pages) =>
      (await receive()).map(({ Body }) => readAlert(Body).id).toSorted();
    expect(await ids(pages)).toEqual([page.id, resolved.id]);
    expect(await ids(quiet)).toEqual([warning.id]);
    expect(await ids(passport)).toEqual([warning.id]);
    expect(await ids(recoveries)).toEqual([resolved.id]);
  });

  test("An alert sent through SNS is rejected when SNS refuses it, so that it is retried", async () => {
    const lost = createSnsReceiver({ topicArn: `${topicArn}-lost`, client: sns });
    await expect(lost.send(sampleAlert(3))).rejects.toThrow();
  });

  test.each([
    ["InvalidParameter", "RefusedError"],
    ["InvalidParameterValue", "RefusedError"],
    ["ValidationException", "RefusedError"],
    ["AuthorizationError", "NothingAcceptedError"],
    ["KMSDisabledException", "NothingAcceptedError"],
    ["InternalValidationError", "NothingAcceptedError"],
  ])("An alert sent through SNS that SNS answers with %s is a %s", async (name, thrown) => {
    useEndpoint();
    play = (one) => refusal(one, name);
    // The SDK adds the word Exception to some names.
    const named = expect.stringMatching(`^${name}`);
    const sending = createSnsReceiver({ topicArn }).send(sampleAlert(5));
    await expect(sending).rejects.toMatchObject({ name: thrown, message: named, cause: { name: named } });
  });

  test("An alert sent through SNS is sent to the region of the topic, once: the outbox repeats it, and not the SDK", async () => {
    useEndpoint();
    const elsewhere = createSnsReceiver({ topicArn: "arn:aws:sns:ap-south-1:123456789012:alerts" });
    play = () => ({ status: 500, body: "" });
    await expect(elsewhere.send(sampleAlert(6))).rejects.toThrow();
    expect(asked.map(({ region }) => region)).toEqual(["ap-south-1"]);
  });

  test("An alert sent through SNS goes to a receiver that reaches people", () => {
    expect(topic).toMatchObject({ name: "sns", reachesPeople: true });
  });

  test("An alert sent through SNS has a form for each protocol: text, one line, or JSON", async () => {
    const sent: { Message?: string; MessageStructure?: string }[] = [];
    sns.middlewareStack.add(
      (next) => (args) => {
        sent.push(args.input as { Message?: string });
        return next(args);
      },
      { step: "initialize", name: "look" },
    );
    const alert = sampleAlert(4);
    await topic.send(alert);
    sns.middlewareStack.remove("look");
    expect(sent[0]?.MessageStructure).toBe("json");
    const { default: text, email, sms, ...machines } = JSON.parse(sent[0]?.Message ?? "{}");
    expect([text, email, sms]).toEqual([textOf(alert), textOf(alert), alert.subject]);
    expect(Object.keys(machines).toSorted()).toEqual(["email-json", "http", "https", "lambda", "sqs"]);
    const { https, ...plain } = machines;
    for (const json of Object.values(plain)) expect(JSON.parse(String(json))).toEqual(alert);
    const content = { textType: "client-markdown", title: alert.subject, description: textOf(alert) };
    expect(JSON.parse(https)).toEqual({ ...alert, version: "1.0", source: "custom", content });
    // What every machine gets is valid by the published schema.
    const schemaId = "https://v1watch.example/delivered-alert";
    registerSchema(alertJsonSchema() as Parameters<typeof registerSchema>[0], schemaId);
    const isValid = await validate(schemaId);
    for (const message of Object.values(machines))
      expect(isValid(JSON.parse(String(message)), "BASIC")).toMatchObject({ valid: true });
    expect(isValid({ ...JSON.parse(https), other: 1 })).toMatchObject({ valid: false });
  });
});

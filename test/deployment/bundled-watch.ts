// The deployed watch without CloudFormation: the bundles of prober and assessment in AWS's runtime client, over a table and a topic
// that moto plays, by a clock that a test turns.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { createLedger } from "../../lib/aws/ledger.ts";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Ledger } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { bundleInto } from "../../lib/stack/bundle.ts";
import { assessSettings, probeSettings } from "../../lib/stack/function-settings.ts";
import { tableInput } from "../aws/dynamo-server.ts";
import { startStoryServer } from "../stories/server.ts";
import { STORY_KEY, type Story } from "../stories/types.ts";
import { startInbox } from "./inbox.ts";
import { type Answer, type Runtime, startRuntime } from "./lambda-runtime.ts";
import { type Aws, region } from "./moto.ts";

export type FunctionName = EndpointId | "assess";
export const functionNames: readonly FunctionName[] = [...endpointIds, "assess"];

/** A call of a function to AWS, such as `PutItem` or `Publish`. */
export type AwsCall = { by: FunctionName; action: string; body: string };
/** Where Lambda ends the function that makes a call: when AWS has it, or once AWS has done it. Or AWS refuses the call. */
export type End = "before" | "after" | "throttled" | undefined;

export type BundledWatch = {
  config: Config;
  ledger: Ledger;
  alerts: Alert[];
  /** What V1 was asked for, in order: the minute and the path. */
  requests: string[];
  /** From now on the functions' clocks, and that of V1, go on from here. */
  turnTo(atMs: number): void;
  /** `process` is one that runs no other invocation; one that was ended is started anew, as Lambda does. */
  invoke(name: FunctionName, tickMs: number, process?: string): Promise<Answer>;
  close(): Promise<void>;
};

/** Both bundles in a folder of their own, made once for all watches of a test file. */
export function bundleFunctions(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bundles-"));
  for (const name of ["probe", "assess"] as const) {
    mkdirSync(join(folder, name));
    bundleInto(join(folder, name), name);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export const putKey = (aws: Aws) =>
  aws.cli(
    ...["ssm", "put-parameter", "--name", "/v1watch/key", "--type", "SecureString", "--value", STORY_KEY],
  );

/** Hands calls on to AWS, unless the function that makes them is ended there. */
async function startGate(
  aws: Aws,
  decide: (call: Omit<AwsCall, "by">) => End | Promise<End>,
  end: () => Promise<void>,
) {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = sent.toString("utf8");
    const target = String(request.headers["x-amz-target"] ?? "");
    const action = target.split(".")[1] ?? new URLSearchParams(body).get("Action") ?? "";
    const ending = await decide({ action, body });
    if (ending === "before") return void (await end());
    if (ending === "throttled") {
      const refusal = { __type: "com.amazonaws.dynamodb.v20120810#ThrottlingException", message: "no" };
      response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
      return void response.end(JSON.stringify(refusal));
    }
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(`${aws.endpoint}${request.url}`, {
      method: request.method ?? "POST",
      headers: headers as Record<string, string>,
      body: sent,
    });
    const text = await answer.text();
    if (ending === "after") return void (await end());
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "text/plain",
    });
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function startBundledWatch({
  aws,
  cloudWatchUrl,
  folder,
  story,
  name,
  endsIn,
}: {
  aws: Aws;
  /** It keeps what it is sent as it is. */
  cloudWatchUrl: string;
  folder: string;
  story: Story;
  /** Of its table, its topic and its namespace. */
  name: string;
  endsIn?: ((call: AwsCall) => End | Promise<End>) | undefined;
}): Promise<BundledWatch> {
  const clockFile = join(folder, `clock-${name}`);
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const requests: string[] = [];
  const server = await startStoryServer(story, nowMs, (path) => {
    requests.push(`${new Date(nowMs()).toISOString().slice(0, 16)} ${path}`);
  });
  const inbox = await startInbox();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const options = { endpoint: aws.endpoint, region, credentials };
  const [dynamo, sns] = [new DynamoDBClient(options), new SNSClient(options)];
  await dynamo.send(new CreateTableCommand({ TableName: name, ...tableInput() }));
  const { TopicArn = "" } = await sns.send(new CreateTopicCommand({ Name: name }));
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: "http", Endpoint: inbox.url }));
  const fileText = JSON.stringify({ baseUrl: server.url, key: { ssm: "/v1watch/key" } });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const { config } = loaded;
  writeFileSync(clockFile, "0");

  const ownSettings = (one: FunctionName): Record<string, string> =>
    one === "assess"
      ? { SETTINGS: assessSettings(config) }
      : { ENDPOINT: one, SETTINGS: probeSettings(config) };
  const closing: (() => void)[] = [];
  /** By function and name. */
  const processes = new Map<string, Promise<Runtime>>();
  async function startProcess(by: FunctionName, key: string): Promise<Runtime> {
    const gate =
      endsIn &&
      (await startGate(
        aws,
        (call) => endsIn({ by, ...call }),
        async () => {
          const own = await processes.get(key);
          processes.delete(key);
          await own?.stop();
        },
      ));
    if (gate) closing.push(gate.close);
    const environment = {
      ...aws.environment,
      ...(gate && { AWS_ENDPOINT_URL: gate.url }),
      AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatchUrl,
      TABLE: name,
      NAMESPACE: name,
      RETENTION_DAYS: "400",
      TOPIC: TopicArn,
      SUBSCRIPTIONS: "1",
      ...ownSettings(by),
    };
    const taskRoot = join(folder, by === "assess" ? "assess" : "probe");
    return startRuntime({ taskRoot, environment, clockFile });
  }
  return {
    config,
    ledger: createLedger({ tableName: name, retentionDays: 400, client: dynamo }),
    alerts: inbox.alerts,
    requests,
    turnTo(atMs) {
      aheadMs = atMs - Date.now();
      writeFileSync(clockFile, String(aheadMs));
    },
    async invoke(by, tickMs, process = "") {
      const key = `${by} ${process}`;
      const own = processes.get(key) ?? startProcess(by, key);
      processes.set(key, own);
      return (await own).invoke({ tick: new Date(tickMs).toISOString() });
    },
    async close() {
      for (const process of processes.values()) await (await process).stop();
      for (const close of closing) close();
      inbox.close();
      await server.close();
      dynamo.destroy();
      sns.destroy();
    },
  };
}

// What a function may do and what it may not, as deeds that are really tried: each names who may.
import { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { ListSubscriptionsByTopicCommand, PublishCommand, SNSClient } from "@aws-sdk/client-sns";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { drillAlert } from "../../lib/assess/text/scheduled-alerts.ts";
import { tableShape } from "../../lib/aws/table-shape.ts";
import type { Identity } from "./access.ts";
import { account, region } from "./moto.ts";

export type Places = { endpoint: string; table: string; bucket: string; topic: string };
type Deed = { who: string[]; deed: string; send: () => Promise<unknown> };

const probes = ["probe-passport-list", "probe-passport", "probe-passport-credentials"];
const everybody = [...probes, "assess", "report"];

export function listDeeds({ credentials }: Identity, { endpoint, table, bucket, topic }: Places): Deed[] {
  const setting = {
    endpoint,
    region,
    maxAttempts: 1,
    credentials: {
      accessKeyId: credentials.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY ?? "",
      sessionToken: credentials.AWS_SESSION_TOKEN ?? "",
    },
  };
  const dynamo = new DynamoDBClient(setting);
  const s3 = new S3Client({ ...setting, forcePathStyle: true });
  const sns = new SNSClient(setting);
  const ssm = new SSMClient(setting);
  const cloudWatch = new CloudWatchClient(setting);
  const eventBridge = new EventBridgeClient(setting);

  const Key = { pk: { S: "deed" }, sk: { S: "deed" } };
  const query = (name?: keyof typeof tableShape.indexes) => {
    const { name: IndexName, partitionKey } = name
      ? tableShape.indexes[name]
      : { name: undefined, ...tableShape };
    return dynamo.send(
      new QueryCommand({
        TableName: table,
        ...(IndexName && { IndexName }),
        KeyConditionExpression: "#key = :key",
        ExpressionAttributeNames: { "#key": partitionKey },
        ExpressionAttributeValues: { ":key": { S: "deed" } },
      }),
    );
  };
  const parameter = (Name: string) => ssm.send(new GetParameterCommand({ Name, WithDecryption: true }));
  const put = (name: string) => s3.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: "deed" }));
  const publish = (TopicArn: string) =>
    sns.send(new PublishCommand({ TopicArn, Message: JSON.stringify(drillAlert("2026-11-15T00:00:00Z")) }));
  const bus = (name: string) =>
    eventBridge.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: `arn:aws:events:${region}:${account}:event-bus/${name}`,
            Source: "v1watch",
            DetailType: "v1watch alert",
            Detail: "{}",
          },
        ],
      }),
    );
  const list = (TopicArn: string) => sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  const get = (TableName: string) => dynamo.send(new GetItemCommand({ TableName, Key }));
  const change = () =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: table,
        Key,
        UpdateExpression: "SET done = :done",
        ExpressionAttributeValues: { ":done": { BOOL: true } },
      }),
    );
  const metrics = () =>
    cloudWatch.send(
      new PutMetricDataCommand({ Namespace: "V1Watch", MetricData: [{ MetricName: "Deed", Value: 1 }] }),
    );

  const deeds: [string[], string, () => Promise<unknown>][] = [
    [probes, "read the key", () => parameter("/v1watch/key")],
    [[], "read another parameter", () => parameter("/v1watch/reports-bucket")],
    [["report"], "write a report", () => put("reports/deed")],
    [[], "write beside the reports", () => put("deed")],
    [[], "read a report", () => s3.send(new GetObjectCommand({ Bucket: bucket, Key: "reports/deed" }))],
    [[], "list the reports", () => s3.send(new ListObjectsV2Command({ Bucket: bucket }))],
    [["assess"], "publish alerts", () => publish(topic)],
    [[], "publish elsewhere", () => publish(`${topic}-other`)],
    [["assess"], "put an event on the default bus", () => bus("default")],
    [[], "put an event on another bus", () => bus("other")],
    [["assess"], "list the subscriptions of the topic", () => list(topic)],
    [[], "list the subscriptions of another topic", () => list(`${topic}-other`)],
    [[...probes, "assess"], "send metrics", metrics],
    [everybody, "read an item", () => get(table)],
    [[], "read another table", () => get(`${table}-other`)],
    [everybody, "write an item", () => dynamo.send(new PutItemCommand({ TableName: table, Item: Key }))],
    [[...probes, "assess"], "change an item", change],
    [["assess"], "remove an item", () => dynamo.send(new DeleteItemCommand({ TableName: table, Key }))],
    [["assess", "report"], "query the table by its key", () => query()],
    [["assess", "report"], "query observations by time", () => query("byTime")],
    [everybody, "query what is to do", () => query("toDo")],
    [[], "scan the table", () => dynamo.send(new ScanCommand({ TableName: table }))],
    [[], "remove the table", () => dynamo.send(new DeleteTableCommand({ TableName: table }))],
  ];
  return deeds.map(([who, deed, send]) => ({ who, deed, send }));
}

type Refusal = { $response?: { statusCode?: number }; $metadata?: { httpStatusCode?: number } };

/** Refused is a 403 and nothing else: a deed that fails in another way is a mistake of the test. */
export async function isDone(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    const { $response, $metadata } = error as Refusal;
    if (($response?.statusCode ?? $metadata?.httpStatusCode) === 403) return false;
    throw error;
  }
}

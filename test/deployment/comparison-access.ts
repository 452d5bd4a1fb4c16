// What nobody in a comparison, or only another role of it, may do.
import { DeleteItemCommand, DynamoDBClient, GetItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import type { Identity } from "./access.ts";
import { region } from "./moto.ts";

type Targets = { bucket: string; tableName: string; otherQueue: string; otherMachine: string };

/** The HTTP status of each call's error; undefined where it was carried out. */
export async function tryForbidden(
  role: string,
  credentials: Identity["credentials"],
  endpoint: string,
  { bucket, tableName, otherQueue, otherMachine }: Targets,
): Promise<(number | undefined)[]> {
  const client = {
    endpoint,
    region,
    maxAttempts: 1,
    credentials: {
      accessKeyId: credentials.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY ?? "",
      sessionToken: credentials.AWS_SESSION_TOKEN ?? "",
    },
  };
  const [s3, dynamo, ssm] = [new S3Client(client), new DynamoDBClient(client), new SSMClient(client)];
  const object = (name: string) => ({ Bucket: bucket, Key: `comparisons/run/${name}/000000.json` });
  const item = { TableName: tableName, Key: { pk: { S: "comparison" }, sk: { S: "current" } } };
  const parameter = (name: string) => new GetParameterCommand({ Name: `/v1watch/${name}` });
  const calls: Record<string, () => Promise<unknown>[]> = {
    compare: () => [
      s3.send(new PutObjectCommand({ ...object("chunks"), Body: "[]" })),
      s3.send(new DeleteObjectCommand(object("results"))),
      s3.send(new ListObjectsV2Command({ Bucket: bucket })),
      dynamo.send(new DeleteItemCommand(item)),
      dynamo.send(new ScanCommand({ TableName: tableName })),
      ssm.send(parameter("v1watch/comparison")),
    ],
    fold: () => [
      s3.send(new GetObjectCommand(object("chunks"))),
      s3.send(new PutObjectCommand({ ...object("results"), Body: "{}" })),
      s3.send(new DeleteObjectCommand(object("results"))),
      dynamo.send(new DeleteItemCommand(item)),
      ssm.send(parameter("v2-key")),
    ],
    "state machine": () => [
      s3.send(new GetObjectCommand(object("chunks"))),
      s3.send(new PutObjectCommand({ ...object("results"), Body: "{}" })),
      dynamo.send(new GetItemCommand(item)),
      ssm.send(parameter("v2-key")),
      new SQSClient(client).send(new SendMessageCommand({ QueueUrl: otherQueue, MessageBody: "{}" })),
      new SFNClient(client).send(new StartExecutionCommand({ stateMachineArn: otherMachine })),
    ],
  };
  const results = await Promise.allSettled(calls[role]?.() ?? []);
  return results.map((result) =>
    result.status === "rejected" ? result.reason.$metadata?.httpStatusCode : undefined,
  );
}

// The servers that play DynamoDB, SNS and CloudWatch for the functions, behind proxies that break connections: those of
// this process (dynalite, fauxqs and a small server for CloudWatch), or moto.
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { credentials, startDynamo, tableInput } from "../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../aws/queue-server.ts";
import { startInbox } from "../deployment/inbox.ts";
import { region, startAws } from "../deployment/moto.ts";
import type { FaultPlan } from "./plan.ts";
import { startBreakingProxy } from "./proxy.ts";

export type Servers = {
  /** Through the proxies. */
  clients: { dynamo: DynamoDBClient; sns: SNSClient; cloudWatch: CloudWatchClient };
  /** Over connections that do not break. */
  dynamo: DynamoDBClient;
  tableName: string;
  topicArn: string;
  /** A client sends a request so often, where it gets no answer. */
  attempts: number;
  /** The name of SNS in the plan. */
  snsCall: string;
  /** The ids of the alerts that have arrived since it was called last, in their order. */
  receive(): Promise<string[]>;
  /** The checks with a data point of RequestFailed, each as often as it has one; where the server can tell. */
  readPoints?(): string[];
};

export type OnEnd = (stop: () => Promise<void> | void) => void;

export async function startLocalServers(plan: FaultPlan, onEnd: OnEnd): Promise<Servers> {
  const [dynamo, queues] = [await startDynamo(onEnd), await startQueues(onEnd)];
  const cloudWatch = await startCloudWatch(onEnd);
  const attempts = 1;
  const through = async (target: string, port: string) => {
    const proxy = await startBreakingProxy(target, plan, port);
    onEnd(() => proxy.close());
    return { region: "eu-west-1", credentials, maxAttempts: attempts, endpoint: proxy.url };
  };
  const receive = await queues.subscribe("alerts", undefined);
  return {
    clients: {
      dynamo: new DynamoDBClient(await through(dynamo.endpoint, "dynamodb")),
      sns: new SNSClient(await through(queues.endpoint, "sns")),
      cloudWatch: new CloudWatchClient(await through(cloudWatch.endpoint, "cloudwatch")),
    },
    dynamo: dynamo.client,
    tableName: await dynamo.createTable(),
    topicArn: queues.topicArn,
    attempts,
    snsCall: "sns.connection",
    receive: async () => (await receive()).map(({ Body }) => readAlert(Body).id),
    readPoints: () =>
      cloudWatch.calls
        .flatMap(({ MetricData }) => MetricData)
        .filter(({ MetricName }) => MetricName === "RequestFailed")
        .map(({ Dimensions, Timestamp }) => `${Dimensions?.[0]?.Value} ${Timestamp * 1_000}`),
  };
}

/** All services of moto have one address, and so one proxy. */
export async function startMotoServers(plan: FaultPlan, onEnd: OnEnd): Promise<Servers> {
  const aws = await startAws();
  onEnd(() => aws.stop());
  const inbox = await startInbox();
  onEnd(() => inbox.close());
  const proxy = await startBreakingProxy(aws.endpoint, plan, "aws");
  onEnd(() => proxy.close());
  const direct = { endpoint: aws.endpoint, region, credentials };
  const attempts = 2;
  const broken = { ...direct, endpoint: proxy.url, maxAttempts: attempts };
  const [dynamo, sns] = [new DynamoDBClient(direct), new SNSClient(direct)];
  const tableName = "broken-connections";
  await dynamo.send(new CreateTableCommand({ TableName: tableName, ...tableInput() }));
  const { TopicArn: topicArn = "" } = await sns.send(new CreateTopicCommand({ Name: tableName }));
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: "http", Endpoint: inbox.url }));
  return {
    clients: {
      dynamo: new DynamoDBClient(broken),
      sns: new SNSClient(broken),
      cloudWatch: new CloudWatchClient(broken),
    },
    dynamo,
    tableName,
    topicArn,
    attempts,
    snsCall: "aws.connection",
    receive: async () => inbox.alerts.splice(0).map(({ id }) => id),
  };
}

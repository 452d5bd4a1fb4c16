// The servers that play DynamoDB, SNS and CloudWatch for the functions (dynalite, fauxqs and a small server), behind proxies
// that break connections.
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SNSClient } from "@aws-sdk/client-sns";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { credentials, startDynamo } from "../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../aws/queue-server.ts";
import type { FaultPlan } from "./plan.ts";
import { startBreakingProxy } from "./proxy.ts";

export type Servers = {
  /** Through the proxies. */
  clients: { dynamo: DynamoDBClient; sns: SNSClient; cloudWatch: CloudWatchClient };
  /** Over connections that do not break. */
  dynamo: DynamoDBClient;
  tableName: string;
  topicArn: string;
  /** The ids of the alerts that have arrived since it was called last, in their order. */
  receive(): Promise<string[]>;
  /** The checks with a data point of RequestFailed, each as often as it has one. */
  readPoints(): string[];
};

export type OnEnd = (stop: () => Promise<void> | void) => void;

export async function startLocalServers(plan: FaultPlan, onEnd: OnEnd): Promise<Servers> {
  const [dynamo, queues] = [await startDynamo(onEnd), await startQueues(onEnd)];
  const cloudWatch = await startCloudWatch(onEnd);
  const through = async (target: string, port: string) => {
    const proxy = await startBreakingProxy(target, plan, port);
    onEnd(() => proxy.close());
    return { region: "eu-west-1", credentials, maxAttempts: 1, endpoint: proxy.url };
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
    receive: async () => (await receive()).map(({ Body }) => readAlert(Body).id),
    readPoints: () =>
      cloudWatch.calls
        .flatMap(({ MetricData }) => MetricData)
        .filter(({ MetricName }) => MetricName === "RequestFailed")
        .map(({ Dimensions, Timestamp }) => `${Dimensions?.[0]?.Value} ${Timestamp * 1_000}`),
  };
}

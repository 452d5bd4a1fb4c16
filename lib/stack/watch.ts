// The whole watch in one stack: store, notifications, functions, schedules, alarms, dashboard.
import { App, CfnOutput, Stack } from "aws-cdk-lib";
import type { Config } from "../config/config.ts";
import { createAlarms } from "./alarms.ts";
import { createDashboard } from "./dashboard.ts";
import { createDrill } from "./drill.ts";
import { createFunctions } from "./functions.ts";
import { createDeadLetters, createNotifications } from "./notifications.ts";
import { createSchedules } from "./schedules.ts";
import { createStore } from "./store.ts";

/** `team`: its mapping, inventory and comparison for the report, as JSON. */
export function buildWatch(app: App, config: Config, team?: string): Stack {
  const { stackName, region, drill } = config.aws;
  const stack = new Stack(app, stackName, {
    description: "v1watch: watches a deprecated API until you can leave it.",
    ...(region && { env: { region } }),
    // CloudFormation hands them on to everything in the stack.
    tags: { application: "v1watch", stack: stackName },
  });

  const store = createStore(stack, config);
  const notifications = createNotifications(stack, config);
  const failed = createDeadLetters(stack, "Failed");
  const functions = createFunctions({ stack, config, store, notifications, failed, team });
  const schedules = createSchedules(stack, config, functions, failed);
  const alarms = createAlarms(stack, {
    ...{ config, notifications, failed, schedules },
    drill: drill ? createDrill(stack, notifications) : undefined,
  });
  const dashboard = createDashboard(stack, config, alarms);

  const url = `https://${stack.region}.console.aws.amazon.com/cloudwatch/home?region=${stack.region}#dashboards/dashboard/${dashboard.dashboardName}`;
  for (const [name, value] of Object.entries({
    TopicArn: notifications.topic.topicArn,
    DashboardUrl: url,
    BucketName: store.bucket.bucketName,
    TableName: store.table.tableName,
  })) {
    new CfnOutput(stack, name, { value });
  }
  return stack;
}

export function createApp(config: Config, team?: string): App {
  const app = new App();
  buildWatch(app, config, team);
  return app;
}

// The construct in stacks, stages and pipelines of other people: names that agree, and properties.
import { type App, CfnResource, Duration, Fn, NestedStack, Stack, Stage, Validations } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { type IVpc, SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import { type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { Bucket, type IBucket } from "aws-cdk-lib/aws-s3";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { type IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { CodePipeline, CodePipelineSource, type IFileSetProducer, ShellStep } from "aws-cdk-lib/pipelines";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import { customMetrics } from "../../lib/assess/metrics.ts";
import { eventDetailType, eventSource } from "../../lib/aws/events.ts";
import { V1Watch, type V1WatchProps, V1WatchStack } from "../../lib/stack/v1-watch.ts";
import { deployable } from "./configuration.ts";
import { createTestApp, ofType, type Resources } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";

const config = deployable;
const resourcesOf = (stack: Stack) => Template.fromStack(stack).toJSON().Resources as Resources;

/** Those of one watch, where a stack has several. */
function ownResources(watch: V1Watch, resources = resourcesOf(Stack.of(watch))): Resources {
  const ids = watch.node
    .findAll()
    .filter((each): each is CfnResource => CfnResource.isCfnResource(each))
    .map((each) => Stack.of(watch).resolve(each.logicalId) as string);
  return Object.fromEntries(ids.flatMap((id) => (resources[id] ? [[id, resources[id]]] : [])));
}

/** Every name, namespace and condition of a watch is derived from its prefix. */
function expectAgreement(watch: V1Watch): void {
  const { prefix, namespace } = watch;
  const resources = ownResources(watch);
  const properties = (type: string) => ofType(resources, type).map(({ Properties }) => Properties);
  const short = [
    ...properties("AWS::Lambda::Function").map(({ FunctionName }) => FunctionName),
    ...properties("AWS::Scheduler::Schedule").map(({ Name }) => Name),
  ];
  const names = [
    ...short,
    ...properties("AWS::CloudWatch::Alarm").map(({ AlarmName }) => AlarmName),
    ...properties("AWS::CloudWatch::CompositeAlarm").map(({ AlarmName }) => AlarmName),
  ];
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(name.startsWith(`${prefix}-`), name).toBe(true);
  for (const name of short) expect(name.length, name).toBeLessThanOrEqual(64);

  const namespaces = properties("AWS::CloudWatch::Alarm").flatMap(({ Namespace, Metrics = [] }) => [
    Namespace,
    ...Metrics.map(
      (each: { MetricStat?: { Metric: { Namespace: string } } }) => each.MetricStat?.Metric.Namespace,
    ),
  ]);
  const own = namespaces.filter((each) => each && !each.startsWith("AWS/"));
  expect(new Set(own)).toEqual(new Set([namespace]));
  for (const { Environment } of properties("AWS::Lambda::Function"))
    expect(Environment.Variables.NAMESPACE).toBe(namespace);
  const roles = JSON.stringify(properties("AWS::IAM::Role"));
  const conditions = [...roles.matchAll(/"cloudwatch:namespace":"([^"]+)"/g)].map(([, each]) => each);
  expect(conditions).toHaveLength(4);
  expect(new Set(conditions)).toEqual(new Set([namespace]));
  const dashboard = JSON.stringify(properties("AWS::CloudWatch::Dashboard"));
  expect(new Set(dashboard.match(/V1Watch(?:\/[\w-]+)?(?=\\")/g))).toEqual(new Set([namespace]));

  expect(properties("AWS::Scheduler::ScheduleGroup").map(({ Name }) => Name)).toEqual([prefix]);
  for (const { GroupName } of properties("AWS::Scheduler::Schedule")) expect(GroupName).toBe(prefix);
  expect(roles).toContain(`:schedule-group/${prefix}"`);
  expect(properties("AWS::SSM::Parameter").map(({ Name }) => Name)).toEqual([
    `/v1watch/${prefix}/reports-bucket`,
  ]);
}

/** What CloudFormation would refuse to create twice in one account and region. */
function physicalNames(resources: Resources): string[] {
  return Object.values(resources).flatMap(({ Type, Properties = {} }) => {
    const name =
      Properties.AlarmName ??
      Properties.FunctionName ??
      Properties.Name ??
      Properties.DashboardName ??
      undefined;
    const hasName = name !== undefined && !/Permission|EventInvokeConfig/.test(Type);
    return hasName ? [`${Type} ${JSON.stringify(name)}`] : [];
  });
}

describe("the names of a watch", () => {
  test("The names of a watch begin with v1watch in the stack v1watch, and its namespace is V1Watch", () => {
    const { watch } = new V1WatchStack(createTestApp(), "v1watch", { config });
    expect(watch).toMatchObject({ prefix: "v1watch", namespace: "V1Watch" });
    expectAgreement(watch);
  });

  test("The names of a watch agree in a stack of somebody else, and two watches in it share none", () => {
    const stack = new Stack(createTestApp(), "Platform");
    const watches = ["Watch", "Canary"].map((id) => new V1Watch(stack, id, { config }));
    for (const watch of watches) expectAgreement(watch);
    expect(watches.map(({ prefix }) => prefix)).toEqual([
      expect.stringMatching(/^Platform-Watch-?[0-9A-F]{8}$/),
      expect.stringMatching(/^Platform-Canary-?[0-9A-F]{8}$/),
    ]);
    const names = physicalNames(resourcesOf(stack));
    expect(new Set(names).size).toBe(names.length);
  });

  test("The names of a watch are the same in every synthesis, and fit where the path is long", () => {
    const create = () => {
      const stack = new Stack(createTestApp(), "a-stack-with-a-name-that-is-far-too-long-for-a-prefix");
      return new V1Watch(stack, "AWatchWithALongName", { config });
    };
    const [first, second] = [create(), create()];
    expectAgreement(first);
    expect(second.prefix).toBe(first.prefix);
  });

  test("The names of a watch differ below two nested stacks", () => {
    const stack = new Stack(createTestApp(), "Platform");
    const prefixes = ["One", "Two"].map(
      (id) => new V1Watch(new NestedStack(stack, id), "Watch", { config }).prefix,
    );
    expect(new Set(prefixes).size).toBe(2);
  });

  test("The names of a watch agree in a stage with two environments", () => {
    const app = createTestApp();
    const watches = ["dev", "prod"].map((name) => {
      const env = { account: "123456789012", region: name === "dev" ? "eu-west-1" : "us-east-1" };
      return new V1WatchStack(new Stage(app, name, { env }), "v1watch", { config }).watch;
    });
    for (const watch of watches) expectAgreement(watch);
    expect(watches.map(({ prefix, namespace }) => [prefix, namespace])).toEqual([
      ["dev-v1watch", "V1Watch/dev-v1watch"],
      ["prod-v1watch", "V1Watch/prod-v1watch"],
    ]);
    expect(watches.map((watch) => Stack.of(watch).region)).toEqual(["eu-west-1", "us-east-1"]);
  });

  test("The names of a watch of what belongs to the whole account contain the region", () => {
    const slack = { slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" } };
    const names = ["eu-west-1", "us-east-1"].map((region) => {
      const settings = { ...config, aws: { subscriptions: [slack] } };
      const stack = new V1WatchStack(createTestApp(), "watch", {
        stackName: "v1watch",
        env: { region },
        config: settings,
      });
      const resources = resourcesOf(stack);
      return [
        ofType(resources, "AWS::CloudWatch::Dashboard")[0]?.Properties.DashboardName,
        ofType(resources, "AWS::Chatbot::SlackChannelConfiguration")[0]?.Properties.ConfigurationName,
      ];
    });
    expect(names).toEqual([
      ["v1watch-eu-west-1", "v1watch-eu-west-1-C0123ABCD"],
      ["v1watch-us-east-1", "v1watch-us-east-1-C0123ABCD"],
    ]);
  });
});

test("A pipeline deploys a stage with the watch", () => {
  const app = createTestApp();
  const stack = new Stack(app, "Pipeline", { env: { account: "123456789012", region: "eu-west-1" } });
  const connectionArn = "arn:aws:codestar-connections:eu-west-1:123456789012:connection/1";
  const input = CodePipelineSource.connection("example/watch", "main", { connectionArn }) as IFileSetProducer;
  const pipeline = new CodePipeline(stack, "Pipeline", {
    synth: new ShellStep("Synth", { input, commands: ["npm ci", "npx cdk synth"] }) as IFileSetProducer,
  });
  const stage = new Stage(app, "Prod", { env: { account: "123456789012", region: "eu-west-1" } });
  const { watch } = new V1WatchStack(stage, "v1watch", { config });
  pipeline.addStage(stage);
  expectAgreement(watch);
  expect(JSON.stringify(resourcesOf(stack))).toContain("Prod-v1watch");
});

describe("the properties of the construct", () => {
  const create = (props: Omit<V1WatchProps, "config">, settings: object = {}) => {
    const stack = new Stack(createTestApp(), "Platform");
    return new V1Watch(stack, "Watch", { config: { ...config, ...settings }, ...props });
  };
  const functionsOf = (resources: Resources) =>
    ofType(resources, "AWS::Lambda::Function").map(({ Properties }) => Properties);

  test("The configuration may be the path of a file, and a missing file is named", () => {
    const file = "docs/aws/deploy.example.json";
    expect(new V1Watch(new Stack(createTestApp(), "S"), "W", { config: file }).config.baseUrl).toBe(
      "https://api.example.com",
    );
    expect(() => new V1Watch(new Stack(createTestApp(), "S"), "W", { config: "none.json" })).toThrow(
      /none\.json.*ENOENT/,
    );
  });

  test("The properties vpc and subnets put every function into the VPC, with a security group that admits nothing", () => {
    const stack = new Stack(createTestApp(), "Platform");
    const vpc: IVpc = new Vpc(stack, "Vpc") as IVpc;
    const watch = new V1Watch(stack, "Watch", {
      config,
      vpc,
      subnets: { availabilityZones: vpc.availabilityZones.slice(0, 1) },
    });
    expect(watch.prefix).toMatch(/^Platform-Watch/);
    const resources = ownResources(watch);
    for (const { VpcConfig } of functionsOf(resources)) {
      expect(VpcConfig.SubnetIds).toEqual([{ Ref: expect.stringContaining("PrivateSubnet1") }]);
      expect(VpcConfig.SecurityGroupIds).toHaveLength(1);
    }
    const groups = ofType(resources, "AWS::EC2::SecurityGroup");
    expect(groups).toHaveLength(1);
    expect(groups[0]?.Properties.SecurityGroupIngress).toBeUndefined();
  });

  test("aws.vpc puts every function into the VPC by ids, without a lookup", () => {
    const ids = { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd", "subnet-4567abcd"] };
    for (const securityGroupIds of [undefined, ["sg-0123abcd"]]) {
      const vpc = { ...ids, ...(securityGroupIds && { securityGroupIds }) };
      const watch = create({}, { aws: { vpc } });
      const resources = ownResources(watch);
      for (const { VpcConfig } of functionsOf(resources)) {
        expect(VpcConfig.SubnetIds).toEqual(ids.subnetIds);
        if (securityGroupIds) expect(VpcConfig.SecurityGroupIds).toEqual(securityGroupIds);
      }
      expect(JSON.stringify(resources)).toContain("ec2:CreateNetworkInterface");
    }
    expect(JSON.stringify(ownResources(create({})))).not.toContain("ec2:");
  });

  test("keyKmsKeyArn lets the probers decrypt with that key, and nobody else", () => {
    const keyKmsKeyArn = "arn:aws:kms:eu-west-1:123456789012:key/0123-abcd";
    const aws = { keyKmsKeyArn };
    const resources = ownResources(create({}, { aws }));
    const roles = Object.entries(resources).filter(([, { Type }]) => Type === "AWS::IAM::Role");
    const allowed = roles.filter(([, role]) => JSON.stringify(role).includes(keyKmsKeyArn));
    expect(allowed.map(([id]) => id)).toEqual(Array(3).fill(expect.stringContaining("probe")));
    expect(JSON.stringify(ownResources(create({}, { aws, key: "none" })))).not.toContain(keyKmsKeyArn);
  });

  test("Where the proxy's address is a secret, the probers may read it, and nobody else", () => {
    const rolesThatRead = (proxy: object) =>
      Object.entries(ownResources(create({}, { proxy })))
        .filter(([, role]) => role.Type === "AWS::IAM::Role" && /proxy-address/.test(JSON.stringify(role)))
        .map(([id]) => id);
    for (const proxy of [{ ssm: "/v1watch/proxy-address" }, { secret: "proxy-address" }])
      expect(rolesThatRead(proxy)).toEqual(Array(3).fill(expect.stringContaining("probe")));
    expect(rolesThatRead({ url: "http://proxy-address:3128" })).toEqual([]);
  });

  test("A permissions boundary is on every role", () => {
    const arn = "arn:aws:iam::123456789012:policy/boundary";
    const watch = create({}, { aws: { permissionsBoundaryArn: arn } });
    const roles = ofType(ownResources(watch), "AWS::IAM::Role");
    expect(roles.map(({ Properties }) => Properties.PermissionsBoundary)).toEqual(Array(6).fill(arn));
  });

  test("runbookUrl is in every alarm and in the alerts", () => {
    const runbookUrl = "https://wiki.example.com/v1watch";
    const text = JSON.stringify(ownResources(create({}, { runbookUrl })));
    expect(text).toContain(`See ${runbookUrl}#silent`);
    expect(text).toContain(`\\"runbookUrl\\":\\"${runbookUrl}\\"`);
    expect(text).not.toContain("docs/use/runbook.md");
  });

  test("existingTableName uses that table and creates none", () => {
    const resources = ownResources(create({}, { aws: { existingTableName: "kept-table" } }));
    expect(ofType(resources, "AWS::DynamoDB::Table")).toEqual([]);
    for (const { Environment } of functionsOf(resources))
      expect(Environment.Variables.TABLE).toBe("kept-table");
    expect(JSON.stringify(resources)).toContain(":table/kept-table/index/to-do");
  });

  test("Tags are on what the watch creates, and on nothing else", () => {
    const watch = create({}, { aws: { tags: { team: "identity" } } });
    const tagged = ["AWS::DynamoDB::Table", "AWS::Lambda::Function", "AWS::SNS::Topic", "AWS::IAM::Role"];
    for (const type of tagged)
      for (const { Properties } of ofType(ownResources(watch), type))
        expect(Properties.Tags, type).toContainEqual({ Key: "team", Value: "identity" });
    expect(() => create({}, { aws: { tags: { "aws:team": "x" } } })).toThrow(/aws\.tags/);
  });

  test("The properties topic, bucket and encryptionKey are used in place of what would be created", () => {
    const stack = new Stack(createTestApp(), "Platform");
    const encryptionKey: IKey = new Key(stack, "Key");
    const topic: ITopic = new Topic(stack, "Topic", { masterKey: encryptionKey });
    const bucket = new Bucket(stack, "Bucket") as IBucket;
    const watch = new V1Watch(stack, "Watch", { config, topic, bucket, encryptionKey });
    expect([watch.topic, watch.bucket]).toEqual([topic, bucket]);
    const own = ownResources(watch);
    for (const type of ["AWS::S3::Bucket", "AWS::KMS::Key"]) expect(ofType(own, type), type).toEqual([]);
    expect(ofType(own, "AWS::SNS::Topic")).toHaveLength(1);
  });

  test("alarmActions are called by every alarm that notifies, and securityGroups replace our own", () => {
    const alarmActions = [{ bind: () => ({ alarmActionArn: "arn:aws:sns:eu-west-1:123456789012:on-call" }) }];
    for (const notify of ["fallback", "always"] as const) {
      const stack = new Stack(createTestApp(), "Platform");
      const vpc: IVpc = new Vpc(stack, "Vpc") as IVpc;
      const securityGroups = [SecurityGroup.fromSecurityGroupId(stack, "Group", "sg-0123abcd")];
      const settings = { ...config, aws: { alarms: { notify } } };
      const watch = new V1Watch(stack, "Watch", { config: settings, alarmActions, vpc, securityGroups });
      const own = ownResources(watch);
      const notifying = Object.values(own).filter(({ Properties }) => Properties?.AlarmActions?.length > 0);
      // The watch itself, the clocks, and what stands in for the assessment; or all alarms about V1.
      expect(notifying).toHaveLength(notify === "fallback" ? 5 : 21);
      for (const { Properties } of notifying)
        expect(JSON.stringify(Properties.AlarmActions)).toContain(":on-call");
      for (const { VpcConfig } of functionsOf(own))
        expect(VpcConfig.SecurityGroupIds).toEqual(["sg-0123abcd"]);
    }
  });

  test("The retention of logs and a pause are set everywhere", () => {
    const own = ownResources(create({}, { aws: { logRetentionDays: 14, enabled: false } }));
    for (const { Properties } of ofType(own, "AWS::Logs::LogGroup"))
      expect(Properties.RetentionInDays).toBe(14);
    for (const { Properties } of ofType(own, "AWS::Scheduler::Schedule"))
      expect(Properties.State).toBe("DISABLED");
  });

  test("Roles take additions, alarms are found by name, and grantRead reads table, indexes and reports", () => {
    const watch = create({});
    watch.functions.assess.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:SendMessage"],
        resources: ["arn:aws:sqs:eu-west-1:123456789012:mine"],
      }),
    );
    const reader = new Role(Stack.of(watch), "Reader", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    watch.grantRead(reader);
    const text = JSON.stringify(ofType(resourcesOf(Stack.of(watch)), "AWS::IAM::Policy"));
    expect(text).toContain(":mine");
    for (const part of ["dynamodb:Query", "/index/*", "s3:GetObject*", "/reports/*"])
      expect(text).toContain(part);
    expect(watch.alarms["v1watch-unhealthy"]?.alarmArn).toBeDefined();
    expect(Object.keys(watch.alarms)).toContain("slow-passport-list");
  });

  test("The metric methods read the metrics of the alarms, of the list unless another endpoint is named", () => {
    const watch = create({});
    const read = ({ namespace, metricName, statistic, dimensions }: Metric) => [
      namespace === watch.namespace,
      metricName,
      statistic,
      dimensions?.Endpoint,
    ];
    expect([
      read(watch.metricUnauthorizedRate()),
      read(watch.metricFailureRate({ endpoint: "passport" })),
      read(watch.metricBreakingDrift()),
      read(watch.metricRecordAge({ statistic: "p50" })),
      read(watch.metricDaysToRetirement()),
    ]).toEqual([
      [true, "Unauthorized", "Average", "passport-list"],
      [true, "RequestFailed", "Average", "passport"],
      [true, "BreakingDrift", "Maximum", "passport-list"],
      [true, "RecordAgeSeconds", "p50", "passport-list"],
      [true, "DaysToRetirement", "Minimum", undefined],
    ]);
  });

  test("addAlarmAction adds to every alarm that notifies, to its end as alarmActions do, and to no other", () => {
    const arn = "arn:aws:sns:eu-west-1:123456789012:on-call";
    const action = { bind: () => ({ alarmActionArn: arn }) };
    for (const notify of ["fallback", "always", "never"] as const) {
      const settings = { ...config, aws: { alarms: { notify } } };
      const given = new V1Watch(new Stack(createTestApp(), "Platform"), "Watch", {
        config: settings,
        alarmActions: [action],
      });
      const without = new V1Watch(new Stack(createTestApp(), "Platform"), "Watch", { config: settings });
      const added = new V1Watch(new Stack(createTestApp(), "Platform"), "Watch", { config: settings });
      added.addAlarmAction(action);
      expect(ownResources(added)).toEqual(ownResources(given));
      expect(JSON.stringify(ownResources(added))).toContain(arn);
      // No alarm notifies that did not before.
      const before = Object.values(ownResources(without)).filter(
        ({ Properties }) => Properties?.AlarmActions,
      );
      const after = Object.values(ownResources(added)).filter(({ Properties }) => Properties?.AlarmActions);
      expect(after).toHaveLength(before.length);
    }
  });

  test("onAlert brings this watch's alerts to a target, of the severities and events that are named", () => {
    const watch = create({});
    const queue = new Queue(Stack.of(watch), "Queue");
    watch.onAlert(new SqsQueue(queue as IQueue));
    watch.onAlert(new SqsQueue(queue as IQueue), { id: "Pages", severities: ["page"], events: ["opened"] });
    const rules = ofType(resourcesOf(Stack.of(watch)), "AWS::Events::Rule");
    const [all, pages] = rules.map(({ Properties }) => Properties.EventPattern);
    expect(all).toMatchObject({ source: [eventSource], "detail-type": [eventDetailType] });
    expect(all.resources[0].Ref).toContain("Alerts");
    expect(all.detail).toBeUndefined();
    expect(pages.detail).toEqual({ severity: ["page"], event: ["opened"] });
    for (const { Properties } of rules) expect(Properties.Targets).toHaveLength(1);
    const silent = create({}, { aws: { events: false } });
    expect(() => silent.onAlert(new SqsQueue(queue as IQueue))).toThrow(/aws\.events/);
  });

  test("The metrics of the watch's own health are read in its namespace, without an endpoint", () => {
    const watch = create({});
    const all = [
      watch.metricAssessmentCompleted(),
      watch.metricUndelivered({ period: Duration.minutes(5) }),
      watch.metricOpenIncidents(),
      watch.metricBudgetLeft(),
      watch.metricUnconfirmedSubscriptions(),
    ];
    const names: string[] = customMetrics.filter(({ endpoint }) => !endpoint).map(({ name }) => name);
    for (const { namespace, metricName, dimensions } of all) {
      expect(namespace).toBe(watch.namespace);
      expect(names).toContain(metricName);
      expect(dimensions ?? {}).toEqual({});
    }
    expect(all.map(({ period }) => period.toMinutes())).toEqual([60, 5, 60, 60, 1_440]);
    expect(() => watch.metricRecordAge({ endpoint: "passport" })).toThrow(/of passport-list only/);
  });

  test("The properties architecture and logGroup are those of every function, and a lent log group is not changed", () => {
    const stack = new Stack(createTestApp(), "Platform");
    const logGroup = new LogGroup(stack, "Logs") as ILogGroup;
    const watch = new V1Watch(stack, "Watch", { config, logGroup, architecture: Architecture.X86_64 });
    const own = ownResources(watch);
    expect(ofType(own, "AWS::Logs::LogGroup")).toEqual([]);
    for (const { Architectures, LoggingConfig } of functionsOf(own)) {
      expect(Architectures).toEqual(["x86_64"]);
      expect(LoggingConfig.LogGroup.Ref).toMatch(/^Logs/);
    }
    expect(JSON.stringify(ofType(own, "AWS::IAM::Role"))).toContain('"Fn::GetAtt":["Logs');
    const alone = new Stack(createTestApp(), "Platform");
    new LogGroup(alone, "Logs");
    const groupsOf = (one: Stack) => ofType(resourcesOf(one), "AWS::Logs::LogGroup");
    expect(groupsOf(stack)).toEqual(groupsOf(alone));
  });

  test("A property that JavaScript misspells is refused with the names that there are, in a construct and in a stack", () => {
    const misspelt = { config, alarmAction: [] } as V1WatchProps;
    const message = /^v1watch: alarmAction: not a property.*alarmActions, architecture, bucket, config/;
    expect(() => new V1Watch(new Stack(createTestApp(), "Platform"), "Watch", misspelt)).toThrow(message);
    expect(() => new V1WatchStack(createTestApp(), "v1watch", misspelt)).toThrow(message);
    const known = { config, terminationProtection: true, description: "Ours", stackName: "ours" };
    expect(() => new V1WatchStack(createTestApp(), "v1watch", known)).not.toThrow();
  });

  test("Five watches fit into one stack, whose limit is 500 resources", () => {
    const stack = new Stack(createTestApp(), "Platform");
    for (const name of ["One", "Two", "Three", "Four", "Five"])
      new V1Watch(stack, name, { config: { ...config, aws: { ...config.aws, drill: true } } });
    expect(Object.keys(resourcesOf(stack)).length).toBeLessThanOrEqual(500);
  });

  test("cdk-nag finds nothing where all properties are set", () => {
    process.env.CDK_VALIDATION = "true";
    try {
      const app = createTestApp();
      const stack = new Stack(app, "Platform");
      new V1Watch(stack, "Watch", {
        bucket: Bucket.fromBucketName(stack, "Reports", "our-reports"),
        config: {
          ...config,
          aws: {
            vpc: { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd"] },
            drill: true,
            enabled: false,
            keyKmsKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0123-abcd",
            existingTableName: "kept-table",
            tags: { team: "identity" },
          },
        },
      });
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      app.synth();
    } finally {
      process.env.CDK_VALIDATION = "false";
    }
  });

  test("aws.bootstrapQualifier is that of the stack, and the app's context comes before it", () => {
    const settings = { ...config, aws: { bootstrapQualifier: "team1" } };
    const versionOf = (app: App) => {
      const stack = new V1WatchStack(app, "v1watch", { config: settings });
      return Template.fromStack(stack).toJSON().Parameters.BootstrapVersion.Default;
    };
    expect(versionOf(createTestApp())).toBe("/cdk-bootstrap/team1/version");
    const app = createTestApp();
    app.node.setContext("@aws-cdk/core:bootstrapQualifier", "other");
    expect(versionOf(app)).toBe("/cdk-bootstrap/other/version");
  });
});

test("Links to the console are looked up by the partition, which an app may know only at the deployment", () => {
  const { Outputs, Mappings } = Template.fromStack(
    new V1WatchStack(createTestApp(), "v1watch", { config }),
  ).toJSON();
  expect(JSON.stringify(Outputs.DashboardUrl.Value)).toContain(
    '"https://",{"Fn::FindInMap":["Console",{"Ref":"AWS::Partition"},"host"]},"/cloudwatch/home?region="',
  );
  expect(Mappings.Console["aws-cn"]).toEqual({ host: "console.amazonaws.cn" });
});

describe("a mistake", () => {
  const create = (aws: object, env?: object) => {
    const stack = new Stack(createTestApp(), "S", { ...(env && { env }) });
    new V1Watch(stack, "Watch", { config: { ...config, aws } });
    return stack;
  };
  const env = { account: "123456789012", region: "eu-west-1" };

  test("A mistake of the budget is an error of the stack, which stops a deployment and never a removal", () => {
    const dear = create({ maxMonthlyUsd: 1 });
    Annotations.fromStack(dear).hasError(
      "*",
      Match.stringLikeRegexp("aws\\.maxMonthlyUsd: \\$1\\.00 is less"),
    );
    const stack = new Stack(createTestApp(), "S");
    new V1Watch(stack, "Watch", { config: { ...config, budget: { monthlyRequests: 100 } } });
    Annotations.fromStack(stack).hasError("*", Match.stringLikeRegexp("of the month|budget|cadence"));
    expect(Annotations.fromStack(create({})).findError("*", Match.anyValue())).toEqual([]);
  });

  test("What an alarm calls in another region is refused, also where only the CDK's command line knows the region", () => {
    const selfAlarmActions = ["arn:aws:sns:us-east-1:123456789012:on-call"];
    const problem = /aws\.selfAlarmActions\[0\]: is in us-east-1; the watch is in eu-west-1\./;
    expect(() => create({ selfAlarmActions }, env)).toThrow(problem);
    vi.stubEnv("CDK_DEFAULT_REGION", "eu-west-1");
    expect(() => create({ selfAlarmActions })).toThrow(problem);
    vi.unstubAllEnvs();
    expect(() => create({ selfAlarmActions })).not.toThrow();
  });

  test("A channel of Slack is refused in China, where Amazon Q in chat does not exist", () => {
    const subscriptions = [{ slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" } }];
    const china = { account: "123456789012", region: "cn-north-1" };
    expect(() => create({ subscriptions }, china)).toThrow(
      /^v1watch: .*aws\.subscriptions\[0\]: is a channel of Slack.*cn-north-1 does not have it.*https/s,
    );
    expect(() => create({ subscriptions }, env)).not.toThrow();
  });

  test("A value that only the deployment knows is refused with its path and another way", () => {
    const stack = new Stack(createTestApp(), "S");
    const queue = new Queue(stack, "Queue");
    const make = (change: object) => () =>
      new V1Watch(stack, `Watch${Math.random()}`, { config: { ...config, ...change } });
    expect(make({ baseUrl: Fn.importValue("v1") })).toThrow(
      /^v1watch: .*baseUrl: is known only at the deployment.*valueFromLookup/s,
    );
    expect(make({ aws: { subscriptions: [{ sqs: queue.queueArn }] } })).toThrow(
      /aws\.subscriptions\[0\]\.sqs: .*SqsSubscription/s,
    );
    expect(make({ aws: { selfAlarmActions: [new Topic(stack, "T").topicArn] } })).toThrow(
      /aws\.selfAlarmActions\[0\]: .*addAlarmAction/s,
    );
  });

  test("A region other than the stack's is refused", () => {
    expect(() => create({ region: "us-east-1" }, env)).toThrow(/aws\.region: "us-east-1" is not the region/);
    expect(() => create({ region: "eu-west-1" }, env)).not.toThrow();
  });
});

// Topics and keys that an app lends to the watch. They belong to the app: the watch adds no statement to their policies
// unless the app asks for it, and warns where a policy that it can see would refuse CloudWatch's alarms.
import { Annotations, ArnFormat, Aspects, Stack, Token } from "aws-cdk-lib";
import type { IAlarmAction } from "aws-cdk-lib/aws-cloudwatch";
import { AccountPrincipal, AnyPrincipal, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnKey, type IKey } from "aws-cdk-lib/aws-kms";
import { type CfnTopicPolicy, type ITopic, Topic, TopicPolicy } from "aws-cdk-lib/aws-sns";
import type { IConstruct } from "constructs";
import type { WatchScope } from "./scope.ts";

/** What whoever publishes to an encrypted topic does with its key. */
export const keyActions = ["kms:Decrypt", "kms:GenerateDataKey"];

/** Every alarm of the account and region, so that an alarm of the customer's on one of our topics notifies as well. */
export const admitAlarms = (scope: WatchScope, actions: string[], resource: string): PolicyStatement =>
  admitAlarmsNamed("*", scope, actions, resource);

function admitAlarmsNamed(
  pattern: string,
  scope: WatchScope,
  actions: string[],
  resource: string,
): PolicyStatement {
  const stack = Stack.of(scope);
  return new PolicyStatement({
    principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
    conditions: {
      StringEquals: { "aws:SourceAccount": stack.account },
      ArnLike: {
        "aws:SourceArn": stack.formatArn({
          service: "cloudwatch",
          resource: "alarm",
          resourceName: pattern,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      },
    },
    actions,
    resources: [resource],
  });
}

/** What SNS itself gives a topic that has no policy. Any other policy replaces it, so it is repeated beside ours. */
const defaultStatement = (topic: ITopic) =>
  new PolicyStatement({
    sid: "__default_statement_ID",
    principals: [new AnyPrincipal()],
    actions: [
      "sns:GetTopicAttributes",
      "sns:SetTopicAttributes",
      "sns:AddPermission",
      "sns:RemovePermission",
      "sns:DeleteTopic",
      "sns:Subscribe",
      "sns:ListSubscriptionsByTopic",
      "sns:Publish",
    ],
    resources: [topic.topicArn],
    conditions: { StringEquals: { "AWS:SourceOwner": topic.env.account } },
  });

/** Adds to the policy that the topic has, and takes nothing from anybody. False where the topic is imported. */
export function admitAlarmsToTopic(scope: WatchScope, topic: ITopic): boolean {
  const own = admitAlarms(scope, ["sns:Publish"], topic.topicArn);
  const policy = findPolicy(topic);
  if (policy) {
    policy.document.addStatements(own);
    return true;
  }
  return [defaultStatement(topic), own].every((each) => topic.addToResourcePolicy(each).statementAdded);
}

/** False where the key is imported. */
export const admitAlarmsToKey = (scope: WatchScope, key: IKey): boolean =>
  key.addToResourcePolicy(admitAlarms(scope, keyActions, "*")).statementAdded;

/** The topic's own policy, or one that the app created beside it: a second one would replace the first. */
function findPolicy(topic: ITopic): TopicPolicy | undefined {
  const textOf = (value: unknown) => JSON.stringify(topic.stack.resolve(value));
  return topic.stack.node
    .findAll()
    .filter((each) => each instanceof TopicPolicy)
    .find((each) => {
      const { topics } = each.node.defaultChild as CfnTopicPolicy;
      return topics.some((arn) => textOf(arn) === textOf(topic.topicArn));
    });
}

// ------------------------------------------------------------------------------------------- of somebody else
/** What CloudFormation decides is not known. */
const known = (text: string): string | undefined => (Token.isUnresolved(text) ? undefined : text);

/** For the owner of what is in another account: this watch's alarms and functions, and nobody else's. */
export function statementsForOwner(
  scope: WatchScope,
  { actions, alarmActions, resource }: { actions: string[]; alarmActions: string[]; resource: string },
): PolicyStatement[] {
  const { account, region } = Stack.of(scope);
  if (known(account) === undefined || known(region) === undefined)
    throw new Error(
      "v1watch: a policy in another account has to name the account and the region of the watch. Give its stack an env with both.",
    );
  return [
    admitAlarmsNamed(`${scope.prefix}-*`, scope, alarmActions, resource),
    // Which of its roles may do it, that account says itself: here the one of the assessment.
    new PolicyStatement({ principals: [new AccountPrincipal(account)], actions, resources: [resource] }),
  ];
}

const remedyOf = (region: string) =>
  `CloudWatch's alarms publish only to standard topics of their own region. Use one in ${region}; a queue, a function or an address elsewhere can subscribe to it.`;

/** What an alarm would not publish to, in words; undefined where nothing is known against it. */
function findFault(topic: { fifo: boolean; region: string | undefined }, region: string | undefined) {
  if (topic.fifo) return "is a FIFO topic";
  if (topic.region !== undefined && region !== undefined && topic.region !== region)
    return `is in ${topic.region}, and the watch in ${region}`;
  return undefined;
}

function refuse(what: string, fault: string | undefined, region: string | undefined): void {
  if (fault !== undefined)
    throw new Error(`v1watch: ${what} ${fault}. ${remedyOf(region ?? "the region of the watch")}`);
}

/** Before anything is created: AWS would say so at the first alarm, and to nobody. */
export function assertLendable(topic: ITopic | undefined, region: string | undefined): void {
  if (!topic) return;
  const place = { fifo: topic.fifo, region: known(topic.env.region) };
  refuse(`the topic ${topic.node.path}`, findFault(place, region), region);
}

const topicArnForm = /^arn:[^:]+:sns:([^:]+):\d+:(.+)$/;

/** The same of what an app gives as a further action of alarms, as soon as an alarm takes it. */
export const checkedAction = (action: IAlarmAction, region: string | undefined): IAlarmAction => ({
  bind(scope, alarm) {
    const config = action.bind(scope, alarm);
    const { alarmActionArn } = config;
    const [, own, name = ""] = topicArnForm.exec(alarmActionArn) ?? [];
    const created = scope.node.root.node
      .findAll()
      .find((each): each is Topic => each instanceof Topic && each.topicArn === alarmActionArn);
    const place = created
      ? { fifo: created.fifo, region: known(created.env.region) }
      : { fifo: name.endsWith(".fifo"), region: own };
    refuse(`the alarm action ${created?.node.path ?? alarmActionArn}`, findFault(place, region), region);
    return config;
  },
});

type Lent = { topic: ITopic | undefined; key: IKey | undefined };

/** A topic of another account takes nothing until its owner lets it; one that CloudFormation names may be one. */
function warnOfOwner(scope: WatchScope, topic: ITopic): void {
  const warn = (id: string, text: string) =>
    Annotations.of(scope).addWarningV2(`v1watch:${id}`, `v1watch: the topic ${topic.node.path} ${text}`);
  const what =
    "topicPolicyStatements() and, if a key encrypts it, keyPolicyStatements() of the watch to its policies (docs/aws/deploy.md, A topic of another account)";
  const [own, account] = [known(Stack.of(scope).account), known(topic.env.account)];
  if (topic.node.defaultChild === undefined && Token.isUnresolved(topic.topicArn))
    warn(
      "unknown-owner",
      `has an ARN that only the deployment knows. It has to be a standard topic of the watch's region; if it is of another account, its owner has to add ${what}.`,
    );
  else if (own !== undefined && account !== undefined && own !== account)
    warn("another-account", `is of the account ${account}. Its owner has to add ${what}.`);
}

/** At the synthesis, when the app has said everything that it says about its policies. An imported one cannot be seen. */
export function warnOfLent(scope: WatchScope, { topic, key }: Lent): void {
  const warn = (id: string, what: string, call: string) =>
    Annotations.of(scope).addWarningV2(
      `v1watch:${id}`,
      `v1watch: the policy of ${what} does not admit cloudwatch.amazonaws.com, so CloudWatch's alarms cannot notify through it. Call ${call} on the watch, or add the statement yourself.`,
    );
  const visit = (node: IConstruct) => {
    if (node !== scope) return;
    const document = topic && findPolicy(topic)?.document;
    if (topic && !(document && admitsCloudWatch(topic.stack.resolve(document)))) warnOfOwner(scope, topic);
    if (topic && document && !admitsCloudWatch(topic.stack.resolve(document)))
      warn("lent-topic", `the topic ${topic.node.path}`, "allowAlarms(topic)");
    const resource = key?.node.defaultChild;
    if (key && resource instanceof CfnKey && !admitsCloudWatch(key.stack.resolve(resource.keyPolicy)))
      warn("lent-key", `the key ${key.node.path}`, "allowAlarms(key)");
  };
  if (topic || key) Aspects.of(scope).add({ visit });
}

type Rendered = { Statement?: { Effect: string; Principal?: unknown }[] };

const admitsCloudWatch = ({ Statement = [] }: Rendered) =>
  Statement.some(
    ({ Effect, Principal }) =>
      Effect === "Allow" && /cloudwatch\.amazonaws\.com|"\*"/.test(JSON.stringify(Principal)),
  );

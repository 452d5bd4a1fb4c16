// Topics and keys that an app lends to the watch. They belong to the app: the watch adds no statement to their policies
// unless the app asks for it, and warns where a policy that it can see would refuse CloudWatch's alarms.
import { Annotations, ArnFormat, Aspects, Stack } from "aws-cdk-lib";
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnKey, type IKey } from "aws-cdk-lib/aws-kms";
import { type CfnTopicPolicy, type ITopic, TopicPolicy } from "aws-cdk-lib/aws-sns";
import type { IConstruct } from "constructs";
import type { WatchScope } from "./scope.ts";

/** What whoever publishes to an encrypted topic does with its key. */
export const keyActions = ["kms:Decrypt", "kms:GenerateDataKey"];

/** Every alarm of the account and region, so that an alarm of the customer's on one of our topics notifies as well. */
export function admitAlarms(scope: WatchScope, actions: string[], resource: string): PolicyStatement {
  const stack = Stack.of(scope);
  return new PolicyStatement({
    principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
    conditions: {
      StringEquals: { "aws:SourceAccount": stack.account },
      ArnLike: {
        "aws:SourceArn": stack.formatArn({
          service: "cloudwatch",
          resource: "alarm",
          resourceName: "*",
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

type Lent = { topic: ITopic | undefined; key: IKey | undefined };

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

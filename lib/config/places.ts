// ARNs of another partition, region or account than the watch: what AWS would refuse only at the deployment.
import { type Arn, type Problem, parseArn, partitionOf } from "./arns.ts";
import type { Mistake } from "./mistakes.ts";
import type { Config } from "./schema.ts";

/** Where the watch is deployed, as far as it is known. */
export type Place = { region?: string | undefined; account?: string | undefined };

export function findPlaceMistakes({ aws, key }: Config, place: Place): Mistake[] {
  const region = place.region ?? aws.region;
  const { account } = place;
  const arns: [path: string, text: string | undefined][] = [
    ...aws.selfAlarmActions.map((text, index): [string, string] => [`aws.selfAlarmActions[${index}]`, text]),
    ...aws.subscriptions.map((target, index): [string, string | undefined] => [
      `aws.subscriptions[${index}]`,
      "sqs" in target ? target.sqs : "lambda" in target ? target.lambda : undefined,
    ]),
    ["aws.keyKmsKeyArn", aws.keyKmsKeyArn],
    ["aws.permissionsBoundaryArn", aws.permissionsBoundaryArn],
    ["key.secret", key !== "none" && "secret" in key ? key.secret : undefined],
  ];
  return arns.flatMap(([path, text]) => {
    const arn = text === undefined ? undefined : parseArn(text);
    const found = arn && region ? findOtherPlace(path, arn, region) : undefined;
    const foreign = arn && account ? findOtherAccount(path, arn, account) : undefined;
    const problem = found ?? foreign;
    return problem ? [{ path, ...problem }] : [];
  });
}

function findOtherPlace(path: string, arn: Arn, region: string): Problem | undefined {
  const partition = partitionOf(region);
  if (arn.partition !== partition)
    return {
      problem: `is in the partition ${arn.partition}; the watch is in ${region}, in the partition ${partition}.`,
      remedy: `Use one of the partition ${partition}.`,
    };
  if (!arn.region || arn.region === region) return undefined;
  if (path.startsWith("aws.selfAlarmActions"))
    return {
      problem: `is in ${arn.region}; the watch is in ${region}, and an alarm calls only actions of its own region.`,
      remedy: `Use one in ${region}.`,
    };
  if (path.startsWith("aws.subscriptions") && arn.service === "lambda")
    return {
      problem: `is a function in ${arn.region}; the watch is in ${region}, and may call none elsewhere.`,
      remedy: "Use a function of the same region, or a queue before it.",
    };
  if (path === "aws.keyKmsKeyArn")
    return {
      problem: `is a key in ${arn.region}; the watch is in ${region}, and reads its API key there.`,
      remedy: `Use the key in ${region} that encrypts the API key.`,
    };
  return undefined;
}

function findOtherAccount(path: string, arn: Arn, account: string): Problem | undefined {
  if (!path.startsWith("aws.subscriptions") || arn.account === account) return undefined;
  const thing = arn.service === "sqs" ? "a queue" : "a function";
  const why =
    arn.service === "sqs"
      ? "its owner would have to confirm the subscription by hand"
      : "only its owner can permit the topic to call it";
  return {
    problem: `is ${thing} of the account ${arn.account}; the watch is in ${account}, and ${why}.`,
    remedy: `Use one of the account ${account} that forwards, or an https address.`,
  };
}

// The subscriptions of the topic: which of them get alerts, and which are not confirmed or missing.
import { ListSubscriptionsByTopicCommand, SNSClient } from "@aws-sdk/client-sns";
import type { SubscriptionStatus } from "../records/metric-point.ts";
import { callTimeout, clientOptions } from "./clients.ts";

export type TopicSubscription = { protocol: string; endpoint: string; isConfirmed: boolean };

const callTimeoutMs = 10_000;

/** `client` is for tests; the SDK's own credentials, in the region of the topic, otherwise. */
export async function listSubscriptions(topicArn: string, client?: SNSClient): Promise<TopicSubscription[]> {
  const [, , , region] = topicArn.split(":");
  const sns = client ?? new SNSClient(clientOptions({ region }));
  const found: TopicSubscription[] = [];
  let NextToken: string | undefined;
  do {
    const command = new ListSubscriptionsByTopicCommand({ TopicArn: topicArn, NextToken });
    const page = await sns.send(command, callTimeout(callTimeoutMs));
    // SNS writes "PendingConfirmation" or "Deleted" in place of the ARN.
    for (const { Protocol = "", Endpoint = "", SubscriptionArn = "" } of page.Subscriptions ?? [])
      found.push({ protocol: Protocol, endpoint: Endpoint, isConfirmed: SubscriptionArn.startsWith("arn:") });
    NextToken = page.NextToken;
  } while (NextToken);
  return found;
}

export type SubscriptionOptions = {
  topicArn: string;
  /** How many the configuration asks for. */
  expected: number;
  client?: SNSClient;
};

export function createSubscriptionReader({ topicArn, expected, client }: SubscriptionOptions) {
  return async (): Promise<SubscriptionStatus> => {
    const found = await listSubscriptions(topicArn, client);
    const unconfirmed = found.filter(({ isConfirmed }) => !isConfirmed);
    return {
      at: new Date().toISOString(),
      expected,
      confirmed: found.length - unconfirmed.length,
      unconfirmed: unconfirmed.map(({ protocol, endpoint }) => `${protocol} ${maskEndpoint(endpoint)}`),
    };
  };
}

/** Enough to recognise it by: an address without its person, the host of a URL, the name of a resource. */
export function maskEndpoint(endpoint: string): string {
  const [, first, domain] = /^(.)[^@]*(@[^@]+)$/.exec(endpoint) ?? [];
  if (first && domain) return `${first}***${domain}`;
  if (endpoint.startsWith("arn:")) return endpoint.split(":").at(-1) ?? "";
  return URL.parse(endpoint)?.hostname ?? "***";
}

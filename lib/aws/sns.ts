// SNS: alerts leave through it, as one publication that reads well as an email, an SMS and JSON; and the subscriptions
// of its topic.

import { PublishCommand, paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import { NothingAcceptedError, type Receiver, RefusedError, UnansweredError } from "../ports.ts";
import { type Alert, textOf } from "../records/alert.ts";
import { acceptedByReceiver } from "../records/receipt.ts";
import type { SubscriptionStatus } from "../records/subscription-status.ts";
import { callTimeout, clientOptions, errorName } from "./clients.ts";

/** SNS has a minute to answer: what is repeated too early arrives twice. The outbox tries again, not the SDK. */
const attemptTimeoutMs = 60_000;
const maxAttempts = 1;
const callTimeoutMs = 62_000;

/** `client` is for tests; the SDK's own credentials, in the region of the topic, otherwise. */
export type SnsOptions = { topicArn: string; client?: SNSClient };

/** SNS was reached and does not take this message: later ones are not held back by it. */
const refusals = /^(?:InvalidParameter|Validation)/;

export function createSnsReceiver({ topicArn, client }: SnsOptions): Receiver {
  const [, , , region] = topicArn.split(":");
  const sns = client ?? new SNSClient(clientOptions({ region, attemptTimeoutMs, maxAttempts }));
  return {
    name: "sns",
    reachesPeople: true,
    async send(alert) {
      const command = new PublishCommand({
        TopicArn: topicArn,
        Subject: alert.subject,
        MessageStructure: "json",
        Message: JSON.stringify(messages(alert)),
        // For filter policies; by the id a receiver recognises what was sent twice.
        MessageAttributes: {
          severity: word(alert.severity),
          rule: word(alert.rule),
          scope: word(alert.scope),
          endpoint: word(alert.endpoints.length === 1 ? alert.endpoints[0]! : "all"),
          event: word(alert.event),
          id: word(alert.id),
        },
      });
      try {
        const { MessageId } = await sns.send(command, callTimeout(callTimeoutMs));
        if (MessageId === undefined) throw new UnansweredError("an answer without a message id");
        return acceptedByReceiver();
      } catch (error) {
        const name = errorName(error);
        if (refusals.test(name)) throw new RefusedError(name, { cause: error });
        if (isClientFault(error)) throw new NothingAcceptedError(name, undefined, { cause: error });
        if (/^(?:AbortError|TimeoutError|ECONNRESET|EPIPE)$/.test(name))
          throw new UnansweredError(name === "ECONNRESET" || name === "EPIPE" ? name : "timeout");
        throw error;
      }
    },
  };
}

/** SNS answered that the fault is ours: the permission, the topic or its key. Its own faults say nothing of the message. */
function isClientFault(error: unknown): boolean {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
}

const word = (StringValue: string) => ({ DataType: "String", StringValue });

function messages(alert: Alert): Record<string, string> {
  const json = JSON.stringify(alert);
  return {
    default: textOf(alert),
    email: textOf(alert),
    "email-json": json,
    sms: alert.subject,
    sqs: json,
    http: json,
    https: JSON.stringify({ ...alert, ...forChat(alert) }),
    lambda: json,
  };
}

/** Amazon Q in chat, which brings alerts to Slack, subscribes by https and reads only this form. */
function forChat(alert: Alert) {
  const content = { textType: "client-markdown", title: alert.subject, description: textOf(alert) };
  return { version: "1.0", source: "custom", content };
}

// The subscriptions of the topic: which of them get alerts, and which are not confirmed or missing.
export type TopicSubscription = { protocol: string; endpoint: string; isConfirmed: boolean };

const listTimeoutMs = 10_000;

/** `client` is for tests; the SDK's own credentials, in the region of the topic, otherwise. */
export async function listSubscriptions(topicArn: string, client?: SNSClient): Promise<TopicSubscription[]> {
  const [, , , region] = topicArn.split(":");
  const sns = client ?? new SNSClient(clientOptions({ region }));
  const found: TopicSubscription[] = [];
  const input = { TopicArn: topicArn };
  // SNS writes "PendingConfirmation" or "Deleted" in place of the ARN.
  for await (const page of paginateListSubscriptionsByTopic(
    { client: sns },
    input,
    callTimeout(listTimeoutMs),
  ))
    for (const { Protocol = "", Endpoint = "", SubscriptionArn = "" } of page.Subscriptions ?? [])
      found.push({ protocol: Protocol, endpoint: Endpoint, isConfirmed: SubscriptionArn.startsWith("arn:") });
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

/** Whether SNS lists the subscriptions, or by which error it refuses to; unknown before it was asked. */
export type Listing = { kind: "unknown" } | { kind: "listed" } | { kind: "refused"; cause: string };

/** Remembers a refusal. One call that fails in another way says nothing about the next. */
export function rememberListing(read: () => Promise<SubscriptionStatus>) {
  let listing: Listing = { kind: "unknown" };
  return {
    listing: () => listing,
    async read(): Promise<SubscriptionStatus> {
      try {
        const status = await read();
        listing = { kind: "listed" };
        return status;
      } catch (error) {
        const cause = errorName(error);
        if (/^(?:Authorization|AccessDenied|NotFound)/.test(cause)) listing = { kind: "refused", cause };
        throw error;
      }
    },
  };
}

/** Enough to recognise it by: an address without its person, the host of a URL, the name of a resource. */
export function maskEndpoint(endpoint: string): string {
  const address = /^(.)[^@]*(@[^@]+)$/;
  if (address.test(endpoint)) return endpoint.replace(address, "$1***$2");
  if (endpoint.startsWith("arn:")) return endpoint.slice(endpoint.lastIndexOf(":") + 1);
  return URL.parse(endpoint)?.hostname ?? "***";
}

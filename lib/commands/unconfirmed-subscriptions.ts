// The last lines of a deployment: the subscriptions that still have to be confirmed.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorName } from "../aws/clients.ts";
import { printable } from "../config/config.ts";

/** Runs with the name of a file for the stack's outputs, and removes the file. */
export async function withOutputs<T>(run: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "v1watch-outputs-"));
  try {
    return await run(join(folder, "outputs.json"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Undefined where the CDK wrote no outputs. */
export async function readTopicArn(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  const stacks = Object.values(JSON.parse(text) as Record<string, Record<string, string>>);
  return stacks.flatMap(({ TopicArn }) => (TopicArn ? [TopicArn] : []))[0];
}

/** One line each. The stack is deployed already, so a list that AWS does not give is no failure. */
export async function listUnconfirmed(topicArn: string): Promise<string> {
  const { listSubscriptions } = await import("../aws/subscriptions.ts");
  try {
    const found = await listSubscriptions(topicArn);
    if (found.length === 0) return "The topic has no subscriptions: alerts reach nobody.\n";
    const unconfirmed = found.filter(({ isConfirmed }) => !isConfirmed);
    if (unconfirmed.length === 0) return "All subscriptions are confirmed.\n";
    const rows = unconfirmed.map(
      ({ protocol, endpoint }) => `  ${protocol.padEnd(6)} ${printable(endpoint)}\n`,
    );
    return `Still to be confirmed, with the link in the message from AWS Notifications:\n${rows.join("")}`;
  } catch (error) {
    return `The subscriptions were not checked: ${errorName(error)}. Ask for sns:ListSubscriptionsByTopic on ${topicArn}.\n`;
  }
}

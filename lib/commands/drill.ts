// v1watch drill: one marked test event through the topic, to see that alerts arrive.
import { drillAlert } from "../assess/drill.ts";
import { createSnsDelivery } from "../aws/alerts.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";

export const drill: Command = {
  name: "drill",
  summary: "send one marked test event through the alerts' own way",
  help: `v1watch drill --aws TOPIC

Publishes one event to an SNS topic as an alert is published, marked as a drill in every form it takes.
The topic is the output TopicArn of the stack.

  --aws TOPIC   the topic's ARN

Example:
  v1watch drill --aws arn:aws:sns:eu-west-1:123456789012:v1watch-Alerts
`,
  options: { aws: { type: "string" } },
  async run(values, _positionals, io) {
    const topicArn = values.aws;
    if (typeof topicArn !== "string" || !/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/.test(topicArn)) {
      throw new UsageError("drill needs --aws and the ARN of an SNS topic");
    }
    const alert = drillAlert(new Date().toISOString());
    try {
      await createSnsDelivery({ topicArn }).alert(alert);
    } catch (error) {
      throw new UsageError(`SNS did not take the drill (${(error as Error).name}).`);
    }
    io.out(
      `SNS took the drill of ${alert.at}. Whoever is subscribed has it in a minute: "${alert.subject}"\n`,
    );
    return exitCodes.fine;
  },
};

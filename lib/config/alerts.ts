// Who is told, where one machine watches. A webhook's address is a secret: no message repeats it.
import * as z from "zod";
import { section } from "./values.ts";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const webhook = z
  .string({ error: 'a web address (such as "https://hooks.example.com/v1watch")' })
  .superRefine((text, context) => {
    const refuse = (problem: string, remedy: string) =>
      context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
    const url = URL.parse(text);
    if (!url) return refuse("is not a web address.", "Write it in full, with https://.");
    if (url.username || url.password)
      return refuse("holds a user name or a password.", "Use an address with a token in its path.");
    if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname)))
      refuse("has to be https.", "Use https; http is for this machine only.");
  })
  .describe("A web address that takes Slack-compatible JSON by POST; https, or http on this machine.");

const topicForm = { error: 'the ARN of a topic ("arn:aws:sns:…")' };

export const alertsSection = section("Who is told, beside the console, where one machine watches.", {
  webhook: webhook.optional(),
  snsTopicArn: z
    .string(topicForm)
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/, topicForm)
    .optional()
    .describe("An SNS topic; the credentials come from the usual places."),
});

// The channels by type. Each type's module is imported only when it is configured.
import type { ChannelSettings, ChannelType } from "../../config/channels.ts";
import { type Channel, type ChannelContext, type CreateSend, isWanted } from "./channel.ts";

const types: { [Type in ChannelType]: () => Promise<CreateSend<Type>> } = {
  webhook: async () => (await import("./slack.ts")).createWebhook,
  slack: async () => (await import("./slack.ts")).createSlack,
  pagerduty: async () => (await import("./pagerduty.ts")).createPagerDuty,
  email: async () => (await import("./email.ts")).createEmail,
  sns: async () => (await import("./sns.ts")).createSns,
  console: async () => (_settings, context) => async (alert) => context.print(alert),
};

export async function createChannel(settings: ChannelSettings, context: ChannelContext): Promise<Channel> {
  const { name, type } = settings;
  const create = (await types[type]()) as CreateSend<ChannelType>;
  return {
    ...{ name, type, kind: "alert", reachesPeople: type !== "console" },
    wants: (alert) => isWanted(settings, alert),
    send: create(settings as never, context),
  };
}

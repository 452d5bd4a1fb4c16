// The channels by type. Each type's module is imported only when it is configured.
import type { ChannelSettings, ChannelType } from "../../config/channels.ts";
import { acceptedByReceiver } from "../../records/receipt.ts";
import { type Channel, type ChannelContext, type CreateSend, isWanted, type SettingsOf } from "./channel.ts";

const types: { [Type in ChannelType]: () => Promise<CreateSend<Type>> } = {
  webhook: async () => (await import("./webhook.ts")).createWebhook,
  slack: async () => (await import("./slack.ts")).createSlack,
  teams: async () => (await import("./teams.ts")).createTeams,
  pagerduty: async () => (await import("./pagerduty.ts")).createPagerDuty,
  email: async () => (await import("./email.ts")).createEmail,
  sns: async () => (await import("./sns.ts")).createSns,
  console: async () => (_settings, context) => async (alert) => {
    context.print(alert);
    return acceptedByReceiver();
  },
};

/** The type and its settings are two parameters, so that the compiler sees that they belong together. */
async function createSend<Type extends ChannelType>(
  type: Type,
  settings: SettingsOf<Type>,
  context: ChannelContext,
): Promise<Channel["send"]> {
  const create = await types[type]();
  return create(settings, context);
}

export async function createChannel(settings: ChannelSettings, context: ChannelContext): Promise<Channel> {
  const { name, type } = settings;
  return {
    name,
    type,
    reachesPeople: type !== "console",
    wants: (alert) => isWanted(settings, alert),
    send: await createSend(type, settings, context),
  };
}

// The channels by type: the rows of lib/channels, and those that are not HTTP, whose modules are imported when they are configured.
import { httpChannels } from "../../channels/index.ts";
import type { ChannelSettings } from "../../config/channels.ts";
import type { Receiver } from "../../ports.ts";
import { acceptedByReceiver } from "../../records/receipt.ts";
import { type Channel, type ChannelContext, isWanted } from "./channel.ts";
import { createHttpSend } from "./http.ts";

async function createSend(settings: ChannelSettings, context: ChannelContext): Promise<Receiver["send"]> {
  if (settings.type === "email") return (await import("./email.ts")).createEmail(settings, context);
  if (settings.type === "sns") return (await import("./sns.ts")).createSns(settings, context);
  if (settings.type === "console")
    return async (alert) => {
      context.print(alert);
      return acceptedByReceiver();
    };
  const { type } = settings;
  const row = httpChannels.find((one) => one.type === type);
  if (!row) throw new Error(`there is no channel of the type ${type}`);
  return createHttpSend(row, settings, context);
}

export async function createChannel(settings: ChannelSettings, context: ChannelContext): Promise<Channel> {
  const { name, type } = settings;
  return {
    name,
    type,
    reachesPeople: type !== "console",
    wants: (alert) => isWanted(settings, alert),
    send: await createSend(settings, context),
  };
}

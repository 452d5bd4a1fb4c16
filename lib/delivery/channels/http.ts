// Sends the requests of a row of lib/channels, one after another.
import type { AnySettings, HttpChannel } from "../../channels/http-channel.ts";
import { type ChannelSettings, secretsOf } from "../../config/channels.ts";
import type { Receiver } from "../../ports.ts";
import { type ChannelContext, post, requireSecret } from "./channel.ts";

async function readSettings(settings: ChannelSettings, context: ChannelContext): Promise<AnySettings> {
  const secrets = await Promise.all(
    secretsOf(settings).map(
      async ({ setting, source }) => [setting, await requireSecret(source, context)] as const,
    ),
  );
  return { ...settings, ...Object.fromEntries(secrets) };
}

export const createHttpSend =
  (row: HttpChannel, settings: ChannelSettings, context: ChannelContext): Receiver["send"] =>
  async (alert) => {
    const read = await readSettings(settings, context);
    const { isAccepted } = row;
    const [first, ...others] = row.requests(alert, read).map(({ url, body, headers }) => {
      const text = JSON.stringify(body);
      return {
        address: url,
        text,
        headers: headers?.(text) ?? {},
        isAccepted: isAccepted && ((answer: string) => isAccepted(answer, read)),
      };
    });
    if (!first) throw new Error("an alert has a request");
    let receipts = await post(first, context);
    for (const other of others) receipts = await post(other, context);
    return receipts;
  };

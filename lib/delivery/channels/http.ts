// Sends the requests of a row of lib/channels, one after another.
import type { AnySettings, HttpChannel, HttpRequest } from "../../channels/http-channel.ts";
import { type ChannelSettings, secretsOf } from "../../config/channels.ts";
import { nothingEarlier, type Receiver } from "../../ports.ts";
import { incidentOf } from "../../records/alert.ts";
import { endOf, listAccepted, type Receipt, theMessage } from "../../records/receipt.ts";
import { causeOf } from "../outbox.ts";
import { type ChannelContext, post, requireSecret } from "./channel.ts";

async function readSettings(settings: ChannelSettings, context: ChannelContext): Promise<AnySettings> {
  const secrets = await Promise.all(
    secretsOf(settings).map(
      async ({ setting, source }) => [setting, await requireSecret(source, context)] as const,
    ),
  );
  return { ...settings, ...Object.fromEntries(secrets) };
}

export function createHttpSend(
  row: HttpChannel,
  settings: ChannelSettings,
  context: ChannelContext,
): Receiver["send"] {
  const { isAccepted } = row;

  async function request({ url, body, headers }: HttpRequest, read: AnySettings, isDoneIfGone: boolean) {
    const text = JSON.stringify(body);
    await post(
      {
        address: url,
        text,
        headers: headers?.(text) ?? {},
        isAccepted: isAccepted && ((answer: string) => isAccepted(answer, read)),
        isDoneIfGone,
      },
      context,
    );
  }

  return async (alert, { accepted, told, awaited } = nothingEarlier) => {
    const read = await readSettings(settings, context);
    const failed: unknown[] = [];
    async function send(one: HttpRequest): Promise<Receipt> {
      const { ends } = one;
      const recipient = ends === undefined ? theMessage : endOf(ends);
      if (accepted.has(recipient)) return { recipient, isAccepted: true };
      if (ends !== undefined && awaited.has(ends))
        return { recipient, isAccepted: false, why: "waits for its message" };
      // What the service was never told of it cannot have ended: then its 404 is that of a wrong address.
      const isTold = ends !== undefined && (told.has(ends) || ends === sentIncident);
      try {
        await request(one, read, isTold);
        return { recipient, isAccepted: true };
      } catch (error) {
        // Nothing is ended in favour of a message that did not arrive.
        if (ends === undefined) throw error;
        failed.push(error);
        return { recipient, isAccepted: false, why: causeOf(error) };
      }
    }
    let sentIncident: string | undefined;
    const [first, ...others] = row.requests(alert, read, (context.nowMs ?? Date.now)());
    const receipt = await send(first);
    if (first.ends === undefined) sentIncident = incidentOf(alert);
    const receipts: [Receipt, ...Receipt[]] = [receipt];
    for (const other of others) receipts.push(await send(other));
    if (listAccepted(receipts).length === 0 && failed.length > 0) throw failed[0];
    return receipts;
  };
}

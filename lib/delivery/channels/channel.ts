// What every channel has, and how it posts JSON. No error contains an address, because addresses are secrets.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { ChannelSettings, ChannelType, SecretSource } from "../../config/channels.ts";
import { type Receiver, RefusedError, UnansweredError, UnreachableError } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";

export type Channel = Receiver & { type: ChannelType };

export type ChannelContext = {
  /** Undefined where the secret cannot be read. Read for every message, so that a rotated one needs no restart. */
  readSecret(source: SecretSource): Promise<string | undefined>;
  print(alert: Alert): void;
  timeouts?: Timeouts;
};

export type Timeouts = {
  /** Until the whole message is sent. */
  sendMs: number;
  /** From then on: a receiver that is given up too early has the message, and gets it again. */
  answerMs: number;
};
export const defaultTimeouts: Timeouts = { sendMs: 10_000, answerMs: 60_000 };

export type SettingsOf<Type extends ChannelType> = Extract<ChannelSettings, { type: Type }>;
export type CreateSend<Type extends ChannelType> = (
  settings: SettingsOf<Type>,
  context: ChannelContext,
) => (alert: Alert) => Promise<void>;

/** A drill proves the way to every channel, whatever the channel wants. */
export const isWanted = ({ severities, events }: ChannelSettings, { severity, event }: Alert): boolean =>
  event === "drill" || (severities.includes(severity) && events.includes(event));

export async function requireSecret(source: SecretSource, { readSecret }: ChannelContext): Promise<string> {
  const secret = await readSecret(source);
  if (secret === undefined) throw new UnreachableError("the secret is missing");
  return secret;
}

/** Statuses that a later try may not get. */
const isTemporary = (status: number) =>
  status < 400 || status >= 500 || [401, 403, 404, 407, 408, 425, 429].includes(status);

/** Two deadlines in a row: the error before the message was sent, and the one after it. */
export function createDeadline({ sendMs, answerMs }: Timeouts) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  let isSent = false;
  let timer = setTimeout(() => reject(new UnreachableError("timeout")), sendMs);
  return {
    expired: promise,
    isSent: () => isSent,
    noteSent() {
      if (isSent) return;
      isSent = true;
      clearTimeout(timer);
      timer = setTimeout(() => reject(new UnansweredError("timeout")), answerMs);
    },
    clear: () => clearTimeout(timer),
  };
}

export async function postJson(
  address: string,
  body: unknown,
  { timeouts = defaultTimeouts }: Pick<ChannelContext, "timeouts">,
): Promise<void> {
  const text = JSON.stringify(body);
  const deadline = createDeadline(timeouts);
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  const request = (address.startsWith("https:") ? requestHttps : requestHttp)(address, {
    method: "POST",
    headers,
    agent: false,
  });
  // An answer other than 2xx is never followed: an alert goes to the configured address only.
  const answered = new Promise<number>((resolve, reject) => {
    request.on("response", (response) => resolve(response.statusCode ?? 0)).on("error", reject);
  });
  request.on("finish", deadline.noteSent).end(text);
  let status: number;
  try {
    status = await Promise.race([answered, deadline.expired]);
  } catch (error) {
    if (!deadline.isSent() || error instanceof UnreachableError) throw error;
    throw new UnansweredError(String((error as NodeJS.ErrnoException).code ?? "no answer"));
  } finally {
    deadline.clear();
    answered.catch(() => {});
    request.destroy();
  }
  if (status >= 200 && status < 300) return;
  const cause = `status ${status}`;
  throw isTemporary(status) ? new UnreachableError(cause) : new RefusedError(cause);
}

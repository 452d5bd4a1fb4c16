// What every channel has, and how it posts JSON. No error contains an address, because addresses are secrets.
import type { ChannelSettings, ChannelType, SecretSource } from "../../config/channels.ts";
import { type Receiver, RefusedError, UnreachableError } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";

export type Channel = Extract<Receiver, { kind: "alert" }> & { type: ChannelType };

export type ChannelContext = {
  /** Undefined where the secret cannot be read. Read for every message, so that a rotated one needs no restart. */
  readSecret(source: SecretSource): Promise<string | undefined>;
  print(alert: Alert): void;
  timeoutMs?: number;
};

export type SettingsOf<Type extends ChannelType> = Extract<ChannelSettings, { type: Type }>;
export type CreateSend<Type extends ChannelType> = (
  settings: SettingsOf<Type>,
  context: ChannelContext,
) => (alert: Alert) => Promise<void>;

export const defaultTimeoutMs = 10_000;

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

export async function postJson(
  address: string,
  body: unknown,
  { timeoutMs = defaultTimeoutMs }: Pick<ChannelContext, "timeoutMs">,
): Promise<void> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (response.ok) return;
  const cause = `status ${response.status}`;
  throw isTemporary(response.status) ? new UnreachableError(cause) : new RefusedError(cause);
}

// What every channel has, and how it posts JSON. No error contains an address, because addresses are secrets.
import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { ChannelSettings, ChannelType } from "../../config/channels.ts";
import type { SecretSource } from "../../config/secret-source.ts";
import { type Receiver, RefusedError, UnansweredError, UnreachableError } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import { acceptedByReceiver, type Delivered } from "../../records/receipt.ts";

export type Channel = Receiver & { type: ChannelType };

export type ChannelContext = {
  /** Undefined where the secret cannot be read. Read for every message, so that a rotated one needs no restart. */
  readSecret(source: SecretSource): Promise<string | undefined>;
  print(alert: Alert): void;
  timeouts?: Timeouts;
  nowMs?(): number;
  /** For the connection of one request through the proxy; undefined where it goes without one. */
  agentFor?: AgentFor | undefined;
};

export type AgentFor = (address: string) => Agent | undefined;
/** What a call needs of it. */
type CallContext = Pick<ChannelContext, "timeouts" | "agentFor">;

export type Timeouts = {
  /** Until the whole message is sent. */
  sendMs: number;
  /** From then on: a receiver that is given up too early has the message, and gets it again. */
  answerMs: number;
};
export const defaultTimeouts: Timeouts = { sendMs: 10_000, answerMs: 60_000 };

type SettingsOf<Type extends ChannelType> = Extract<ChannelSettings, { type: Type }>;
export type CreateSend<Type extends ChannelType> = (
  settings: SettingsOf<Type>,
  context: ChannelContext,
) => Receiver["send"];

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

/** Undefined where the receiver does not say when to come back, or says it in no known form. */
function readRetryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** `text` is undefined where nobody asked for it. */
type Answer = { status: number; retryAfter: string | undefined; text: string | undefined };

/** The answers of services are short. What is longer is none of them. */
const maxAnswerBytes = 64 * 1_024;

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += (part as Buffer).length;
    if (size > maxAnswerBytes) break;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

const isSuccess = (status: number) => status >= 200 && status < 300;

type Called = {
  address: string;
  /** Whether the body of an answer with a status 2xx says yes. Without it the status does. */
  isAccepted?: ((text: string) => boolean) | undefined;
  /** Whether the receiver has what it wants if there is nothing under the address. */
  isDoneIfGone?: boolean | undefined;
};

const gone = [404, 410];

/** The receipt is that of an answer by which the receiver has the message, which is JSON. */
export const post = (
  { text, headers, ...called }: Called & { text: string; headers: Readonly<Record<string, string>> },
  context: CallContext,
): Promise<Delivered> =>
  call(
    {
      ...called,
      method: "POST",
      text,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(text)),
        ...headers,
      },
    },
    context,
  );

export const get = (called: Called, context: CallContext): Promise<Delivered> =>
  call({ ...called, method: "GET", text: "", headers: {} }, context);

type Call = Called & { method: "GET" | "POST"; text: string; headers: Readonly<Record<string, string>> };

async function call(
  { method, address, text, headers, isAccepted, isDoneIfGone = false }: Call,
  { timeouts = defaultTimeouts, agentFor }: CallContext,
): Promise<Delivered> {
  const deadline = createDeadline(timeouts);
  const agent = agentFor?.(address);
  const request = (address.startsWith("https:") ? requestHttps : requestHttp)(address, {
    method,
    headers,
    agent: agent ?? false,
  });
  // An answer other than 2xx is never followed: an alert goes to the configured address only.
  const answered = new Promise<Answer>((resolve, reject) => {
    request
      .on("response", (response) => {
        const { statusCode: status = 0, headers: given } = response;
        const retryAfter = given["retry-after"];
        if (!isSuccess(status) || !isAccepted) resolve({ status, retryAfter, text: undefined });
        else readText(response).then((read) => resolve({ status, retryAfter, text: read }), reject);
      })
      .on("error", reject);
  });
  request.on("finish", deadline.noteSent).end(text);
  let answer: Answer;
  try {
    answer = await Promise.race([answered, deadline.expired]);
  } catch (error) {
    if (!deadline.isSent() || error instanceof UnreachableError) throw error;
    throw new UnansweredError(String((error as NodeJS.ErrnoException).code ?? "no answer"));
  } finally {
    deadline.clear();
    answered.catch(() => {});
    request.destroy();
    agent?.destroy();
  }
  const { status, retryAfter } = answer;
  if (isDoneIfGone && gone.includes(status)) return acceptedByReceiver();
  if (!isSuccess(status)) {
    const cause = `status ${status}`;
    if (!isTemporary(status)) throw new RefusedError(cause);
    throw new UnreachableError(cause, readRetryAfterMs(retryAfter));
  }
  // Whoever answers so is not the service, or could not pass the message on: a later try may be accepted.
  if (isAccepted && !isAccepted(answer.text ?? ""))
    throw new UnreachableError(`status ${status}, but not accepted`);
  return acceptedByReceiver();
}

// A channel over HTTP is one row: its settings, its requests for an alert, and how the service says that it accepted them.
import * as z from "zod";
import type { SecretSource } from "../config/secret-source.ts";
import type { Alert } from "../records/alert.ts";
import { type AlertEvent, sharedSettings } from "./shared-settings.ts";

/** A POST of JSON. */
export type HttpRequest = {
  url: string;
  body: unknown;
  /** The incident that it ends. Without it the request is the message. */
  ends?: string | undefined;
  /** More headers, by the text of the body as it is sent. */
  headers?: ((text: string) => Readonly<Record<string, string>>) | undefined;
};

/** The message or an end, then other ends. The alert is delivered when each was accepted; none is sent again after that. */
export type HttpRequests = readonly [HttpRequest, ...HttpRequest[]];

type SecretShape = Readonly<Record<string, z.ZodType<SecretSource | undefined>>>;

/** What a row gets: its settings, with the secrets themselves in place of their sources. */
type ReadSettings<Secrets extends SecretShape, Own extends z.ZodRawShape> = {
  [Name in keyof Secrets]: undefined extends z.infer<Secrets[Name]> ? string | undefined : string;
} & z.infer<z.ZodObject<Own>>;

type Row<Type extends string, Secrets extends SecretShape, Own extends z.ZodRawShape> = {
  type: Type;
  /** For the reference of the configuration: what it does, what is an incident there, and what ends it. */
  description: string;
  /** The settings that are read from a secret source. One whose name ends in `url` is checked to be a web address. */
  secrets: Secrets;
  settings: Own;
  /** The events that the channel gets unless the configuration names others. */
  events?: readonly AlertEvent[];
  /** `nowMs`: when they are sent. */
  requests(alert: Alert, settings: ReadSettings<Secrets, Own>, nowMs: number): HttpRequests;
  /** Whether the body of an answer with a status 2xx says yes. Left out where the service says no by the status only. */
  isAccepted?(text: string, settings: ReadSettings<Secrets, Own>): boolean;
};

/** The settings with secrets that were read, by name. The schema of the row has checked them. */
export type AnySettings = Readonly<Record<string, unknown>>;

export type HttpChannel = {
  type: string;
  secretNames: readonly string[];
  requests(alert: Alert, settings: AnySettings, nowMs: number): HttpRequests;
  isAccepted?: ((text: string, settings: AnySettings) => boolean) | undefined;
};

export function defineHttpChannel<
  const Type extends string,
  const Secrets extends SecretShape,
  const Own extends z.ZodRawShape,
>({ type, description, secrets, settings, events, requests, isAccepted }: Row<Type, Secrets, Own>) {
  const schema = z
    .strictObject({ type: z.literal(type), ...sharedSettings(events), ...secrets, ...settings })
    .describe(description);
  return {
    type,
    schema,
    secretNames: Object.keys(secrets),
    requests: requests as HttpChannel["requests"],
    isAccepted: isAccepted as HttpChannel["isAccepted"],
  };
}

/** Undefined where the text is no JSON object. */
export function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

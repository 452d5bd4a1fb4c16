// Any other service: a URL and a JSON body with named places, such as "{{subject}}".
// A place is replaced in the texts of the parsed JSON and in the names of its properties, never in its source, so that no alert can
// add anything to the body.
import * as z from "zod";
import { secretSource } from "../config/secret-source.ts";
import { wholeNumber } from "../config/values.ts";
import { type Alert, incidentOf, listEnded, listLinks, textOf } from "../records/alert.ts";
import { escapeWithin, statusOf } from "./alert-text.ts";
import { defineHttpChannel, type HttpRequest, readJsonObject } from "./http-channel.ts";

/** By name: what stands in its place. */
const places: Record<string, (alert: Alert) => string> = {
  subject: ({ subject }) => subject,
  text: (alert) => textOf(alert).trim(),
  status: statusOf,
  severity: ({ severity }) => severity,
  event: ({ event }) => event,
  rule: ({ rule }) => rule,
  endpoints: ({ endpoints }) => endpoints.join(", "),
  incident: incidentOf,
  id: ({ id }) => id,
  at: ({ at }) => at,
  page: ({ links }) => links.page ?? "",
  runbook: ({ links }) => links.runbook ?? "",
  links: (alert) =>
    listLinks(alert)
      .map(({ button, url }) => `${button}: ${url}`)
      .join("\n"),
};
const placeNames = Object.keys(places).join(", ");
const placeForm = /\{\{\s*([^{}]*?)\s*\}\}/g;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Every text of a JSON value, also the names of its properties. */
function listTexts(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listTexts(inner)]);
}

function replaceTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === "string") return replace(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, replace));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replace(name), replaceTexts(inner, replace)]),
  );
}

const bodyForm = 'a body (JSON with places, such as { "text": "{{subject}}" })';
const body = (description: string) =>
  z
    .record(z.string(), z.json(), { error: bodyForm })
    .superRefine((given, context) => {
      const named = listTexts(given as Json).flatMap((text) => [...text.matchAll(placeForm)]);
      const unknown = named.find(([, name = ""]) => !Object.hasOwn(places, name));
      if (!unknown) return;
      const problem = "has a place that no alert fills.";
      const remedy = `Use one of these in {{ }}: ${placeNames}.`;
      context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
    })
    .describe(description);

const escapeForm = 'a list of replacements (such as { "<": "&lt;" }; one character each)';
const answerForm = 'an answer (properties in braces, such as { "ok": true })';

type TextSettings = { escape: Readonly<Record<string, string>>; maxTextLength: number };

/** One pass over the text: what stands in a place is not searched for places. */
function fill(value: Json, alert: Alert, { escape: replacements, maxTextLength }: TextSettings): Json {
  const escapeCharacter = (character: string) => replacements[character] ?? character;
  const textAt = (name: string) =>
    escapeWithin(places[name]?.(alert) ?? "", escapeCharacter, { max: maxTextLength });
  return replaceTexts(value, (text) => text.replace(placeForm, (_, name: string) => textAt(name)));
}

const fillUrl = (url: string, incident: string) =>
  url.replace(/\{\{\s*incident\s*\}\}/g, encodeURIComponent(incident));

/** Whether the answer has these values at least. */
function hasValues(answer: Json | undefined, expected: Json): boolean {
  if (typeof expected !== "object" || expected === null) return answer === expected;
  if (typeof answer !== "object" || answer === null) return false;
  const given = new Map(Object.entries(answer));
  return Object.entries(expected).every(([name, value]) => hasValues(given.get(name), value));
}

export const template = defineHttpChannel({
  type: "template",
  description:
    "Posts a JSON body of your own to a web address, for services without a type here. docs/use/channels.md has examples. With resolveBody or resolveUrl, v1watch sends RESOLVED and the end of a drill that way. Without them RESOLVED is a message like the others.",
  secrets: {
    url: secretSource("the web address", "V1WATCH_TEMPLATE_URL").describe(
      "The source of the web address. v1watch replaces {{incident}} in it.",
    ),
    authorization: secretSource("the Authorization header", "V1WATCH_TEMPLATE_AUTHORIZATION")
      .optional()
      .describe("The source of the Authorization header, such as Bearer TOKEN."),
    resolveUrl: secretSource("the web address that ends an incident", "V1WATCH_TEMPLATE_RESOLVE_URL")
      .optional()
      .describe("The source of the web address that ends an incident. Default: url."),
  },
  settings: {
    body: body(
      `The body. v1watch fills these places in its texts and in the names of its properties: ${placeNames}.`,
    ),
    resolveBody: body(
      "The body that ends an incident. Its places have the values of the message that ended it; {{incident}} is the incident that ends.",
    ).optional(),
    accepted: z
      .record(z.string(), z.json(), { error: answerForm })
      .optional()
      .describe(
        'What the JSON of a 2xx response must contain, such as { "ok": true }. Without this setting the status is enough.',
      ),
    escape: z
      .record(z.string().length(1, { error: escapeForm }), z.string({ error: escapeForm }), {
        error: escapeForm,
      })
      .default({})
      .describe("Characters that the service reads as markup, each with its replacement."),
    maxTextLength: wholeNumber(10, 100_000)
      .default(4_000)
      .describe(
        "The largest length of a place in characters. v1watch cuts longer texts and ends them with …",
      ),
  },
  requests(alert, settings) {
    const { url, resolveUrl, resolveBody, authorization } = settings;
    const headers = authorization === undefined ? undefined : () => ({ Authorization: authorization });
    const hasResolve = resolveUrl !== undefined || resolveBody !== undefined;
    const resolve = (incident: string): HttpRequest => ({
      url: fillUrl(resolveUrl ?? url, incident),
      body: fill((resolveBody ?? {}) as Json, { ...alert, id: incident }, settings),
      ends: incident,
      headers,
    });
    const [first, ...others] = hasResolve ? listEnded(alert).map(resolve) : [];
    if (first && alert.event === "resolved") return [first, ...others];
    const message = {
      url: fillUrl(url, incidentOf(alert)),
      body: fill(settings.body as Json, alert, settings),
      headers,
    };
    return first ? [message, first, ...others] : [message];
  },
  isAccepted(text, { accepted }) {
    return accepted === undefined || hasValues(readJsonObject(text) as Json | undefined, accepted as Json);
  },
});

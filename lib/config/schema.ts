// The schema of the configuration file.

import * as z from "zod";
import { api, baseSegments } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { inventoryFileName } from "../records/inventory.ts";
import { maintenanceWindow, usualHour, zone } from "../records/maintenance.ts";
import { variants } from "../records/observation.ts";
import { capitalise } from "../text.ts";
import { awsSection } from "./aws.ts";
import { channels } from "./channels.ts";
import { allowPrivateNetworks } from "./private-networks.ts";
import { looksLikeKey } from "./secret-forms.ts";
import { address, secretSource } from "./secret-source.ts";
import { thresholds } from "./thresholds.ts";
import { duration, name, section, toggle, wholeNumber } from "./values.ts";

const basePath = `/${baseSegments.join("/")}`;

/** Whether a path ends in the beginning of V1's own paths: `/api` or `/api/v1`. */
const endsInBase = (path: string) =>
  baseSegments.some((_, index) =>
    path.replace(/\/$/, "").endsWith(`/${baseSegments.slice(0, index + 1).join("/")}`),
  );

const baseUrl = z
  .string({ error: 'a web address (such as "https://api.example.com")' })
  .superRefine((text, context) => {
    const refuse = (problem: string, remedy: string) =>
      context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
    const url = URL.parse(text);
    if (!url) return refuse("is not a web address.", 'Write it in full, such as "https://api.example.com".');
    if (url.protocol !== "https:" && url.protocol !== "http:")
      return refuse(`has the scheme "${url.protocol.slice(0, 20)}", which V1 does not speak.`, "Use https.");
    if (url.username || url.password)
      refuse(
        "holds a user name or a password.",
        "Remove it; V1 knows only its key, which has its own place.",
      );
    if (text.includes("?") || text.includes("#"))
      refuse("holds a query or a fragment.", "Stop before the ? or #; v1watch adds its own.");
    if (endsInBase(url.pathname))
      refuse("ends with a part of V1's own paths.", `Stop before ${basePath}; v1watch adds it.`);
  })
  .meta({ format: "uri", examples: ["https://api.example.com"] })
  .describe(`The base URL of V1, without ${basePath}.`);

/** The address of a page that people open; the heading or the incident is added to it. */
function pageAddress(example: string) {
  const error = `a web address without ? and # (such as "${example}")`;
  return z.string({ error }).regex(/^https?:\/\/[^\s?#]{1,300}$/, { error });
}

const keySource = z
  .union(
    [
      z.strictObject({
        env: name("an environment variable", /^[A-Z][A-Z0-9_]{0,99}$/, "V1WATCH_API_KEY").describe(
          "The environment variable that contains the key.",
        ),
      }),
      z.strictObject({
        file: name("a file", /^[^\0\r\n]{1,1000}$/, "/run/secrets/v1-key").describe(
          "The file that contains the key and nothing else.",
        ),
      }),
      z.strictObject({
        ssm: name("an SSM parameter", /^[\w./-]{1,1011}$/, "/v1watch/key").describe(
          "The SSM parameter (SecureString) that contains the key.",
        ),
      }),
      z.strictObject({
        secret: name("a Secrets Manager secret", /^[\w/+=.@:-]{1,600}$/, "v1watch/key").describe(
          "The Secrets Manager secret that contains the key.",
        ),
      }),
      z.literal("none"),
    ],
    { error: 'a key source ({ "env": … }, { "file": … }, { "ssm": … }, { "secret": … } or "none")' },
  )
  .default({ env: "V1WATCH_API_KEY" })
  .describe("Where the API key is read from. Never the key itself.");

function sampleList<Item extends z.ZodType>(item: Item, things: string) {
  const error = `a list of ${things} (1 to 100, or "auto")`;
  const list = z.array(item, { error }).min(1, { error }).max(100, { error });
  return z.union([z.literal("auto"), list], { error }).default("auto");
}

const { nouns, idForm, idHint, otherId } = api.sample;

function textOf(form: RegExp, thing: string, hint: string) {
  const error = { error: `${thing} (${hint})` };
  return z.string(error).regex(form, error);
}

/** A whole number where the document says so, else a text of the form that the contract names. */
const id: z.ZodType<string | number> = isIdInteger
  ? wholeNumber(1, Number.MAX_SAFE_INTEGER)
  : textOf(idForm, `the id of a ${nouns.one}`, idHint);
/** Where nothing else is accepted in place of an id, no text has its form. */
const other = otherId
  ? { item: textOf(otherId.form, `a ${otherId.nouns.one}`, otherId.hint), things: otherId.nouns.many }
  : { item: textOf(/^(?!)/, "another id", "V1 accepts none"), things: "other ids, of which V1 has none" };

const samples = {
  ids: sampleList(id, `${nouns.one} ids`).describe(
    `${capitalise(nouns.one)} ids to request in rotation. auto takes them from the response of the list endpoint.`,
  ),
  otherIds: sampleList(other.item, other.things).describe(
    `${capitalise(other.things)} to request in rotation. auto takes them from the response of the list endpoint.`,
  ),
  keyword: z
    .string({ error: 'a keyword (1 to 60 characters, or "auto")' })
    .regex(/^[^\p{Cc}]{1,60}$/u, { error: 'a keyword (1 to 60 characters, or "auto")', abort: true })
    .refine((text) => !looksLikeKey(text), { error: 'a keyword (a name to look for, or "auto")' })
    .default("auto")
    .describe("The keyword to filter the list by. auto takes one from the response of the list endpoint."),
};

const cadence = {
  calm: duration("10s", "1d")
    .default("36m")
    .describe(
      "How often each endpoint is checked; the endpoints take turns, one every third of it. AWS starts its functions once a minute at the most.",
    ),
  confirm: duration("10s", "1h")
    .default("1m")
    .describe(
      "After a first bad check, further checks follow after this time, and after 5, 10 and 15 times as long. The default is never longer than cadence.calm.",
    ),
  rare: duration("1h", "30d")
    .default("1d")
    .describe(
      "How often each rare request variant is sent. These variants cover behaviour that V1's document does not describe.",
    ),
};

const variantDescriptions = {
  anonymous: "Send a request without the key.",
  "by-other-id": `Request a ${nouns.one} by its ${otherId?.nouns.one ?? "other id, of which V1 has none"}.`,
  "unknown-id": `Request a ${nouns.one} that does not exist.`,
  keyword: "Filter the list by a keyword.",
  "second-page": "Request the second page of the list.",
  "bad-key": "Send a request with an invalid key. Off by default, because it can look like an attack.",
} as const;

const variantSwitches = Object.fromEntries(
  variants
    .filter((name) => name !== "authenticated")
    .map((name) => [
      name,
      toggle()
        .default(name !== "bad-key")
        .describe(variantDescriptions[name]),
    ]),
) as Record<keyof typeof variantDescriptions, z.ZodDefault<z.ZodBoolean>>;

const alertsSection = section("When alerts are sent.", {
  pageAfter: duration("1s", "1h")
    .optional()
    .describe(
      `A page about V1 needs at least ${thresholds.pageChecks} bad checks over this time; for one endpoint alone, over 2.8 times as long. Checks are not made to the second, so up to 3 % of it, at most 10 s, may be missing. Default: ${thresholds.pageAfterMs / 60_000} min.`,
    ),
  hour: wholeNumber(0, 23)
    .default(usualHour)
    .describe("The hour of the day at which reminders, countdowns and the daily digest are sent."),
  timeZone: zone.default("UTC").describe("The time zone of that hour."),
  webhook: address("https://hooks.example.com/v1watch")
    .optional()
    .describe(
      "A web address that accepts Slack-compatible JSON by POST: a channel named webhook. Better in V1WATCH_WEBHOOK, because it is a secret.",
    ),
});

const maintenanceForm = { error: "a list of maintenance windows (up to 20)" };

export const configSchema = z
  .strictObject(
    {
      $schema: z.string({ error: "the address of a schema (a text)" }).optional().describe("For editors."),
      baseUrl,
      key: keySource,
      allowPrivateNetworks,
      // What a team decides about its alerts comes first.
      alerts: alertsSection,
      staleness: section("When data counts as stale.", {
        frozenAfter: duration("1h", "365d")
          .optional()
          .describe(
            "V1's data counts as frozen when its newest record has not changed for this long. Without it, the time is learned from the data.",
          ),
        maxSkew: duration("1s", "1d")
          .default("5m")
          .describe(
            "The largest difference between V1's clock and this clock. Above it, data ages are not evaluated.",
          ),
      }),
      retirement: section("What is known about the retirement of V1.", {
        date: z.iso
          .date({ error: 'a date (such as "2026-12-31")' })
          .optional()
          .describe("The day on which V1 is removed, if it is known."),
      }),
      samples: section("Which records are requested.", samples),
      variants: section("The rare request variants, each on or off.", variantSwitches),
      cadence: section("How often V1 is checked.", cadence),
      budget: section("How many requests are sent to V1.", {
        monthlyRequests: wholeNumber(1, 100_000_000)
          .default(5_000)
          .describe("The number of requests in a calendar month (UTC), including retries. Never exceeded."),
      }),
      timeouts: section("How long a request may take.", {
        deadlineMs: wholeNumber(100, 60_000)
          .default(10_000)
          .describe("The deadline in milliseconds for connection, headers and body together."),
      }),
      limits: section("The size limits of a response.", {
        maxBodyBytes: wholeNumber(1_024, 67_108_864)
          .default(2_097_152)
          .describe("The largest body in bytes after decompression."),
        maxWireBytes: wholeNumber(1_024, 67_108_864)
          .default(2_097_152)
          .describe("The largest body in bytes as transferred."),
      }),
      retention: section("How long data is kept in local mode.", {
        observationDays: wholeNumber(1, 3_650)
          .default(400)
          .describe("How many days single observations are kept. Results derived from them are kept longer."),
      }),
      store: z
        .string({ error: "the path of a file (a text)" })
        .min(1, { error: "the path of a file (a text)" })
        .default(".v1watch/watch.db")
        .describe("The path of the SQLite file that local mode uses."),
      publicUrl: pageAddress("https://v1watch.example.com")
        .optional()
        .describe(
          "Where readers of an alert reach the page of v1watch up. Alerts link to their incident there; without it they have no such link.",
        ),
      runbookUrl: pageAddress("https://wiki.example.com/v1watch-runbook")
        .optional()
        .describe(
          "Where your team keeps docs/use/runbook.md. Alerts and alarms link to the heading of their rule there; without it alerts have no such link.",
        ),
      inventory: z
        .string({ error: "the path of a file (a text)" })
        .min(1, { error: "the path of a file (a text)" })
        .default(inventoryFileName)
        .describe(
          "The inventory that v1watch scan --inventory writes. Alerts name the code in it that the fault affects. Without the default file they name none.",
        ),
      channels,
      heartbeat: z
        .strictObject(
          {
            url: secretSource("the address of the check", "HEARTBEAT_URL").describe(
              "Where the address is read from that the service shows for a check (Healthchecks) or a push monitor (Uptime Kuma).",
            ),
          },
          { error: "a heartbeat (settings in braces)" },
        )
        .optional()
        .describe(
          "A service elsewhere that is called by GET after each assessment, at most once a minute, while v1watch knows whether V1 is up, and raises its own alarm when the calls stop. On one machine only; in AWS CloudWatch's alarms about the watch do this.",
        ),
      maintenance: z
        .array(maintenanceWindow, maintenanceForm)
        .max(20, maintenanceForm)
        .default([])
        .describe(
          "Times in which no notifications are sent, every week or once. Checks go on, incidents are recorded, and the end of what was announced is sent.",
        ),
      aws: awsSection,
    },
    { error: "a configuration (settings in braces)" },
  )
  .meta({ title: "v1watch.config.json" });

export type Config = z.infer<typeof configSchema>;

/** For commands that send no request to V1: its address may be missing. */
export const offlineConfigSchema = configSchema.partial({ baseUrl: true });
export type OfflineConfig = z.infer<typeof offlineConfigSchema>;
/** What the file may contain: every setting with a default may be left out. */
export type ConfigSettings = z.input<typeof configSchema>;
export type KeySource = Config["key"];

export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { io: "input" });
}

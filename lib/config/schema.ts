// The schema of the configuration file.

import * as z from "zod";
import { api, baseSegments } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { inventoryFileName } from "../records/inventory.ts";
import { maintenanceWindow, usualHour, zone } from "../records/maintenance.ts";
import { variants } from "../records/observation.ts";
import { keySource } from "../records/secret-places.ts";
import { capitalise } from "../text.ts";
import { awsSection } from "./aws.ts";
import { channels } from "./channels.ts";
import { allowPrivateNetworks } from "./private-networks.ts";
import { proxy } from "./proxy.ts";
import { secretSource } from "./secret-source.ts";
import { thresholds } from "./thresholds.ts";
import { duration, section, toggle, wholeNumber } from "./values.ts";

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

const key = keySource({
  env: "V1WATCH_API_KEY",
  file: "/run/secrets/v1-key",
  path: "v1watch/key",
}).describe("The source of the API key. Never the key itself.");

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
    `${capitalise(nouns.one)} ids to request in turn. auto takes them from V1's list.`,
  ),
  otherIds: sampleList(other.item, other.things).describe(
    `${capitalise(other.things)} to request in turn. auto takes them from V1's list.`,
  ),
};

const cadence = {
  calm: duration("10s", "1d")
    .default("36m")
    .describe(
      "How often v1watch checks each endpoint. The endpoints take turns: one is checked every third of this time. In AWS a function runs at most once a minute.",
    ),
  confirm: duration("10s", "1h")
    .default("1m")
    .describe(
      "After a first bad check, v1watch checks again after this time, and after 5, 10 and 15 times as long. The default is never longer than cadence.calm.",
    ),
  rare: duration("1h", "30d")
    .default("1d")
    .describe(
      "How often v1watch sends each rare request variant. These variants test behaviour that V1's document does not describe.",
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
      `A page about V1 needs at least ${thresholds.pageChecks} bad checks over this time, and for a failure of a single endpoint over 2.8 times as long. Checks are never exact to the second, so v1watch tolerates 3 % less, at most 10 s. Default: ${thresholds.pageAfterMs / 60_000} min.`,
    ),
  hour: wholeNumber(0, 23)
    .default(usualHour)
    .describe("The hour at which v1watch sends reminders, countdowns and the daily digest."),
  timeZone: zone.default("UTC").describe("The time zone of that hour."),
});

const maintenanceForm = { error: "a list of maintenance windows (up to 20)" };

export const configSchema = z
  .strictObject(
    {
      $schema: z.string({ error: "the address of a schema (a text)" }).optional().describe("For editors."),
      baseUrl,
      key,
      proxy,
      allowPrivateNetworks,
      // What a team decides about its alerts comes first.
      alerts: alertsSection,
      staleness: section("When data counts as stale.", {
        frozenAfter: duration("1h", "365d")
          .optional()
          .describe(
            "V1's data counts as frozen when its newest record has not changed for this long. Without this setting, v1watch learns the time from the data.",
          ),
        maxSkew: duration("1s", "1d")
          .default("5m")
          .describe(
            "The largest difference between V1's clock and ours. Above it, v1watch ignores the ages of the data.",
          ),
      }),
      retirement: section("What is known about the retirement of V1.", {
        date: z.iso
          .date({ error: 'a date (such as "2026-12-31")' })
          .optional()
          .describe("The day on which V1 is removed, if it is known."),
      }),
      samples: section("Which records v1watch requests.", samples),
      variants: section("The rare request variants, each on or off.", variantSwitches),
      cadence: section("How often v1watch checks V1.", cadence),
      budget: section("How many requests v1watch sends to V1.", {
        monthlyRequests: wholeNumber(1, 100_000_000)
          .default(5_000)
          .describe(
            "The most requests in a calendar month (UTC), retries included. v1watch never exceeds it.",
          ),
      }),
      timeouts: section("How long a request may take.", {
        deadlineMs: wholeNumber(100, 60_000)
          .default(10_000)
          .describe("The deadline of a request in milliseconds: connection, headers and body together."),
      }),
      limits: section("The size limits of a response.", {
        maxBodyBytes: wholeNumber(1_024, 67_108_864)
          .default(2_097_152)
          .describe("The largest body in bytes, as transferred and after decompression."),
      }),
      retention: section("How long v1watch keeps data on one machine.", {
        observationDays: wholeNumber(1, 3_650)
          .default(400)
          .describe(
            "How many days v1watch keeps single observations. It keeps the results derived from them longer.",
          ),
      }),
      store: z
        .string({ error: "the path of a file (a text)" })
        .min(1, { error: "the path of a file (a text)" })
        .default(".v1watch/watch.db")
        .describe("The path of the SQLite file, on one machine."),
      publicUrl: pageAddress("https://v1watch.example.com")
        .optional()
        .describe(
          "The address where readers of an alert reach the dashboard of v1watch up. Alerts link to their incident there.",
        ),
      runbookUrl: pageAddress("https://wiki.example.com/v1watch-runbook")
        .optional()
        .describe(
          "The address where your team keeps docs/use/runbook.md. Alerts and alarms link to the heading of their rule there.",
        ),
      inventory: z
        .string({ error: "the path of a file (a text)" })
        .min(1, { error: "the path of a file (a text)" })
        .default(inventoryFileName)
        .describe(
          "The inventory that v1watch scan --inventory writes. Alerts name the code in it that a fault affects. The default file may be missing.",
        ),
      channels,
      heartbeat: z
        .strictObject(
          {
            url: secretSource("the address of the check", "HEARTBEAT_URL").describe(
              "The source of the address that the service shows for a check (Healthchecks) or a push monitor (Uptime Kuma).",
            ),
          },
          { error: "a heartbeat (settings in braces)" },
        )
        .optional()
        .describe(
          "A service elsewhere that raises its own alarm when v1watch stops calling it. v1watch calls it by GET after each assessment, at most once a minute, while it knows whether V1 is up. On one machine only: in AWS, CloudWatch's alarms about the watch do this.",
        ),
      maintenance: z
        .array(maintenanceWindow, maintenanceForm)
        .max(20, maintenanceForm)
        .default([])
        .describe(
          "Windows, every week or once, in which v1watch sends no alerts except RESOLVED for incidents announced before. Checks go on, and incidents are recorded.",
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

// The configuration file, as a schema: a new setting or section is a row here.
import * as z from "zod";
import { variants } from "../records/observation.ts";
import { awsSection } from "./aws.ts";
import { duration, looksLikeKey, name, section, toggle, whole } from "./values.ts";

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
    if (/\/api(\/v1)?\/?$/.test(url.pathname))
      refuse("ends with a part of V1's own paths.", "Stop before /api/v1; v1watch adds it.");
  })
  .meta({ format: "uri", examples: ["https://api.example.com"] })
  .describe("Where V1 answers, without /api/v1.");

const keySource = z
  .union(
    [
      z.strictObject({
        env: name("an environment variable", /^[A-Z][A-Z0-9_]{0,99}$/, "V1WATCH_API_KEY").describe(
          "The environment variable that holds the key.",
        ),
      }),
      z.strictObject({
        file: name("a file", /^[^\0\r\n]{1,1000}$/, "/run/secrets/v1-key").describe(
          "The file that holds the key and nothing else.",
        ),
      }),
      z.strictObject({
        ssm: name("an SSM parameter", /^[\w./-]{1,1011}$/, "/v1watch/key").describe(
          "The SSM parameter (SecureString) that holds the key.",
        ),
      }),
      z.strictObject({
        secret: name("a Secrets Manager secret", /^[\w/+=.@:-]{1,600}$/, "v1watch/key").describe(
          "The Secrets Manager secret that holds the key.",
        ),
      }),
      z.literal("none"),
    ],
    { error: 'a key source ({ "env": … }, { "file": … }, { "ssm": … }, { "secret": … } or "none")' },
  )
  .default({ env: "V1WATCH_API_KEY" })
  .describe("Where the API key is found; never the key itself.");

function sampleList<Item extends z.ZodType>(item: Item, things: string) {
  const error = `a list of ${things} (1 to 100, or "auto")`;
  const list = z.array(item, { error }).min(1, { error }).max(100, { error });
  return z.union([z.literal("auto"), list], { error }).default("auto");
}

const walletForm = { error: "a wallet address (0x and 40 hex digits)" };
const wallet = z.string(walletForm).regex(/^0x[0-9a-fA-F]{40}$/, walletForm);

const samples = {
  passports: sampleList(whole(1, Number.MAX_SAFE_INTEGER), "passport ids").describe(
    "Passport ids to ask for in turn; auto takes them from the list's answer.",
  ),
  wallets: sampleList(wallet, "wallet addresses").describe(
    "Wallets to ask for in turn; auto takes them from the list's answer.",
  ),
  keyword: z
    .string({ error: 'a keyword (1 to 60 characters, or "auto")' })
    .regex(/^[^\p{Cc}]{1,60}$/u, { error: 'a keyword (1 to 60 characters, or "auto")', abort: true })
    .refine((text) => !looksLikeKey(text), { error: 'a keyword (a name to look for, or "auto")' })
    .default("auto")
    .describe("The keyword that the list is filtered by; auto takes one from the list's answer."),
};

const cadence = {
  calm: duration("1m", "1d").default("30m").describe("How often every endpoint is asked while all is well."),
  suspicious: duration("10s", "1h")
    .default("1m")
    .describe("How often a suspicious endpoint is asked again, to confirm."),
  confirmFor: duration("1m", "1d")
    .default("10m")
    .describe("How long the suspicious cadence lasts; after that the fault is known."),
  rare: duration("1h", "30d")
    .default("1d")
    .describe("How often each variant that answers a gap of V1's document is asked."),
};

const variantMeaning = {
  anonymous: "Ask without the key.",
  "by-wallet": "Ask for a passport by its wallet.",
  "unknown-id": "Ask for a passport that does not exist.",
  keyword: "Filter the list by a keyword.",
  "second-page": "Ask for the second page of the list.",
  "bad-key": "Ask with a wrong key. Off: it may look like an attack.",
} as const;

const variantSwitches = Object.fromEntries(
  variants
    .filter((name) => name !== "authenticated")
    .map((name) => [
      name,
      toggle()
        .default(name !== "bad-key")
        .describe(variantMeaning[name]),
    ]),
) as Record<keyof typeof variantMeaning, z.ZodDefault<z.ZodBoolean>>;

// Who is told, where one machine watches. A webhook's address is a secret: no message repeats it.
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const webhook = z
  .string({ error: 'a web address (such as "https://hooks.example.com/v1watch")' })
  .superRefine((text, context) => {
    const refuse = (problem: string, remedy: string) =>
      context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
    const url = URL.parse(text);
    if (!url) return refuse("is not a web address.", "Write it in full, with https://.");
    if (url.username || url.password)
      return refuse("holds a user name or a password.", "Use an address with a token in its path.");
    if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname)))
      refuse("has to be https.", "Use https; http is for this machine only.");
  })
  .describe("A web address that takes Slack-compatible JSON by POST; https, or http on this machine.");

const topicForm = { error: 'the ARN of a topic ("arn:aws:sns:…")' };

const alertsSection = section("Who is told, beside the console, where one machine watches.", {
  webhook: webhook.optional(),
  pageAfter: duration("1s", "1h")
    .default("5m")
    .describe(
      "A page about V1 needs bad checks over this time, and three of them; one endpoint three times as long.",
    ),
  snsTopicArn: z
    .string(topicForm)
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/, topicForm)
    .optional()
    .describe("An SNS topic; the credentials come from the usual places."),
});

export const configSchema = z
  .strictObject(
    {
      $schema: z.string({ error: "the address of a schema (a text)" }).optional().describe("For editors."),
      baseUrl,
      key: keySource,
      samples: section("Which records are asked for.", samples),
      variants: section("The rare requests, each on or off.", variantSwitches),
      cadence: section("How often V1 is asked.", cadence),
      budget: section("How much V1 is asked.", {
        monthlyRequests: whole(1, 100_000_000)
          .default(5_000)
          .describe("Requests in a calendar month (UTC), retries included; never exceeded."),
      }),
      timeouts: section("How long a request may take.", {
        deadlineMs: whole(100, 60_000)
          .default(10_000)
          .describe("Milliseconds for connecting, headers and body together."),
      }),
      limits: section("How much of a response is read.", {
        maxBodyBytes: whole(1_024, 67_108_864).default(2_097_152).describe("Bytes after inflating."),
        maxWireBytes: whole(1_024, 67_108_864).default(2_097_152).describe("Bytes as sent."),
      }),
      staleness: section("When data counts as stale.", {
        frozenAfter: duration("1h", "365d")
          .optional()
          .describe(
            "V1's data is frozen when its newest record has not moved for so long; left out, it is learned.",
          ),
        maxSkew: duration("1s", "1d")
          .default("5m")
          .describe("Clocks further apart than this make every age meaningless."),
      }),
      retirement: section("What is known of V1's end.", {
        date: z.iso
          .date({ error: 'a date (such as "2026-12-31")' })
          .optional()
          .describe("The day of V1's removal, if someone said it."),
      }),
      retention: section("How long things are remembered.", {
        observationDays: whole(1, 3_650)
          .default(400)
          .describe("Days that single observations are kept; what was learned from them stays."),
      }),
      store: z
        .string({ error: "the path of a file (a text)" })
        .min(1, { error: "the path of a file (a text)" })
        .default(".v1watch/watch.db")
        .describe("Where one machine keeps what it has seen."),
      alerts: alertsSection,
      aws: awsSection,
    },
    { error: "a configuration (settings in braces)" },
  )
  .meta({ title: "v1watch.config.json" });

export type Config = z.infer<typeof configSchema>;
export type KeySource = Config["key"];

export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { io: "input" });
}

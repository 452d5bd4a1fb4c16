// Every channel over HTTP against a receiver that plays its service. A new channel has a row in services.ts, and nothing here.
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { httpChannels } from "../../../lib/channels/index.ts";
import { RefusedError, UnreachableError } from "../../../lib/ports.ts";
import { type Alert, alertEvents, alert as alertSchema, incidentOf } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { sampleAlert } from "../../local/samples.ts";
import { fc } from "../../random.ts";
import type { WebReceiver } from "./servers.ts";
import { markupOf, openService, pagerDutyEvent, renderBodies, services, slackMessage } from "./services.ts";

/** A part of the address of a receiver, which is a secret. */
const receiverPath = "very-secret-path";

const readReceived = ({ received }: WebReceiver) =>
  received.map(({ path, text }) => ({ path, body: JSON.parse(text) as unknown }));

const link = fc.option(fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }), { nil: undefined });
const alerts: fc.Arbitrary<Alert> = fc
  .record({
    event: fc.constantFrom(...alertEvents),
    severity: fc.constantFrom(...severities),
    subject: fc.stringMatching(/^[\x20-\x7e]{1,100}$/),
    sections: fc.array(
      fc.record({
        label: fc.constantFrom("", "Impact", "Next steps", "Reproduce", "Acknowledge"),
        lines: fc.array(
          fc.oneof(
            fc.string({ unit: "grapheme", maxLength: 80 }),
            fc.constantFrom(
              "<&>".repeat(600),
              "*_`".repeat(600),
              "\u20ac".repeat(1_900),
              "\u{1f600}".repeat(900),
            ),
          ),
          { maxLength: 60 },
        ),
      }),
      { maxLength: 12 },
    ),
    links: fc.record({ page: link, acknowledge: link, mute: link, runbook: link }),
    supersedes: fc.option(fc.constant<string[]>(["down-1", "down-2"]), { nil: undefined }),
  })
  .map((change) => sampleAlert(1, change));

const hostile = [
  "[v1watch] *PAGE* [x](https://evil.example) <!channel> <users/all> @all _x_ `c` {{text}}",
  "*bold* _italic_ ~~struck~~ `code` ||spoiler||",
  "``` out of the code",
  "[safe](https://evil.example/login) ![x](https://evil.example/x.png)",
  "<!channel> <@U024BE7LH> <https://evil.example|safe> <users/all> <#C024> <t:1:R>",
  "@all @everyone @here @channel",
  "# heading",
  "> quote",
  "| a | b |",
  "---",
  '<b>html</b><img src="x" onerror="x"> &lt;',
  '"},{"text":"another","x":"',
  "{{text}} {{incident}} {{ subject }}",
  "\\*x\\* \\",
];

/** An alert with this subject, and these lines in every kind of section. */
const alertWith = ([first = "", ...lines]: string[]) =>
  sampleAlert(1, {
    subject: first,
    sections: ["", "Impact", "Reproduce"].map((label) => ({ label, lines })),
    links: {
      page: "https://v1watch.example.com/incidents/down-1",
      runbook: "https://wiki.example.com/(r)#down",
    },
  });

/** The form of a JSON value without its texts. */
function formOf(value: unknown): unknown {
  if (typeof value === "string") return "text";
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner)]));
}

const ofIncident = (number: number, event: Alert["event"], change: Partial<Alert> = {}): Alert =>
  sampleAlert(1, { ...change, event, id: sampleAlert(1).id.replace("1-opened", `${number}-${event}`) });

test("Every channel over HTTP has a service that plays it.", () => {
  const played = new Set(Object.values(services).map(({ type }) => type));
  expect(httpChannels.map(({ type }) => type).filter((type) => !played.has(type))).toEqual([]);
});

describe.each(Object.entries(services))("%s", (_name, service) => {
  test("A service gets what its document describes, within its limits, whatever an alert holds.", () => {
    fc.assert(
      fc.property(alerts, (alert) => {
        expect(alertSchema.safeParse(JSON.parse(JSON.stringify(alert))).error).toBeUndefined();
        for (const body of renderBodies(service, alert))
          expect(service.body.safeParse(body).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("A service finds no markup in the texts of an alert, and they do not change the form of a message.", () => {
    const harmless = hostile.map((line) => "x".repeat(line.length));
    expect(markupOf(service, alertWith(hostile))).toEqual(markupOf(service, alertWith(harmless)));
    const formsOf = (lines: string[]) => renderBodies(service, alertWith(lines)).map(formOf);
    expect(formsOf(hostile)).toEqual(formsOf(harmless));
  });

  test("A service that accepts a message is believed, and the requests are JSON by POST.", async () => {
    const { channel, receiver } = await openService(service);
    const receipts = await channel.send(alertWith(hostile));
    expect(receipts.every(({ isAccepted }) => isAccepted)).toBe(true);
    expect(new Set(receiver.requests)).toEqual(new Set(["POST application/json"]));
    for (const { body } of readReceived(receiver)) expect(service.body.safeParse(body).error).toBeUndefined();
  });

  test("A service that says no is not believed to have the message, and no error repeats a secret.", async () => {
    const noes = [
      { status: 400, error: RefusedError, cause: "status 400" },
      { status: 404, error: UnreachableError, cause: "status 404" },
      { status: 500, error: UnreachableError, cause: "status 500" },
      { status: 302, error: UnreachableError, cause: "status 302" },
    ];
    for (const { status, error, cause } of noes) {
      const { channel, receiver } = await openService(service, { status, text: receiverPath });
      const thrown = await channel.send(sampleAlert(1)).catch((caught: unknown) => caught);
      expect(thrown).toBeInstanceOf(error);
      expect((thrown as Error).message).toBe(cause);
      expect(receiver.received).toHaveLength(1);
    }
    if (service.noWith200 === undefined) return;
    const { channel } = await openService(service, { status: 200, text: service.noWith200 });
    await expect(channel.send(sampleAlert(1))).rejects.toThrow(
      new UnreachableError("status 200, but not accepted"),
    );
  });

  test("A service that asks to wait says how long in the error.", async () => {
    const { channel, receiver } = await openService(service, { status: 429, text: "" });
    receiver.behaviour.retryAfter = "90";
    const thrown = await channel.send(sampleAlert(1)).catch((caught: unknown) => caught);
    expect(thrown).toMatchObject({ name: "UnreachableError", message: "status 429", retryAfterMs: 90_000 });
  });

  test("A service has one open incident, however often it is told, and none after RESOLVED.", async () => {
    const { channel, receiver } = await openService(service);
    const { openIncidents } = service;
    const openNow = () => openIncidents?.(readReceived(receiver));
    const incident = incidentOf(sampleAlert(1));
    const expectOpen = (ids: string[]) => openIncidents && expect(openNow()).toEqual(ids);

    await channel.send(ofIncident(1, "opened", { severity: "warning" }));
    expectOpen([incident]);
    await channel.send(ofIncident(1, "opened", { severity: "warning" }));
    expectOpen([incident]);
    await channel.send(ofIncident(2, "changed", { severity: "page" }));
    await channel.send(ofIncident(3, "acknowledged", { severity: "page" }));
    expectOpen([incident]);
    const before = receiver.received.length;
    const subject = "[v1watch] RESOLVED: V1 was down on all 3 endpoints";
    await channel.send(ofIncident(4, "resolved", { severity: "page", subject }));
    expectOpen([]);
    if (!openIncidents) {
      expect(receiver.received.length).toBe(before + 1);
      expect(receiver.received.at(-1)?.text).toContain("RESOLVED");
    }
    // An incident that another one replaced gets no RESOLVED of its own, and neither does a drill.
    await channel.send(sampleAlert(2));
    await channel.send(sampleAlert(3, { supersedes: [incidentOf(sampleAlert(2))] }));
    expectOpen([incidentOf(sampleAlert(3))]);
    await channel.send(sampleAlert(4, { event: "drill", rule: "drill", id: "drill-1/1-drill" }));
    expectOpen([incidentOf(sampleAlert(3))]);
  });
});

const problemsOf = (schema: z.ZodType, message: unknown) => schema.safeParse(message).error?.issues ?? [];

test("The schemas of the services accept the examples that the services publish, and nothing without what these require.", () => {
  const trigger = {
    payload: {
      summary: "Example alert on host1.example.com",
      timestamp: "2015-07-17T08:42:58.315+00:00",
      source: "monitoringtool:cloudvendor:central-region-dc-01:852559987:cluster/api-stats-prod-003",
      severity: "info",
      component: "postgres",
      group: "prod-datapipe",
      class: "deploy",
      custom_details: { "ping time": "1500ms", "load avg": 0.75 },
    },
    routing_key: "0123456789abcdef0123456789abcdef",
    dedup_key: "samplekeyhere",
    links: [{ href: "https://example.com/", text: "Link text" }],
    event_action: "trigger",
    client: "Sample Monitoring Service",
    client_url: "https://monitoring.example.com",
  };
  expect(problemsOf(pagerDutyEvent, trigger)).toEqual([]);
  const { routing_key, dedup_key, payload } = trigger;
  for (const event_action of ["acknowledge", "resolve"])
    expect(problemsOf(pagerDutyEvent, { routing_key, dedup_key, event_action })).toEqual([]);
  for (const name of ["summary", "source", "severity"])
    expect(
      problemsOf(pagerDutyEvent, { ...trigger, payload: { ...payload, [name]: undefined } }),
    ).toHaveLength(1);
  const header = { type: "header", text: { type: "plain_text", text: "A Heartfelt Header" } };
  expect(problemsOf(slackMessage, { text: "a", blocks: [header] })).toEqual([]);
  expect(
    problemsOf(slackMessage, { text: "a", blocks: [{ ...header, text: "A Heartfelt Header" }] }),
  ).toHaveLength(1);
});

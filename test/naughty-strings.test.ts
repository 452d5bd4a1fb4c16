// Every naughty string in every kept field, through every output, read back by the parser of that output: a text stays a
// text. A field whose schema refuses a string is never stored with it, and is counted apart.
import { marked, type Token } from "marked";
import { createTransport } from "nodemailer";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { renderAlert } from "../lib/assess/text/render-alert.ts";
import { renderFindings } from "../lib/commands/findings.ts";
import { layOut } from "../lib/commands/layout.ts";
import { renderCycle } from "../lib/commands/probe/text.ts";
import { renderSarif } from "../lib/commands/ready/formats.ts";
import { renderAlert as renderTerminalAlert } from "../lib/commands/up/text.ts";
import { renderEmail, renderHtml as renderEmailHtml } from "../lib/delivery/channels/email.ts";
import { createMetricsRegistry, renderBadge } from "../lib/local/server/metrics-and-badge.ts";
import { judgeReadiness } from "../lib/readiness/readiness.ts";
import { type Alert, alert as alertSchema, textOf } from "../lib/records/alert.ts";
import { decision, type Incident, incident as incidentSchema } from "../lib/records/incident.ts";
import { type Observation, observation as observationSchema } from "../lib/records/observation.ts";
import { renderHtml } from "../lib/report/html.ts";
import { renderMarkdown } from "../lib/report/markdown.ts";
import { buildReport } from "../lib/report/model.ts";
import { observationOf } from "./assess/observation-builder.ts";
import { schemaErrors } from "./commands/sarif-schema.ts";
import { markupOf, renderBodies, services } from "./delivery/channels/services.ts";
import { naughtyStrings } from "./naughty-strings.ts";
import { readXml } from "./read-xml.ts";
import { consumerOf, factsOf, useOf } from "./readiness/ready-facts.ts";
import { fullInput } from "./report/full-input.ts";

const nowMs = Date.parse("2026-11-15T12:00:00Z");
const at = new Date(nowMs).toISOString();
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The text of a terminal: lines without control codes, and without marks that reverse their direction. */
const expectTerminal = (text: string) => expect(text.replaceAll("\n", "")).not.toMatch(unsafe);

// The kept fields of an observation that hold text, each with the string in it.
const finding = (text: Partial<Observation["findings"][number]>) =>
  observationOf({
    findings: [
      {
        id: "passport passport.x extra string",
        path: "passport.x",
        kind: "extra" as const,
        expected: "nothing",
        observed: "string",
        count: 1,
        of: 1,
        level: "breaking" as const,
        ...text,
      },
    ],
  });
const fact = (subject: string, answer: string) =>
  observationOf({ evidence: [{ gap: "2.6-type", subject, of: 1, answers: { [answer]: 1 } }] });

const observationFields: Record<string, (text: string) => Observation> = {
  "a finding's id": (id) => finding({ id }),
  "a finding's path": (path) => finding({ path }),
  "a finding's expected type": (expected) => finding({ expected }),
  "a finding's observed type": (observed) => finding({ observed }),
  "the subject of evidence": (subject) => fact(subject, "lens"),
  "the answer of evidence": (answer) => fact("passport.type", answer),
  "the text of a Sunset": (sunsetText) => observationOf({ notices: { sunsetText } }),
  "the detail of an outcome": (detail) => observationOf({ outcome: { kind: "network", detail } }),
  "the detail of an attempt": (detail) =>
    observationOf({ attempts: [{ kind: "network", detail, totalMs: 1 }] }),
};

const facts: Incident["facts"] = {
  rule: "breaking-drift",
  scope: "endpoint",
  endpoints: ["passport"],
  firstBadAt: at,
  lastGoodBeforeAt: null,
  lastBadAt: at,
  firstGoodAfterAt: null,
  bad: 3,
  total: 3,
  windowSeconds: 60,
};
const incidentOf = (change: Partial<Incident["facts"]>, rule: Incident["rule"]): Incident =>
  ({
    id: `${rule}-1`,
    rule,
    scope: "endpoint",
    endpoints: ["passport"],
    severity: "warning",
    state: "firing",
    ...({ schema: "v1watch/incident/3", key: "k", openedAt: at, sent: [] } as object),
    facts: { ...facts, rule, ...change },
  }) as Incident;
const driftFact = {
  id: "passport passport.x retyped string",
  path: "passport.x",
  kind: "retyped",
  expected: "number",
  observed: "string",
  records: 1,
  ofRecords: 1,
};
const incidentFields: Record<string, (text: string) => Incident> = {
  "the path of drift": (path) => incidentOf({ findings: [{ ...driftFact, path }] }, "breaking-drift"),
  "the id of drift": (id) => incidentOf({ findings: [{ ...driftFact, id }] }, "breaking-drift"),
  "the observed type of drift": (observed) =>
    incidentOf({ findings: [{ ...driftFact, observed }] }, "breaking-drift"),
  "the text of a date": (dateText) => incidentOf({ dateText }, "sunset"),
  "a notice": (text) => incidentOf({ notices: [text] }, "deprecation"),
  "a response": (text) => incidentOf({ responses: { [text]: 3 }, lastResponse: text }, "down"),
};

/** An alert about the incident, and about code in a file with this name. */
const alertOf = (incident: Incident, file = "src/a.ts"): Alert =>
  renderAlert(
    { event: "opened", incident, at, number: 1 },
    {
      baseUrl: "https://api.example.com",
      publicUrl: "https://watch.example.com",
      uses: [
        {
          endpoint: "passport",
          file,
          line: 3,
          hazardLine: 4,
          fields: [{ path: "passport.x", line: 5 }],
        } as never,
      ],
    },
  );

/** The elements of a page with their attributes, as a browser would build them. */
function readHtml(html: string): string[] {
  const found: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if ("attrs" in node) {
      const names = node.attrs.map(({ name }) => name).sort();
      // The template itself inserts these two into long and quoted texts.
      if (node.tagName !== "wbr" && node.tagName !== "code") found.push(`${node.tagName} ${names.join(" ")}`);
    }
    if (node.nodeName === "#comment") found.push("#comment");
    if ("childNodes" in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(html));
  return found;
}

/** The types of the tokens of a Markdown text, without plain text and its escapes. */
/** As long as the text: how many lines are on the report's first page depends on the length of the others. */
const harmless = (text: string) => "x".repeat(text.length);

function readMarkdown(text: string): string[] {
  const types: string[] = [];
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (!["text", "escape", "space", "br"].includes(token.type)) types.push(token.type);
      if ("tokens" in token && token.tokens) walk(token.tokens);
      if (token.type === "list") for (const item of token.items) walk([item]);
      if (token.type === "table")
        for (const row of [token.header, ...token.rows]) for (const cell of row) walk(cell.tokens);
    }
  };
  walk(marked.lexer(text));
  return types;
}

/** Reads Prometheus's text format by its grammar: the samples with their labels, unescaped. */
function readMetrics(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.flatMap((line) => {
    if (/^# (?:HELP|TYPE|UNIT) [a-z_:][a-z0-9_:]* .*$/.test(line)) return [];
    const [, name = "", pairs = "", value = ""] =
      /^([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    const labels = [...pairs.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", held = ""]) => [
      label,
      held.replace(/\\([\\"n])/g, (_, sign: string) => (sign === "n" ? "\n" : sign)),
    ]);
    return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
  });
}

async function expectAlert(alert: Alert): Promise<void> {
  expect(alertSchema.safeParse(alert).error).toBeUndefined();
  expectTerminal(renderTerminalAlert(alert));
  expect(textOf(alert).replaceAll("\n", "")).not.toMatch(unsafe);
  // No service finds markup that it does not find in an alert with harmless lines.
  const sections = alert.sections.map(({ label, lines }) => ({ label, lines: lines.map(harmless) }));
  for (const [name, service] of Object.entries(services)) {
    const own = new Set(markupOf(service, { ...alert, subject: harmless(alert.subject), sections }));
    expect(
      markupOf(service, alert).filter((found) => !own.has(found)),
      name,
    ).toEqual([]);
    for (const body of renderBodies(service, alert))
      expect(service.body.safeParse(body).error?.issues ?? [], name).toEqual([]);
  }
  // The email as it is sent, read by a mail parser: no header and no part but ours.
  const sent = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: "v1watch@example.com",
    to: "on-call@example.com",
    ...renderEmail(alert),
  });
  const mail = await PostalMime.parse(sent.message as unknown as Uint8Array);
  expect(mail.subject).toBe(renderEmail(alert).subject.trim());
  expect(mail.subject).not.toContain("=?");
  // A byte order mark at the start is none of the text.
  expect(mail.text?.replaceAll("\r\n", "\n").trim()).toBe(textOf(alert).trim());
  expect(mail).toMatchObject({ attachments: [], to: [{ address: "on-call@example.com" }] });
  // One element for each of ours, whatever its text is.
  const shape = (given: Alert) => readHtml(renderEmailHtml(given)).join();
  const plain = {
    ...alert,
    sections: alert.sections.map(({ label, lines }) => ({ label, lines: lines.map(() => "a") })),
  };
  expect(readHtml(mail.html ?? "").join()).toBe(shape(alert));
  expect(shape({ ...alert, subject: "a" })).toBe(shape({ ...plain, subject: "a" }));
  const ours =
    /^(?:from|to|subject|auto-submitted|message-id|in-reply-to|references|date|mime-version|content-.*|x-v1watch-.*|x-priority|x-msmail-priority|importance)$/;
  expect(mail.headers.map(({ key }) => key).filter((key) => !ours.test(key))).toEqual([]);
}

const hasSchema = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(JSON.parse(JSON.stringify(value))).success && schema.safeParse(value).success;

describe("no naughty string leaves its place", () => {
  test.each(Object.entries(observationFields))(
    "No naughty string leaves its place as %s: the terminal",
    (_field, fill) => {
      let kept = 0;
      for (const text of naughtyStrings) {
        const observation = fill(text);
        if (!hasSchema(observationSchema, observation)) continue;
        kept++;
        const cycle = { observations: [observation], nowMs, frozenAfterSeconds: 1e9 };
        expectTerminal(
          layOut(renderCycle({ ...cycle, baseUrl: "https://api.example.com", sentKey: true }), 80),
        );
        expectTerminal(layOut(renderFindings(observation.findings).join("\n"), 80));
      }
      expect(kept).toBeGreaterThan(20);
    },
  );

  test.each(Object.entries(incidentFields))(
    "No naughty string leaves its place as %s: the terminal and the channels",
    async (_field, fill) => {
      let kept = 0;
      for (const text of naughtyStrings) {
        const incident = fill(text);
        if (!hasSchema(incidentSchema.shape.facts, incident.facts)) continue;
        kept++;
        await expectAlert(alertOf(incident));
      }
      expect(kept).toBeGreaterThan(20);
    },
  );

  test("No naughty string leaves its place as the name of a file that reads V1: the terminal and the channels", async () => {
    const incident = incidentOf({ findings: [driftFact] }, "breaking-drift");
    for (const text of naughtyStrings) await expectAlert(alertOf(incident, text));
  });

  test("No naughty string leaves its place in every text of the report from outside: HTML, with the elements and attributes of a harmless report", () => {
    for (const text of naughtyStrings.filter(Boolean))
      expect(readHtml(renderHtml(buildReport(fullInput(text)))), JSON.stringify(text)).toEqual(
        readHtml(renderHtml(buildReport(fullInput(harmless(text))))),
      );
  });

  test("No naughty string leaves its place in every text of the report from outside: Markdown, with the tokens of a harmless report", () => {
    const isCode = (type: string) => type === "codespan";
    for (const text of naughtyStrings.filter((one) => one.trim() !== "")) {
      const read = (given: string) => readMarkdown(renderMarkdown(buildReport(fullInput(given))));
      const [actual, expected] = [read(text), read(harmless(text))];
      const others = (types: string[]) => types.filter((type) => !isCode(type));
      expect(others(actual), JSON.stringify(text)).toEqual(others(expected));
      // What cannot be code in Markdown is a text; nothing else becomes code.
      expect(actual.filter(isCode).length).toBeLessThanOrEqual(expected.filter(isCode).length);
    }
  });

  test("No naughty string leaves its place as a file or an owner: SARIF of readiness", async () => {
    const log = { results: [] as unknown[], whole: undefined as unknown };
    for (const text of naughtyStrings.filter((one) => one.trim() !== "")) {
      const use = useOf(text, 3, "passport", ["passport.score"]);
      const { outlook: _, ...given } = factsOf({
        consumers: [consumerOf({ name: text, owners: [text], status: "v1", uses: [use] })],
      });
      const readiness = judgeReadiness({ ...given, nowMs });
      const sarif = JSON.parse(renderSarif(readiness, "v1watch.mapping.json"));
      log.results.push(...sarif.runs[0].results);
      log.whole ??= sarif;
    }
    const whole = log.whole as { runs: { results: unknown[] }[] };
    whole.runs[0]!.results = log.results;
    expect(await schemaErrors(whole)).toEqual([]);
  });

  test("No naughty string leaves its place as a label of a metric and as a text of the badge", () => {
    for (const text of naughtyStrings) {
      const samples = [{ labels: { channel: text, incident: text }, value: 1 }];
      const registry = createMetricsRegistry();
      const found = readMetrics(registry.render([{ name: "v1watch_x", meaning: "a test", samples }]));
      expect(found).toEqual([{ name: "v1watch_x", labels: { channel: text, incident: text }, value: 1 }]);
      const badge = renderBadge({ trouble: text, level: "low", tone: "ok" } as never);
      expect(readXml(badge).map(({ name }) => name)).toEqual([
        "svg",
        "title",
        "rect",
        "rect",
        "text",
        "text",
      ]);
    }
  });
});

test("A control code, a lone surrogate or a mark of direction is refused in a decision", () => {
  const decide = (reason: string) =>
    decision.safeParse({ schema: "v1watch/decision/1", kind: "ack", subject: "down", reason, at }).success;
  const accepted = naughtyStrings.filter(decide);
  expect(accepted.filter((text) => unsafe.test(text))).toEqual([]);
  expect(accepted.length).toBeGreaterThan(50);
});

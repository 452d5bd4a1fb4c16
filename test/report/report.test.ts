import { beforeAll, describe, expect, test } from "vitest";
import { foldTick, showIncidents } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { readIncidents } from "../../lib/local/dashboard/incidents.ts";
import { escapeMarkdown } from "../../lib/mapping/plan.ts";
import { type Report, report as reportSchema } from "../../lib/records/report.ts";
import { readHealthDays } from "../../lib/report/health-days.ts";
import { renderHtml } from "../../lib/report/html.ts";
import { renderMarkdown } from "../../lib/report/markdown.ts";
import { buildReport, cleanText } from "../../lib/report/model.ts";
import { describeParity } from "../../lib/report/sections/migration.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { shippedSettings } from "../config/shipped.ts";
import { fc } from "../random.ts";
import { nowMs } from "../readiness/ready-facts.ts";
import { fullInput } from "./full-input.ts";

let fullReport: Report;
beforeAll(() => {
  fullReport = buildReport(fullInput());
});

const emptyReport = () =>
  buildReport({
    facts: { nowMs },
    monitor: { isHealthy: false, says: "there is no store." },
    address: undefined,
    fromMs: nowMs,
  });

const hostileTexts = [
  `"><script>alert(1)</script><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)' & &lt;b&gt; </style></title><!--`,
  "| a | b |\n\n# heading\n- [x](javascript:alert(1)) ![i](http://e.example/i.png) `code` <b>",
  "https://evil.example www.evil.example <https://evil.example> $x$ ~~gone~~ \\| \\",
  "\u202Egnp.exe\u0000\u001b[31m\u2028\uD800",
  "constructor",
  "__proto__",
];

describe("buildReport", () => {
  test("The report of buildReport is valid against its schema, with all inputs and with none", () => {
    expect(reportSchema.safeParse(fullReport).error).toBeUndefined();
    expect(reportSchema.safeParse(emptyReport()).error).toBeUndefined();
    for (const anyText of hostileTexts) {
      const made = buildReport(fullInput(anyText));
      expect(reportSchema.safeParse(made).error, anyText).toBeUndefined();
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    }
  });

  test("The full test report has data in every section", () => {
    const { changes: _, ...parts } = fullReport;
    for (const [name, part] of Object.entries(parts)) {
      expect(part, name).not.toBeNull();
      if (Array.isArray(part)) expect(part.length, name).toBeGreaterThan(0);
    }
  });

  test("buildReport ends an incident at the first good response, as the page does", () => {
    const { state } = fullInput().watch!;
    const over = state.resolved.filter(({ facts, resolvedAt }) => facts.firstGoodAfterAt !== resolvedAt);
    expect(over.length).toBeGreaterThan(0);
    const { resolved } = readIncidents(state, [], nowMs);
    for (const { id, since, facts, supersededBy } of over) {
      if (supersededBy) continue;
      const ends = { id, since, resolvedAt: facts.firstGoodAfterAt };
      expect(resolved).toContainEqual(expect.objectContaining(ends));
      expect(fullReport.incidents).toContainEqual(expect.objectContaining(ends));
    }
  });

  test("buildReport lists resolved incidents on the page by their end", () => {
    const { state } = fullInput().watch!;
    const [resolvedIncident] = state.resolved;
    const at = (hour: number) => new Date(nowMs + hour * 3_600_000).toISOString();
    const resolved = [
      ...[["slow to be sure", -9, -1] as const, ["last to end", -5, -4] as const].map(([id, good, end]) => ({
        ...resolvedIncident!,
        id,
        resolvedAt: at(end),
        facts: { ...resolvedIncident!.facts, firstGoodAfterAt: at(good) },
      })),
    ];
    const ends = readIncidents({ ...state, incidents: [], resolved }, [], nowMs).resolved;
    expect(ends.map(({ id, resolvedAt }) => [id, resolvedAt])).toEqual([
      ["last to end", at(-5)],
      ["slow to be sure", at(-9)],
    ]);
  });

  test('buildReport says "as documented" only for endpoints with V1 data to compare', async () => {
    const reportOf = async (...variants: Parameters<typeof observationOf>[0][]) => {
      const seen = freshState();
      const tick = variants.map((variant) => observationOf({ ...variant, at: nowMs }));
      foldTick(seen, tick, shippedSettings);
      showIncidents(seen, shippedSettings);
      const watch = { ...fullInput().watch!, state: seen, days: await readHealthDays(tick) };
      const made = buildReport({ ...fullInput(), watch });
      return [renderMarkdown(made).replaceAll("\\", ""), renderHtml(made)];
    };
    const ofV2 = { notices: { body: "v2-shaped" } } as const;
    const asV2 = await reportOf(...endpointIds.map((endpoint) => ({ endpoint, ...ofV2 })));
    for (const text of asV2) expect(text).toContain("Unknown: no response contained data");
    for (const text of asV2) expect(text).not.toContain("no difference observed");
    for (const text of await reportOf({}, { endpoint: "passport", ...ofV2 }))
      expect(text).toContain(
        "no difference observed in 1 response. Unknown for passport, passport-credentials: no data",
      );
    for (const text of await reportOf(...endpointIds.map((endpoint) => ({ endpoint })))) {
      expect(text).toContain("As documented: no difference observed in 3 responses.");
      expect(text).not.toContain("Unknown for");
    }
  });

  test("buildReport lists drift on used fields first, with its readers and its review", () => {
    const [first] = fullReport.drift;
    expect(first).toMatchObject({
      path: "passport.passport_socials[].follower_count",
      usedBy: ["plain words"],
      review: { kind: "ack", reason: "plain words" },
    });
    const used = fullReport.drift.map(({ usedBy }) => usedBy.length > 0);
    expect(used).toEqual(used.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("The first page of a report without any input says once for each input how to provide it", () => {
    const { verdict } = emptyReport();
    expect(verdict.verdict).toBe("unknown");
    const [, unknown = ""] = /## Not known yet\n([\s\S]*?)\n## /.exec(renderMarkdown(emptyReport())) ?? [];
    for (const command of ["up", "scan DIR…", "migrate init", "parity --json", "rehearse --run"])
      expect(unknown).toContain(`\`v1watch ${command}`);
    const steps = unknown.trim().split("\n");
    expect(new Set(steps).size).toBe(steps.length);
    expect(steps.length).toBeLessThan(10);
  });
});

describe("changes since the last report", () => {
  const earlier = () => structuredClone(fullReport);
  const changesAfter = (old: Report) => {
    const { changes } = buildReport({ ...fullInput(), previous: old });
    return changes?.items.map(({ tone, text }) => `${tone}: ${text}`);
  };

  test("Changes since the last report are empty if nothing changed", () => {
    expect(changesAfter(earlier())).toEqual([]);
  });

  test("Changes since the last report include a moved date, a gate, a consumer, drift and the verdict, with deteriorations first", () => {
    const old = earlier();
    old.verdict.verdict = "ready";
    old.timeLeft.date = "2099-01-01";
    old.gates.find(({ id }) => id === "alerts")!.state = "fail";
    old.consumers![0]!.name = "src/gone.ts";
    old.drift = old.drift.filter(({ path }) => !path.includes("following_count"));
    const changes = changesAfter(old) ?? [];
    expect(changes.join("\n")).toMatch(/worse: Verdict: ready → not ready/);
    expect(changes.join("\n")).toMatch(
      /worse: V1's retirement date moved from 2099-01-01 to \d{4}-\d\d-\d\d/,
    );
    expect(changes.join("\n")).toMatch(
      /worse: New breaking difference: passport\.passport_socials\[\]\.following_count/,
    );
    expect(changes.join("\n")).toMatch(/better: An alert or drill .*: fail → unknown/);
    expect(changes.join("\n")).toMatch(/better: src\/gone\.ts no longer uses V1/);
    const tones = changes.map((line) => line.split(":")[0]);
    expect(tones).toEqual(tones.toSorted((a, b) => (a === b ? 0 : a === "worse" ? -1 : 1)));
  });

  test("Changes since the last report do not mention V1 itself if there is no monitor data", () => {
    const { watch: _, ...rest } = fullInput();
    const { changes } = buildReport({ ...rest, previous: earlier() });
    const text = changes!.items.map((item) => item.text).join("\n");
    expect(text).not.toMatch(/document again|retirement date/);
  });
});

describe("the parity section", () => {
  const parityOf = (change: (input: ReturnType<typeof fullInput>) => void) => {
    const input = fullInput();
    change(input);
    const { parity } = buildReport(input);
    return parity!;
  };

  test("The parity section marks a difference of a list or a whole response as used if it affects a used field", () => {
    const parity = parityOf(({ facts }) => {
      const { fields } = facts.parity!.aggregate;
      fields["(profile)"] = { compared: 400, raw: { missing: 400 }, noise: {} };
      fields["passport.passport_socials[]"] = { compared: 400, raw: { size: 400 }, noise: {} };
    });
    const used = parity.differences.filter(({ isUsed }) => isUsed).map(({ path }) => path);
    expect(used).toEqual(expect.arrayContaining(["(profile)", "passport.passport_socials[]"]));
  });

  test("The parity section names fields that were checked by type or presence only", () => {
    const report = buildReport(fullInput());
    expect(report.parity?.shallow).toEqual([{ path: "passport.passport_id", compare: "presence" }]);
    for (const text of [renderMarkdown(report), renderHtml(report)])
      expect(text).toMatch(
        /\d+ fields[^.]*; 1 compared by presence only: passport\.(?:<wbr>)?passport\\?_id\./,
      );
  });

  test("The parity section says if the comparison is outdated or if only V2's own shape is violated", () => {
    const old = parityOf(({ facts }) => {
      facts.parity!.atMs = facts.nowMs - 45 * 86_400_000;
    });
    expect(describeParity(old)).toEqual({
      tone: "warning",
      text: "outdated: the comparison is 45 days old",
    });
    const shape = parityOf(({ facts }) => {
      for (const field of Object.values(facts.parity!.aggregate.fields)) field.raw = {};
    });
    expect(describeParity(shape)).toEqual({ tone: "bad", text: "V2's responses violate its own shape" });
  });
});

test("The same input gives the same bytes in every format", () => {
  const again = buildReport(fullInput());
  expect(JSON.stringify(again)).toBe(JSON.stringify(fullReport));
  expect(renderHtml(again)).toBe(renderHtml(fullReport));
  expect(renderMarkdown(again)).toBe(renderMarkdown(fullReport));
});

describe("renderHtml", () => {
  test("renderHtml works offline: no script, no link, nothing to load, and a matching Content-Security-Policy", () => {
    const page = renderHtml(fullReport);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(
      /<(?:script|link|img|iframe|object|embed|base|form|a)\b|\bon\w+=|url\(|@import/i,
    );
    // V1's own address is a text, not a link.
    const others = page
      .replaceAll('xmlns="http://www.w3.org/2000/svg"', "")
      .replaceAll("https://api.example.com", "");
    expect(others).not.toMatch(/https?:\/\//);
  });

  test("renderHtml shows the verdict, the blockers with next steps, the time left and the used fields in this order", () => {
    const page = renderHtml(fullReport);
    const order = [
      fullReport.verdict.sentence,
      "Blockers",
      "Next step",
      "Not known yet",
      "How long we have",
      "What we use of V1",
      "Gates",
    ];
    const places = order.map((text) => page.indexOf(text.replaceAll("'", "&#39;")));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("renderHtml gives every chart an accessible label", () => {
    const pictures = renderHtml(fullReport).match(/<svg[^>]*>/g) ?? [];
    expect(pictures).toHaveLength(12);
    for (const picture of pictures) expect(picture).toMatch(/role="img" aria-label="[^"]{10,}"/);
  });

  // A text may only add <wbr> and <code>, which the template itself inserts.
  const tagsOf = (page: string) =>
    (page.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<(?:wbr|\/?code)>$/.test(tag));

  test("renderHtml escapes hostile texts in every field", () => {
    const expected = tagsOf(renderHtml(fullReport));
    for (const anyText of hostileTexts) {
      expect(tagsOf(renderHtml(buildReport(fullInput(anyText)))), anyText).toEqual(expected);
    }
  });

  test("renderHtml has the same tags for arbitrary texts", () => {
    const expected = tagsOf(renderHtml(fullReport));
    const arbitraryText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[<>"'&`/=a-z -]{1,40}$/),
    );
    fc.assert(
      fc.property(
        arbitraryText.filter((anyText) => anyText !== ""),
        (anyText) => {
          expect(tagsOf(renderHtml(buildReport(fullInput(anyText))))).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("renderMarkdown", () => {
  /** The text without its escaped characters and its code: only other markup is left. */
  const unescaped = (text: string) => text.replace(/\\[\s\S]|`[^`|\\\n]+`/g, "");

  test("renderMarkdown escapes hostile texts in every field and keeps them in their cell and line", () => {
    const shape = (text: string) =>
      unescaped(text)
        .split("\n")
        .map((line) => line.split("|").length);
    const expected = shape(renderMarkdown(fullReport));
    for (const anyText of hostileTexts) {
      const text = renderMarkdown(buildReport(fullInput(anyText)));
      expect(shape(text), anyText).toEqual(expected);
      expect(unescaped(text), anyText).not.toMatch(/[<`]|\]\(|:\/\/|www\.|&(?!#64;)/);
    }
  });

  test("escapeMarkdown keeps every character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plainText = escapeMarkdown(text)
          .replaceAll("&#64;", "@")
          .replace(/\\([!-/:-@[-`{-~])/g, "$1");
        expect(plainText).toBe(text);
      }),
    );
  });
});

test("cleanText removes control and bidirectional codes and limits the length", () => {
  expect(cleanText("a\u202Eb\u0000c\u2028d\u200Be\uD800")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFD");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      const clean = cleanText(text);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(clean.length).toBeLessThanOrEqual(600);
    }),
  );
});

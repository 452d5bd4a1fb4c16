import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { foldTick } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { readIncidents } from "../../lib/local/page/incidents.ts";
import { type Report, reportJsonSchema, report as reportSchema } from "../../lib/records/report.ts";
import { createHealthDays } from "../../lib/report/health-days.ts";
import { renderHtml } from "../../lib/report/html.ts";
import { escapeMarkdown, renderMarkdown } from "../../lib/report/markdown.ts";
import { cleanText } from "../../lib/report/markup.ts";
import { buildReport } from "../../lib/report/model.ts";
import { describeParity } from "../../lib/report/sections/mapping.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { replaySettings } from "../assess/replay.ts";
import { nowMs } from "../readiness/ready-facts.ts";
import { fullInput } from "./full-input.ts";

let plain: Report;
beforeAll(() => {
  plain = buildReport(fullInput());
});

const bare = () =>
  buildReport({
    facts: { nowMs, daysPerConsumer: 2 },
    monitor: { isHealthy: false, says: "there is no store." },
    fromMs: nowMs,
  });

const hostile = [
  `"><script>alert(1)</script><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)' & &lt;b&gt; </style></title><!--`,
  "| a | b |\n\n# heading\n- [x](javascript:alert(1)) ![i](http://e.example/i.png) `code` <b>",
  "https://evil.example www.evil.example <https://evil.example> $x$ ~~gone~~ \\| \\",
  "\u202Egnp.exe\u0000\u001b[31m\u2028\uD800",
  "constructor",
  "__proto__",
];

describe("the model", () => {
  test("is valid by its own schema, full or bare", () => {
    expect(reportSchema.safeParse(plain).error).toBeUndefined();
    expect(reportSchema.safeParse(bare()).error).toBeUndefined();
    for (const say of hostile) {
      const made = buildReport(fullInput(say));
      expect(reportSchema.safeParse(made).error, say).toBeUndefined();
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    }
  });

  test("has something in every part, so that these tests look at all of it", () => {
    const { changes: _, missing: __, ...parts } = plain;
    for (const [name, part] of Object.entries(parts)) {
      expect(part, name).not.toBeNull();
      if (Array.isArray(part)) expect(part.length, name).toBeGreaterThan(0);
    }
  });

  test("an outage ends with the first good answer, here as on the page", () => {
    const { state } = fullInput().watch!;
    const over = [
      ...state.resolved,
      ...Object.values(state.incidents).map(({ incident }) => incident),
    ].filter(
      ({ state, firstGoodAt, resolvedAt }) =>
        state === "resolved" && firstGoodAt !== undefined && firstGoodAt !== resolvedAt,
    );
    expect(over.length).toBeGreaterThan(0);
    const { resolved } = readIncidents(state, [], nowMs);
    for (const { id, since, firstGoodAt } of over) {
      const ends = { id, since, resolvedAt: firstGoodAt };
      expect(resolved).toContainEqual(expect.objectContaining(ends));
      expect(plain.incidents).toContainEqual(expect.objectContaining(ends));
    }
  });

  test("past incidents stand on the page in the order of their ends", () => {
    const { state } = fullInput().watch!;
    const [one] = state.resolved;
    const at = (hour: number) => new Date(nowMs + hour * 3_600_000).toISOString();
    const resolved = [
      { ...one!, id: "slow to be sure", firstGoodAt: at(-9), resolvedAt: at(-1) },
      { ...one!, id: "last to end", firstGoodAt: at(-5), resolvedAt: at(-4) },
    ];
    const ends = readIncidents({ ...state, incidents: {}, resolved }, [], nowMs).resolved;
    expect(ends.map(({ id, resolvedAt }) => [id, resolvedAt])).toEqual([
      ["last to end", at(-5)],
      ["slow to be sure", at(-9)],
    ]);
  });

  test("no difference is as documented only where there was data of V1 to compare", () => {
    const reportOf = (...looks: Parameters<typeof observationOf>[0][]) => {
      const seen = freshState();
      const tick = looks.map((look) => observationOf({ ...look, at: nowMs }));
      foldTick(seen, tick, replaySettings);
      const days = createHealthDays("authenticated");
      for (const one of tick) days.note(one);
      const watch = { ...fullInput().watch!, state: seen, days: days.read() };
      const made = buildReport({ ...fullInput(), watch });
      return [renderMarkdown(made).replaceAll("\\", ""), renderHtml(made)];
    };
    const ofV2 = { notices: { body: "v2-shaped" } } as const;
    const asV2 = reportOf(...endpointIds.map((endpoint) => ({ endpoint, ...ofV2 })));
    for (const text of asV2) expect(text).toContain("Not known: no answer of these days brought data");
    for (const text of asV2) expect(text).not.toContain("no difference was ever seen");
    for (const text of reportOf({}, { endpoint: "passport", ...ofV2 }))
      expect(text).toContain(
        "no difference was ever seen in 1 answer. Not known of passport, passport-credentials: no data",
      );
    for (const text of reportOf(...endpointIds.map((endpoint) => ({ endpoint })))) {
      expect(text).toContain("As documented: no difference was ever seen in 3 answers.");
      expect(text).not.toContain("Not known of");
    }
  });

  test("puts drift on used fields first, with who reads it and what was said of it", () => {
    const [first] = plain.drift;
    expect(first).toMatchObject({
      path: "passport.passport_socials[].follower_count",
      usedBy: ["plain words"],
      review: { kind: "ack", reason: "plain words" },
    });
    const used = plain.drift.map(({ usedBy }) => usedBy.length > 0);
    expect(used).toEqual(used.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("says what is missing and how to add it", () => {
    const { missing, verdict } = bare();
    expect(verdict.verdict).toBe("unknown");
    expect(missing.map(({ how }) => how).join(" ")).toMatch(
      /v1watch up.*v1watch scan.*migrate init.*v1watch parity/,
    );
    expect(renderHtml(bare())).toContain("Not in this report yet");
    expect(renderMarkdown(bare())).toContain("Not in this report yet");
  });

  test("the schema beside the code is current", () => {
    const file = join(import.meta.dirname, "../../schemas/report.schema.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(reportJsonSchema())));
  });
});

describe("changes since the last report", () => {
  const earlier = () => structuredClone(plain);
  const changesAfter = (old: Report) => {
    const { changes } = buildReport({ ...fullInput(), previous: old });
    return changes?.items.map(({ tone, text }) => `${tone}: ${text}`);
  };

  test("none where nothing changed", () => {
    expect(changesAfter(earlier())).toEqual([]);
  });

  test("a moved date, a gate, a consumer, drift and the verdict are told, worse first", () => {
    const old = earlier();
    old.verdict.verdict = "ready";
    old.timeLeft.date = "2099-01-01";
    old.gates.find(({ id }) => id === "alerts")!.state = "fail";
    old.consumers![0]!.name = "src/gone.ts";
    old.drift = old.drift.filter(({ path }) => !path.includes("following_count"));
    const told = changesAfter(old) ?? [];
    expect(told.join("\n")).toMatch(/worse: The verdict: ready → not ready/);
    expect(told.join("\n")).toMatch(/worse: V1's end moved from 2099-01-01 to \d{4}-\d\d-\d\d/);
    expect(told.join("\n")).toMatch(
      /worse: V1 differs anew: passport\.passport_socials\[\]\.following_count/,
    );
    expect(told.join("\n")).toMatch(/better: The alert path .*: fail → unknown/);
    expect(told.join("\n")).toMatch(/better: src\/gone\.ts no longer uses V1/);
    const tones = told.map((line) => line.split(":")[0]);
    expect(tones).toEqual(tones.toSorted((a, b) => (a === b ? 0 : a === "worse" ? -1 : 1)));
  });

  test("without a watch nothing of V1 has become better or changed", () => {
    const { watch: _, ...rest } = fullInput();
    const { changes } = buildReport({ ...rest, previous: earlier() });
    const text = changes!.items.map((item) => item.text).join("\n");
    expect(text).not.toMatch(/as documented again|names a date|end moved/);
  });
});

describe("the comparison", () => {
  const movesOf = (change: (input: ReturnType<typeof fullInput>) => void) => {
    const input = fullInput();
    change(input);
    const { parity } = buildReport(input);
    return parity!;
  };

  test("of lists and whole answers is one of the used fields in them, as the gate says", () => {
    const parity = movesOf(({ facts }) => {
      const { fields } = facts.parity!.aggregate;
      fields["(profile)"] = { compared: 400, raw: { missing: 400 }, noise: {} };
      fields["passport.passport_socials[]"] = { compared: 400, raw: { size: 400 }, noise: {} };
    });
    const used = parity.differences.filter(({ isUsed }) => isUsed).map(({ path }) => path);
    expect(used).toEqual(expect.arrayContaining(["(profile)", "passport.passport_socials[]"]));
  });

  test("names what was compared by less than its value", () => {
    const report = buildReport(fullInput());
    expect(report.parity?.shallow).toEqual([{ path: "passport.passport_id", compare: "presence" }]);
    for (const text of [renderMarkdown(report), renderHtml(report)])
      expect(text).toMatch(/\d+ fields[^.]*; passport\.passport\\?_id by presence alone\./);
  });

  test("that is old, or of V2's own shape alone, is called so", () => {
    const old = movesOf(({ facts }) => {
      facts.parity!.atMs = facts.nowMs - 45 * 86_400_000;
    });
    expect(describeParity(old)).toEqual({
      tone: "look",
      words: "not known for today: the comparison is 45 days old",
    });
    const shape = movesOf(({ facts }) => {
      for (const field of Object.values(facts.parity!.aggregate.fields)) field.raw = {};
    });
    expect(describeParity(shape)).toEqual({ tone: "bad", words: "V2 breaks its own shape" });
  });
});

test("the same data gives the same bytes, in every form", () => {
  const again = buildReport(fullInput());
  expect(JSON.stringify(again)).toBe(JSON.stringify(plain));
  expect(renderHtml(again)).toBe(renderHtml(plain));
  expect(renderMarkdown(again)).toBe(renderMarkdown(plain));
});

describe("the HTML", () => {
  test("opens offline: no script, no link, nothing to load, and a policy that says so", () => {
    const page = renderHtml(plain);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(
      /<(?:script|link|img|iframe|object|embed|base|form|a)\b|\bon\w+=|url\(|@import/i,
    );
    expect(page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:\/\//);
  });

  test("tells the verdict, the blockers with owner and next step, the time and the use, in this order", () => {
    const page = renderHtml(plain);
    const order = [
      plain.verdict.sentence,
      "What holds us",
      "Next step",
      "How long we have",
      "What we use of V1",
      "Gates",
    ];
    const places = order.map((words) => page.indexOf(words.replaceAll("'", "&#39;")));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("every picture has words for those who do not see it", () => {
    const pictures = renderHtml(plain).match(/<svg[^>]*>/g) ?? [];
    expect(pictures).toHaveLength(12);
    for (const picture of pictures) expect(picture).toMatch(/role="img" aria-label="[^"]{10,}"/);
  });

  // A text may add breaks and code marks of our own, and nothing else.
  const tagsOf = (page: string) =>
    (page.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<(?:wbr|\/?code)>$/.test(tag));

  test("hostile texts in every field stay text", () => {
    const usual = tagsOf(renderHtml(plain));
    for (const say of hostile) {
      expect(tagsOf(renderHtml(buildReport(fullInput(say)))), say).toEqual(usual);
    }
  });

  test("whatever the text is, the tags are ours", () => {
    const usual = tagsOf(renderHtml(plain));
    const odd = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[<>"'&`/=a-z -]{1,40}$/));
    fc.assert(
      fc.property(
        odd.filter((say) => say !== ""),
        (say) => {
          expect(tagsOf(renderHtml(buildReport(fullInput(say))))).toEqual(usual);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("the Markdown", () => {
  /** What is left of markup once every escaped sign is gone. */
  const unescaped = (text: string) => text.replace(/\\[\s\S]/g, "");

  test("hostile texts in every field stay text, in their cell and on their line", () => {
    const shape = (text: string) =>
      unescaped(text)
        .split("\n")
        .map((line) => line.split("|").length);
    const usual = shape(renderMarkdown(plain));
    for (const say of hostile) {
      const text = renderMarkdown(buildReport(fullInput(say)));
      expect(shape(text), say).toEqual(usual);
      expect(unescaped(text), say).not.toMatch(/[<`]|\]\(|:\/\/|www\.|&(?!#64;)/);
    }
  });

  test("escaping keeps every letter", () => {
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

test("a text that is kept holds no control or direction code, and is never too long", () => {
  expect(cleanText("a\u202Eb\u0000c\u2028d\u200Be\uD800")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFD");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      const clean = cleanText(text);
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(clean.length).toBeLessThanOrEqual(600);
    }),
  );
});

// The report's first page for a meeting: 40 lines that use V1, and a mapping that nobody has decided.
import { expect, test } from "vitest";
import { createStarter } from "../../lib/mapping/starter.ts";
import type { Block, FirstPage, Table, Text } from "../../lib/report/document.ts";
import { inlines } from "../../lib/report/document.ts";
import { buildReport } from "../../lib/report/model.ts";
import { composeFirstPage } from "../../lib/report/sections/first-page.ts";
import { consumerOf, mappingOf, nowMs, useOf } from "../readiness/ready-facts.ts";
import { fullInput } from "./full-input.ts";

const screens = Array.from({ length: 40 }, (_, index) => `web/src/screens/Screen${index}.tsx`);
const paths = ["passport.score", "passport.main_wallet", "passport.calculating_score"];

function makeReport() {
  const input = fullInput();
  return buildReport({
    ...input,
    facts: {
      ...input.facts,
      mapping: mappingOf(createStarter(nowMs)),
      parity: undefined,
      rehearsal: undefined,
      consumers: [
        consumerOf({
          name: "web",
          owners: ["@acme/web"],
          status: "v1",
          uses: screens.map((file, index) => ({
            ...useOf(file, 54, "passport", [paths[index % 3] ?? ""]),
            calls: [],
          })),
        }),
      ],
    },
    monitor: { isHealthy: true, says: "3,600 observations" },
  });
}

const textOf = (text: Text) =>
  inlines(text)
    .map((part) => (typeof part === "string" ? part : part.text))
    .join("");

const spokenText = (text: Text) =>
  textOf(inlines(text).filter((part) => typeof part === "string" || part.kind !== "code"));

const sectionOf = ({ sections }: FirstPage, title: string) =>
  sections.find((section) => section.title.startsWith(title))?.blocks ?? [];

/** What a person would read aloud; of a table, of commands and of places in the code, nothing. */
function spoken(block: Block): string[] {
  switch (block.kind) {
    case "sentence":
    case "callout":
      return [spokenText(block.text)];
    case "list":
      return block.items.map(spokenText);
    case "entries":
      return block.entries.flatMap(({ title, facts }) => [
        title,
        ...facts.map((fact) => `${fact[0]} ${spokenText(fact[1])}`),
      ]);
    case "figure":
      return [block.value, block.caption, ...block.blocks.flatMap(spoken)];
    default:
      return [];
  }
}

test("The report's first page names the API and its address", () => {
  const { title } = composeFirstPage(makeReport());
  expect(title).toMatch(/^Deprecated Passport .*API \(V1\) · https:\/\/api\.example\.com · .*2026-11-15$/);
});

test("The report's first page has as many blockers as gates that fail, each with what is wrong, an owner and a next step", () => {
  const report = makeReport();
  const failed = report.gates.filter(({ state }) => state === "fail");
  const [blockers] = sectionOf(composeFirstPage(report), "Blockers");
  const entries = blockers?.kind === "entries" ? blockers.entries : [];
  expect(entries).toHaveLength(failed.length);
  expect(report.verdict.sentence).toContain(`${failed.length} of 10 gates fail`);
  expect(entries.map(({ title }) => title)).toContain("1 of 1 consumer is on V1 only");
  for (const { facts } of entries) expect(facts.map(([label]) => label)).toEqual(["Owner", "Next step"]);
});

test("The report's first page lists as many lines as it counts, or says how many more there are", () => {
  const blocks = sectionOf(composeFirstPage(makeReport()), "What we use of V1");
  const table = blocks.find((block): block is Table => block.kind === "table");
  const sentences = blocks.flatMap(spoken).join("\n");
  const counted = Number(/(\d+) lines to change:/.exec(sentences)?.[1]);
  const more = Number(/and (\d+) more lines, in the plan below/.exec(sentences)?.[1]);
  expect(counted).toBe(40);
  expect(more + (table?.rows.length ?? 0)).toBe(counted);
  expect(table?.rows[0]?.map(textOf)).toEqual([
    "Screen0.tsx:54",
    "score → score.points of GET /score",
    "rename + unwrap, the scale differs (unverified)",
  ]);
});

test("The report's first page can be read aloud in a minute, which is about 190 words", () => {
  const { title, headline, blocks, sections } = composeFirstPage(makeReport());
  const parts = [
    title,
    headline,
    ...[...blocks, ...sections.flatMap((section) => section.blocks)].flatMap(spoken),
  ];
  const words = parts
    .join(" ")
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(190);
});

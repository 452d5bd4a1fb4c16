// Which layer tells what of a fault in AWS, and when: the assessment and CloudWatch's alarms over the very same checks. The table in
// docs/aws/operate.md is written from this: npm run test:replay -- test/replay/aws-days.test.ts -u
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SNSClient } from "@aws-sdk/client-sns";
import { beforeAll, expect, test } from "vitest";
import { createSnsReceiver } from "../../lib/aws/sns.ts";
import { describeDuration } from "../../lib/time.ts";
import { refusal, startAccount } from "../aws/account-server.ts";
import { credentials } from "../aws/dynamo-server.ts";
import { configure } from "../stack/configuration.ts";
import { type Condition, conditions, type DaysFault, playDays, type Told } from "../stack/play-days.ts";
import { synthesise } from "../stack/synthesis.ts";

process.env.CDK_VALIDATION = "false";
const { resources } = synthesise(configure());
const refusals = ["AuthorizationError", "KMSAccessDeniedException"];
let refused = 0;
/** SNS refuses by its policy and by that of its key, in turn. */
const { endpoint } = await startAccount((one) => refusal(one, refusals[refused++ % refusals.length]!));
const client = new SNSClient({ endpoint, region: "eu-west-1", credentials, maxAttempts: 1 });
const refusing = createSnsReceiver({ topicArn: "arn:aws:sns:eu-west-1:123456789012:alerts", client });

type Row = {
  fault: DaysFault;
  /** Who tells of it while the assessment works, and while it does not, and how many minutes that may take. */
  works: string[];
  broken: string[];
  within: { works: number; broken: number };
};
const unhealthy = "v1watch-unhealthy";
const unauthorized = { kind: "respond", status: 401 } as const;
const hour = 60;
const day = 24 * hour;

const rows: Record<string, Row> = {
  none: { fault: {}, works: [], broken: [], within: { works: 0, broken: 0 } },
  "V1 is dead": {
    fault: { v1: { effect: { kind: "respond", status: 503 } } },
    works: ["down"],
    broken: ["fallback-failing"],
    within: { works: 20, broken: 110 },
  },
  "V1 is dead, and probers start up to 90 s late": {
    fault: { v1: { effect: { kind: "respond", status: 503 } }, isLate: true },
    works: ["down"],
    broken: ["fallback-failing"],
    within: { works: 20, broken: 110 },
  },
  "401 in every check": {
    fault: { v1: { effect: unauthorized } },
    works: ["maybe-retired"],
    broken: ["fallback-failing"],
    within: { works: 20, broken: 110 },
  },
  "401 in 10 % of the checks": {
    fault: { v1: { effect: unauthorized, probability: 0.1 }, days: 3 },
    works: ["unauthorized-rate"],
    // Of these checks three of one endpoint are within the time of four.
    broken: ["fallback-failing", "fallback-rates"],
    within: { works: day, broken: 3 * day },
  },
  "401 in 2 % of the checks": {
    fault: { v1: { effect: unauthorized, probability: 0.02 }, days: 3 },
    works: ["unauthorized-rate"],
    broken: [],
    within: { works: 3 * day, broken: 0 },
  },
  "frozen data": {
    fault: { v1: { effect: { kind: "freeze" } }, days: 7.5 },
    works: ["frozen"],
    broken: ["fallback-other"],
    within: { works: 3 * day + 2 * hour, broken: 7 * day + 2 * hour },
  },
  drift: {
    fault: { v1: { effect: { kind: "field", op: "retype", path: "score", to: "string" } } },
    works: ["breaking-drift"],
    broken: ["fallback-other"],
    within: { works: 20, broken: 220 },
  },
  "V1's clock is 3 h ahead": {
    fault: { v1: { effect: { kind: "date-skew", by: "3h" } } },
    works: ["clocks-differ"],
    broken: ["clocks-differ"],
    within: { works: hour, broken: hour },
  },
  "our clock is 10 min ahead": {
    fault: { v1: { effect: { kind: "date-skew", by: "-10m" } } },
    works: ["clocks-differ"],
    broken: ["clocks-differ"],
    within: { works: hour, broken: hour },
  },
  "no prober runs": {
    fault: { aws: "no prober" },
    works: ["silent", unhealthy],
    broken: [unhealthy],
    within: { works: 3 * hour, broken: 15 },
  },
  "the key is lost": {
    fault: { aws: "no key" },
    works: ["no-secret", unhealthy],
    broken: [unhealthy],
    within: { works: 125, broken: 125 },
  },
  // Where nothing can be stored, the assessment tells as soon as it can be.
  "the table is throttled": {
    fault: { aws: "throttled table" },
    works: ["silent", unhealthy],
    broken: [unhealthy],
    within: { works: day, broken: 15 },
  },
};

/** Where the responses are left to chance: what may be told, how soon the first of it is, and how much there may be in all. */
type PartialRow = Row & { most: { works: number; broken: number } };
const partialRows: Record<string, PartialRow> = {
  "50 % of the responses are 503": {
    fault: { v1: { effect: { kind: "respond", status: 503 }, probability: 0.5 }, isLate: true },
    works: ["down", "error-rate"],
    broken: ["fallback-failing", "fallback-rates"],
    within: { works: 3 * hour, broken: 12 * hour },
    most: { works: 8, broken: 26 },
  },
  "20 % of the responses are 503": {
    fault: { v1: { effect: { kind: "respond", status: 503 }, probability: 0.2 }, days: 3, isLate: true },
    works: ["error-rate"],
    broken: ["fallback-failing", "fallback-rates"],
    within: { works: day, broken: 2 * day },
    most: { works: 8, broken: 18 },
  },
  "5 % of the responses are 503": {
    fault: { v1: { effect: { kind: "respond", status: 503 }, probability: 0.05 }, days: 3, isLate: true },
    works: ["error-rate"],
    // Six of the 40 checks of a day are chance.
    broken: [],
    within: { works: 3 * day, broken: 0 },
    most: { works: 6, broken: 0 },
  },
};

const told = new Map<string, Record<Condition, Told[]>>();
beforeAll(async () => {
  for (const [name, { fault }] of Object.entries({ ...rows, ...partialRows }))
    told.set(name, await playDays({ fault, resources, refusing }));
}, 3_600_000);

const namesOf = (messages: readonly Told[], state: Told["state"]) =>
  messages.filter((one) => one.state === state).map(({ what }) => what);

test.each(Object.entries(rows))(
  "Each layer tells of the fault %s and of its end once, in time, whether or not the assessment works",
  (name, { works, broken, within }) => {
    const { works: whole, throws, "is refused": refused } = told.get(name)!;
    // What is refused is noticed by what waits; without an alert nothing does.
    const hasWaiting = whole.some(({ by }) => by === "assessment");
    const expected: [readonly Told[], string[]][] = [
      [whole, works],
      [throws, [unhealthy, ...broken]],
      [refused, hasWaiting ? [unhealthy, ...broken] : broken],
    ];
    for (const [messages, names] of expected) {
      expect(namesOf(messages, "wrong").sort()).toEqual([...new Set(names)].sort());
      const over = namesOf(messages, "over");
      expect(over).toEqual([...new Set(over)]);
    }
    // The end of clocks that differ is not told.
    expect(namesOf(whole, "over").sort()).toEqual(works.filter((one) => one !== "clocks-differ").sort());
    const lateBy = (messages: readonly Told[], names: string[]) =>
      Math.max(
        0,
        ...messages
          .filter((one) => one.state === "wrong" && names.includes(one.what))
          .map(({ minute }) => minute),
      );
    expect(lateBy(whole, works)).toBeLessThanOrEqual(within.works);
    expect(lateBy(throws, broken)).toBeLessThanOrEqual(within.broken);
    expect(lateBy(refused, broken)).toBeLessThanOrEqual(within.broken);
  },
);

test.each(Object.entries(partialRows))(
  "A share of bad responses (%s, with late starts) is told in time, and everything that is told has its end",
  (name, { works, broken, within, most }) => {
    const { works: whole, throws } = told.get(name)!;
    const layers: [readonly Told[], string[], number, number][] = [
      [whole, works, within.works, most.works],
      [throws.filter(({ what }) => what !== unhealthy), broken, within.broken, most.broken],
    ];
    for (const [messages, names, withinMinutes, mostMessages] of layers) {
      const wrong = messages.filter(({ state }) => state === "wrong");
      for (const { what } of wrong) expect(names).toContain(what);
      if (names.length > 0) expect(wrong[0]?.minute ?? Infinity).toBeLessThanOrEqual(withinMinutes);
      expect(messages.filter(({ state }) => state !== "still wrong").length).toBeLessThanOrEqual(
        mostMessages,
      );
      for (const what of new Set(wrong.map((one) => one.what)))
        expect(
          messages.findLast((one) => one.what === what && one.state !== "still wrong")?.state,
          what,
        ).toBe("over");
    }
  },
);

/** "`down` 10 min / 10 min": after the fault began, and after it ended. */
function cell(messages: readonly Told[], { days = 1 }: DaysFault): string {
  const wrong = messages.filter(({ state }) => state === "wrong");
  const text = [...new Set(wrong.map(({ what }) => what))].map((what) => {
    const own = wrong.filter((one) => one.what === what);
    const end = messages.findLast((one) => one.what === what && one.state === "over");
    // What ends during the fault has no time after it.
    const times = [own[0]!.minute, ...(end ? [Math.max(0, end.minute - days * day)] : [])].map((one) =>
      describeDuration(one * 60),
    );
    return `\`${what}\` ${times.join(" / ")}${own.length > 1 ? ` (${own.length} times)` : ""}`;
  });
  return text.join(", ") || "–";
}

test("The table of docs/aws/operate.md has what was told in these days", async () => {
  const file = join(import.meta.dirname, "../../docs/aws/operate.md");
  const [before, rest] = readFileSync(file, "utf8").split("<!-- days -->");
  // Another table has an end of its own.
  const after = rest?.split("<!-- -->").slice(1).join("<!-- -->");
  if (!after) throw new Error("docs/aws/operate.md has no place for the table");
  const table = [
    "| fault | the assessment works | it throws in every run | SNS or its key refuses its alerts |",
    "|---|---|---|---|",
    ...Object.entries({ ...rows, ...partialRows }).map(([name, { fault }]) => {
      const cells = conditions.map((condition) => cell(told.get(name)![condition], fault));
      return `| ${[name, ...cells].join(" | ")} |`;
    }),
  ].join("\n");
  await expect(`${before}<!-- days -->\n\n${table}\n\n<!-- -->${after}`).toMatchFileSnapshot(file);
});

import { describe, expect, test } from "vitest";
import {
  failureGroup,
  isSummaryDue,
  limitMessage,
  type MessageCandidate,
  type ToldMessage,
} from "../../lib/assess/message-limits.ts";
import { judgeMessages } from "./judge-messages.ts";
import { playStream } from "./message-streams.ts";

const hourMs = 3_600_000;
const nowMs = 100 * hourMs;

const candidate = (over: Partial<MessageCandidate> = {}): MessageCandidate => ({
  incident: "slow-1",
  rule: "slow",
  group: "slow",
  event: "opened",
  severity: "warning",
  isWide: false,
  replaces: [],
  ...over,
});
const told = (agoMs: number, over: Partial<ToldMessage> = {}): ToldMessage => ({
  ...candidate(over),
  atMs: nowMs - agoMs,
  isInSummary: false,
  ...over,
});
/** So many incidents that came and went, one every hour, the last of them so many hours ago. */
const past = (count: number, over: Partial<ToldMessage> = {}, lastHours = 2): ToldMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const incident = `${over.rule ?? "slow"}-past-${index}`;
    const agoMs = (lastHours + count - index) * hourMs;
    return [
      told(agoMs, { ...over, incident, event: "opened" }),
      told(agoMs - 1, { ...over, incident, event: "resolved" }),
    ];
  }).flat();

describe("the limits of messages", () => {
  test("send three openings of a rule in 24 h, and the last one stays open until there is room for the next", () => {
    expect(limitMessage(past(2), candidate(), nowMs)).toBe("send");
    expect(limitMessage(past(3), candidate(), nowMs)).toBe("hold");
    const third = [...past(2), told(hourMs)];
    expect(limitMessage(third, candidate({ event: "resolved" }), nowMs)).toBe("hold");
    expect(limitMessage(third, candidate({ event: "resolved" }), nowMs + 20 * hourMs)).toBe("send");
    expect(limitMessage([told(hourMs)], candidate({ event: "resolved" }), nowMs)).toBe("send");
  });

  test("send six openings of failures, whatever the rule, and tell of another cause and of a failure that grows", () => {
    const failure = { group: failureGroup, rule: "down", severity: "page" } as const;
    const page = candidate({ ...failure, incident: "gone-1", rule: "gone" });
    expect(limitMessage(past(5, failure), page, nowMs)).toBe("send");
    expect(limitMessage(past(6, failure), page, nowMs)).toBe("hold");
    const open = told(hourMs, { ...failure, incident: "down-6" });
    const sixth = [...past(5, failure), open];
    expect(limitMessage(sixth, { ...page, replaces: ["down-6"] }, nowMs)).toBe("send");
    expect(limitMessage(sixth, { ...page, replaces: ["down-6"], isWide: true }, nowMs)).toBe("send");
  });

  test("open two incidents of a rule in an hour", () => {
    const twice = past(2, {}, 0).map((one) => ({ ...one, atMs: nowMs - hourMs / 2 }));
    expect(limitMessage(twice, candidate(), nowMs)).toBe("hold");
    expect(limitMessage(twice, candidate(), nowMs + hourMs / 2)).toBe("send");
    expect(limitMessage(twice, candidate({ rule: "other", group: "other" }), nowMs)).toBe("send");
  });

  test("send three changes and one reminder of an incident in 24 h, and a change for the worse beside them", () => {
    const changes = (count: number) => [
      told(30 * hourMs),
      ...Array.from({ length: count }, (_, index) => told((count - index) * hourMs, { event: "changed" })),
    ];
    const changed = candidate({ event: "changed" });
    expect(limitMessage(changes(2), changed, nowMs)).toBe("send");
    expect(limitMessage(changes(3), changed, nowMs)).toBe("hold");
    expect(limitMessage(changes(3), { ...changed, severity: "page" }, nowMs)).toBe("send");
    expect(limitMessage(changes(3), { ...changed, isWide: true }, nowMs)).toBe("send");
    const reminder = candidate({ event: "reminder", severity: "page" });
    const page = told(30 * hourMs, { severity: "page" });
    expect(limitMessage([page], reminder, nowMs)).toBe("send");
    expect(limitMessage([page, told(23 * hourMs, { ...reminder })], reminder, nowMs)).toBe("hold");
    expect(limitMessage([page, told(24 * hourMs, { ...reminder })], reminder, nowMs)).toBe("send");
  });

  test("let no notice without an end, such as a countdown, go beyond the limit of its rule", () => {
    const countdown = candidate({ incident: "countdown-5", event: "notice" });
    const notices = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        told((index + 1) * hourMs, { incident: `countdown-past-${index}`, event: "notice" }),
      );
    expect(limitMessage(notices(4), countdown, nowMs)).toBe("send");
    expect(limitMessage(notices(5), countdown, nowMs)).toBe("hold");
    expect(limitMessage(notices(7), { ...countdown, severity: "page" }, nowMs)).toBe("send");
    expect(limitMessage(notices(8), { ...countdown, severity: "page" }, nowMs)).toBe("hold");
    expect(limitMessage([told(hourMs, { incident: "countdown-5", event: "notice" })], countdown, nowMs)).toBe(
      "hold",
    );
  });

  test("sum up all but the first and the last message of a page on a day with many messages", () => {
    const busy = ["a", "b", "c", "d", "e", "f", "g"].flatMap((group) => past(1, { rule: group, group }));
    expect(limitMessage(busy, candidate(), nowMs)).toBe("summary");
    expect(limitMessage(busy.slice(2), candidate(), nowMs)).toBe("send");
    const page = candidate({ severity: "page" });
    expect(limitMessage(busy, page, nowMs)).toBe("send");
    const open = [...busy, told(hourMs, { severity: "page" })];
    expect(limitMessage(open, { ...page, event: "changed" }, nowMs)).toBe("summary");
    expect(limitMessage(open, { ...page, event: "resolved" }, nowMs)).toBe("send");
    // What a summary announced ends in a summary, unless it becomes a page.
    const inSummary = [told(hourMs, { isInSummary: true })];
    expect(limitMessage(inSummary, candidate({ event: "resolved" }), nowMs)).toBe("summary");
    expect(limitMessage(inSummary, candidate({ event: "changed" }), nowMs)).toBe("summary");
    expect(limitMessage(inSummary, candidate({ event: "changed", severity: "page" }), nowMs)).toBe("send");
  });

  test("make one summary in 24 h, an hour after its first line", () => {
    const isDue = (firstAgoMs: number | undefined, lastAgoMs?: number) =>
      isSummaryDue({
        firstWaitingMs: firstAgoMs === undefined ? undefined : nowMs - firstAgoMs,
        lastSummaryMs: lastAgoMs === undefined ? undefined : nowMs - lastAgoMs,
        nowMs,
      });
    expect([isDue(undefined), isDue(hourMs - 1), isDue(hourMs)]).toEqual([false, false, true]);
    expect([isDue(hourMs, 24 * hourMs - 1), isDue(hourMs, 24 * hourMs)]).toEqual([false, true]);
  });
});

test("no stream of messages exceeds the limits; every page is reported, and whatever was announced gets its end", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const { faults, offered, sent } = playStream(4, seed);
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(offered).toBeGreaterThan(sent - 1);
  }
});

test("the judge of messages notices every limit that is exceeded", () => {
  const message = (incident: string, event: string, hours: number, group = "slow") => ({
    atMs: hours * hourMs,
    incident,
    group,
    event,
    severity: "warning" as const,
    isWide: false,
    replaces: [],
  });
  expect(judgeMessages([message("a", "opened", 1), message("a", "resolved", 2)])).toEqual([]);
  expect(judgeMessages([message("a", "opened", 1), message("a", "opened", 2)])).toHaveLength(1);
  expect(judgeMessages([1, 2, 3, 4].map((hours) => message("a", "changed", hours)))).toHaveLength(1);
  expect(judgeMessages([1, 24].map((hours) => message("a", "reminder", hours)))).toHaveLength(1);
  const many = (count: number, groups: number) =>
    Array.from({ length: count }, (_, index) =>
      message(`i-${index}`, "opened", index / 10, `g-${index % groups}`),
    );
  expect(judgeMessages(many(9, 1))).toHaveLength(1);
  expect(judgeMessages(many(20, 20))).toEqual([]);
  expect(judgeMessages(many(21, 21))).toHaveLength(1);
});

import { describe, expect, test } from "vitest";
import { isNews, keepNews, newsOf, noteNews } from "../../../lib/probe/schedule/news.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import {
  emptyProbeState,
  probeState as probeStateSchema,
  type Suspicion,
} from "../../../lib/records/probe-state.ts";

const tickMs = Date.parse("2026-11-15T06:00:00Z");
const minuteMs = 60_000;
const all = { answers: true, fits: true } as const;

const row = (minutes: number, why?: Suspicion, more: Partial<RequestResult> = {}): RequestResult => ({
  ...{ endpoint: "passport", variant: "authenticated", atMs: tickMs + minutes * minuteMs, requests: 1 },
  ...(why && { why }),
  ...more,
});
const asked = applyResults(emptyProbeState, [row(0)]);
const told = noteNews(asked, "passport", tickMs, all);
const heldAfter = (...rows: RequestResult[]) => applyResults(told, rows).endpoints.passport?.told;

describe("good news", () => {
  test("is noted once it is taken, and is no news then", () => {
    expect(asked.endpoints.passport?.told).toBeUndefined();
    expect(told.endpoints.passport?.told).toEqual(all);
    expect(probeStateSchema.parse(told)).toEqual(told);
    expect(newsOf(told)).toMatchObject({ passport: all, "passport-list": {} });
    expect(isNews(all, newsOf(told).passport)).toBe(false);
    expect(noteNews(told, "passport", tickMs, { answers: true })).toBe(told);
    expect(isNews(all, { answers: true })).toBe(true);
    expect(isNews({}, {})).toBe(false);
  });

  test("holds until a authenticated answer says otherwise, each part by itself", () => {
    expect(heldAfter(row(30))).toEqual(all);
    expect(heldAfter(row(30, "timeout"))).toEqual({ fits: true });
    expect(heldAfter(row(30, "drift"))).toEqual({ answers: true });
    expect(heldAfter(row(30, "notice"))).toEqual({ answers: true });
    expect(keepNews(keepNews(all, "drift"), "unauthorized")).toEqual({});
  });

  test("is not touched by what says nothing of V1's health", () => {
    expect(heldAfter(row(30, "unauthorized", { variant: "anonymous" }))).toEqual(all);
    expect(heldAfter({ ...row(30), learnedNothing: true })).toEqual(all);
  });

  test("that comes late does not overrule a later answer", () => {
    const later = applyResults(asked, [row(1, "timeout")]);
    expect(noteNews(later, "passport", tickMs, all)).toBe(later);
    expect(noteNews(emptyProbeState, "passport", tickMs, all)).toBe(emptyProbeState);
  });
});

import { describe, expect, test } from "vitest";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import {
  hasUnpublishedHealth,
  readPublishedHealth,
  recordPublishedHealth,
  retainPublishedHealth,
} from "../../../lib/probe/schedule/published-health.ts";
import {
  type ConfirmationReason,
  emptyProbeState,
  probeState as probeStateSchema,
} from "../../../lib/records/probe-state.ts";

const tickMs = Date.parse("2026-11-15T06:00:00Z");
const minuteMs = 60_000;
const all = { answers: true, fits: true } as const;

const row = (
  minutes: number,
  why?: ConfirmationReason,
  more: Partial<RequestResult> = {},
): RequestResult => ({
  ...{ endpoint: "passport", variant: "authenticated", atMs: tickMs + minutes * minuteMs, requests: 1 },
  ...(why && { why }),
  ...more,
});
const checked = applyResults(emptyProbeState, [row(0)]);
const published = recordPublishedHealth(checked, "passport", tickMs, all);
const publishedAfter = (...rows: RequestResult[]) =>
  applyResults(published, rows).endpoints.passport?.lastPublished;

describe("published health", () => {
  test("is recorded once CloudWatch has accepted it, and is not published again", () => {
    expect(checked.endpoints.passport?.lastPublished).toBeUndefined();
    expect(published.endpoints.passport?.lastPublished).toEqual(all);
    expect(probeStateSchema.parse(published)).toEqual(published);
    expect(readPublishedHealth(published)).toMatchObject({ passport: all, "passport-list": {} });
    expect(hasUnpublishedHealth(all, readPublishedHealth(published).passport)).toBe(false);
    expect(recordPublishedHealth(published, "passport", tickMs, { answers: true })).toBe(published);
    expect(hasUnpublishedHealth(all, { answers: true })).toBe(true);
    expect(hasUnpublishedHealth({}, {})).toBe(false);
  });

  test("holds until an authenticated check contradicts it, each part independently", () => {
    expect(publishedAfter(row(30))).toEqual(all);
    expect(publishedAfter(row(30, "timeout"))).toEqual({ fits: true });
    expect(publishedAfter(row(30, "drift"))).toEqual({ answers: true });
    expect(publishedAfter(row(30, "notice"))).toEqual({ answers: true });
    expect(retainPublishedHealth(retainPublishedHealth(all, "drift"), "unauthorized")).toEqual({});
  });

  test("is not changed by a check that does not measure V1's health", () => {
    expect(publishedAfter(row(30, "unauthorized", { variant: "anonymous" }))).toEqual(all);
    expect(publishedAfter({ ...row(30), isInconclusive: true })).toEqual(all);
  });

  test("is not recorded when V1 was checked again in the meantime", () => {
    const later = applyResults(checked, [row(1, "timeout")]);
    expect(recordPublishedHealth(later, "passport", tickMs, all)).toBe(later);
    expect(recordPublishedHealth(emptyProbeState, "passport", tickMs, all)).toBe(emptyProbeState);
  });
});

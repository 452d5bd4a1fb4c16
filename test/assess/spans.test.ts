// What is said of how long endpoints were bad: one length of several endpoints only where it can be that of each.
import { expect, test } from "vitest";
import { groupSpans } from "../../lib/assess/spans.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { EndpointSpan } from "../../lib/records/incident.ts";
import { fc } from "../random.ts";
import { startMs } from "./driver.ts";
import { minuteMs } from "./observation-builder.ts";

const textAt = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
const lengthMs = (fromAt: string, untilAt: string) => Date.parse(untilAt) - Date.parse(fromAt);

/** In minutes: the last good check, the first and the last bad one, and the first good one. */
const span = fc
  .record({
    from: fc.integer({ min: 20, max: 60 }),
    length: fc.nat(40),
    before: fc.option(fc.integer({ min: 1, max: 15 })),
    after: fc.option(fc.integer({ min: 1, max: 15 })),
    bad: fc.integer({ min: 1, max: 9 }),
  })
  .map(
    ({ from, length, before, after, bad }): EndpointSpan => ({
      firstBadAt: textAt(from),
      lastGoodBeforeAt: before === null ? null : textAt(from - before),
      lastBadAt: textAt(from + length),
      firstGoodAfterAt: after === null ? null : textAt(from + length + after),
      bad,
      total: bad + 1,
    }),
  );

test("The length that is said of several endpoints can be that of each, and its instants are those of their checks", () => {
  fc.assert(
    fc.property(fc.tuple(span, span, span), (all) => {
      const spanOf = Object.fromEntries(endpointIds.map((endpoint, index) => [endpoint, all[index]!]));
      const groups = groupSpans(spanOf);
      expect(groups.flatMap(({ endpoints }) => endpoints).sort()).toEqual(endpointIds.toSorted());
      for (const group of groups) {
        const own = group.endpoints.map((endpoint) => spanOf[endpoint]!);
        const shortestMs = lengthMs(group.firstBadAt, group.lastBadAt);
        for (const one of own) {
          expect(one.firstBadAt >= group.firstBadAt && one.lastBadAt <= group.lastBadAt).toBe(true);
          if (one.firstGoodAfterAt !== null)
            expect(
              lengthMs(one.lastGoodBeforeAt ?? one.firstBadAt, one.firstGoodAfterAt),
            ).toBeGreaterThanOrEqual(shortestMs);
        }
        const before = own.flatMap((one) => one.lastGoodBeforeAt ?? []).filter((at) => at < group.firstBadAt);
        const after = own.flatMap((one) => one.firstGoodAfterAt ?? []).filter((at) => at > group.lastBadAt);
        expect(group.lastGoodBeforeAt).toBe(before.sort().at(-1) ?? null);
        expect(group.firstGoodAfterAt).toBe(after.sort()[0] ?? null);
        expect(own.map((one) => one.firstBadAt)).toContain(group.firstBadAt);
        expect(own.map((one) => one.lastBadAt)).toContain(group.lastBadAt);
        expect(group.bad).toBe(own.reduce((sum, { bad }) => sum + bad, 0));
        expect(group.total).toBe(group.bad + own.length);
      }
    }),
  );
});

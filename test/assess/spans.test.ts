// What is said of how long endpoints were bad: one length of several endpoints only where it can be that of each.
import { expect, test } from "vitest";
import { groupSpans, type Span } from "../../lib/assess/spans.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { fc } from "../random.ts";
import { startMs } from "./driver.ts";
import { minuteMs } from "./observation-builder.ts";

const atMinute = (minute: number) => startMs + minute * minuteMs;

/** In minutes: the last good check, the first and the last bad one, and the first good one. */
const span = fc
  .record({
    from: fc.integer({ min: 20, max: 60 }),
    length: fc.nat(40),
    before: fc.option(fc.integer({ min: 1, max: 15 })),
    after: fc.option(fc.integer({ min: 1, max: 15 })),
  })
  .map(
    ({ from, length, before, after }): Omit<Span, "endpoints"> => ({
      onset: { atMs: atMinute(from), before: {} },
      latest: { atMs: atMinute(from + length), through: {} },
      goodBeforeMs: before === null ? undefined : atMinute(from - before),
      goodAfterMs: after === null ? undefined : atMinute(from + length + after),
    }),
  );

test("The length that is said of several endpoints can be that of each, and its instants are those of their checks", () => {
  fc.assert(
    fc.property(fc.tuple(span, span, span), (all) => {
      const spans = all.map((one, index): Span => ({ ...one, endpoints: [endpointIds[index]!] }));
      const groups = groupSpans(spans);
      expect(groups.flatMap(({ endpoints }) => endpoints).sort()).toEqual(endpointIds.toSorted());
      for (const group of groups) {
        const own = spans.filter(({ endpoints: [name] }) => group.endpoints.includes(name!));
        const [fromMs, untilMs] = [group.onset.atMs, group.latest.atMs];
        for (const { onset, latest, goodBeforeMs = onset.atMs, goodAfterMs } of own) {
          expect(onset.atMs >= fromMs && latest.atMs <= untilMs).toBe(true);
          if (goodAfterMs !== undefined)
            expect(goodAfterMs - goodBeforeMs).toBeGreaterThanOrEqual(untilMs - fromMs);
        }
        const before = own.flatMap(({ goodBeforeMs }) => goodBeforeMs ?? []).filter((ms) => ms < fromMs);
        const after = own.flatMap(({ goodAfterMs }) => goodAfterMs ?? []).filter((ms) => ms > untilMs);
        expect(group.goodBeforeMs).toBe(before.sort((a, b) => a - b).at(-1));
        expect(group.goodAfterMs).toBe(after.sort((a, b) => a - b)[0]);
        expect(own.map(({ onset }) => onset.atMs)).toContain(fromMs);
        expect(own.map(({ latest }) => latest.atMs)).toContain(untilMs);
      }
    }),
  );
});

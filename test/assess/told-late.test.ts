// What began and ended before it was assessed, over random histories that are assessed in parts.
import { expect, test } from "vitest";
import { tellEndedOnce } from "../../lib/assess/told-late.ts";
import { incidentOf, isOfIncident } from "../../lib/records/alert.ts";
import { fc } from "../random.ts";
import { watch } from "./driver.ts";
import { historyOf, optionsOf, serviceOf } from "./histories.ts";

test("Of an incident that began and ended in checks that are assessed together, people get its end alone, and every other message as it is", () => {
  let [late, whole] = [0, 0];
  fc.assert(
    fc.property(
      historyOf(2),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      (one, cuts) => {
        const { alerts } = watch(serviceOf(one), optionsOf(one));
        const ends = [...cuts, 1].sort().map((part) => Math.ceil(part * alerts.length));
        let from = 0;
        for (const until of ends) {
          const [announced, part] = [alerts.slice(0, from), alerts.slice(from, until)];
          const sent = tellEndedOnce(part, announced);
          const replaced = part.flatMap(({ supersedes = [] }) => supersedes);
          const expected = part.filter((alert) => {
            const own = part.filter(
              (other) => isOfIncident(other) && incidentOf(other) === incidentOf(alert),
            );
            const isBegun = own[0]?.event === "opened";
            if (isBegun && replaced.includes(incidentOf(alert))) return false;
            return !isBegun || !own.some(({ event }) => event === "resolved") || alert.event === "resolved";
          });
          expect(sent.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          for (const alert of sent) {
            const isOnly =
              alert.event === "resolved" && part.some(({ id }) => id === `${incidentOf(alert)}/1-opened`);
            if (isOnly) late++;
            else whole++;
            expect(alert.sections[0]?.lines.some((line) => line.startsWith("This is its only alert"))).toBe(
              isOnly,
            );
          }
          from = until;
        }
      },
    ),
    { numRuns: 6 },
  );
  expect(Math.min(late, whole)).toBeGreaterThan(3);
});

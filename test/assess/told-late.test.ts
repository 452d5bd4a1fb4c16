// What began and ended before it was assessed: random messages that are assessed in parts.
import { expect, test } from "vitest";
import { tellAgain, tellEndedOnce } from "../../lib/assess/telling/told-late.ts";
import { type Alert, incidentOf, numberOf } from "../../lib/records/alert.ts";
import { fc } from "../random.ts";
import { startMs, watch } from "./driver.ts";
import { hourMs } from "./observation-builder.ts";

const [example] = watch(({ atMs }) => (atMs > startMs + hourMs ? { status: 503 } : {}), { days: 0.2 }).alerts;

type Course = { changes: number; end: "resolved" | "replaced" | "open" };

/** The messages of incidents one after another. What is replaced has no RESOLVED: the next one names it. */
const messagesOf = (courses: readonly Course[]): Alert[] =>
  courses.flatMap(({ changes, end }, index) => {
    const events: Alert["event"][] = ["opened", ...Array.from({ length: changes }, () => "changed" as const)];
    if (end === "resolved") events.push("resolved");
    const supersedes = courses[index - 1]?.end === "replaced" ? [`incident-${index - 1}`] : undefined;
    return events.map(
      (event, number): Alert => ({
        ...example!,
        id: `incident-${index}/${number + 1}-${event}`,
        event,
        supersedes,
      }),
    );
  });

test("Of an incident that began and ended in checks that are assessed together, people get its end alone, and every other message as it is", () => {
  const course = fc.record({
    changes: fc.nat(2),
    end: fc.constantFrom<Course["end"]>("resolved", "resolved", "replaced", "open"),
  });
  fc.assert(
    fc.property(
      fc.array(course, { maxLength: 8 }),
      fc.array(fc.nat(20), { maxLength: 3 }),
      (courses, cuts) => {
        const alerts = messagesOf(courses);
        let from = 0;
        for (const until of [...cuts.sort((a, b) => a - b), alerts.length]) {
          const part = alerts.slice(from, Math.max(from, until));
          const sent = tellEndedOnce(part, alerts.slice(0, from));
          const isHere = (id: string) => part.some((alert) => alert.id === id);
          const expected = part.filter((alert) => {
            const id = incidentOf(alert);
            if (!isHere(`${id}/1-opened`)) return true;
            if (part.some(({ supersedes = [] }) => supersedes.includes(id))) return false;
            const isOver = part.some((other) => incidentOf(other) === id && other.event === "resolved");
            return !isOver || alert.event === "resolved";
          });
          expect(sent.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          for (const alert of sent) {
            const isOnly = alert.event === "resolved" && isHere(`${incidentOf(alert)}/1-opened`);
            const own = alert.sections[0]?.lines.slice(example!.sections[0]?.lines.length);
            expect(own).toEqual(isOnly ? [expect.stringMatching(/^This is its only alert/)] : []);
          }
          from += part.length;
        }
      },
    ),
  );
});

const messageOf = (id: string): Alert => ({ ...example!, id, event: id.split("-").at(-1) as Alert["event"] });
const isLatest = async () => true;
const idsOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

test("What people think to be over and is open is told again once, under the number after that of its end", async () => {
  const firing = [
    { id: "over", render: (number: number) => messageOf(`over/${number}-opened`) },
    { id: "new", render: (number: number) => messageOf(`new/${number}-opened`) },
    { id: "known", render: (number: number) => messageOf(`known/${number}-opened`) },
  ];
  const folded = ["over/1-opened", "over/2-changed", "new/1-opened", "known/2-reminder"].map(messageOf);
  const announced = [messageOf("known/1-opened")];
  const lastEnd = async (id: string) => (id === "over" ? 4 : 0);
  const sent = await tellAgain(folded, firing, { announced, lastEnd, isLatest });
  expect(idsOf(sent)).toEqual(["new/1-opened", "known/2-reminder", "over/5-opened"]);
  // By a clock that was set back nobody knows.
  const early = await tellAgain(folded, firing, { announced, lastEnd, isLatest: async () => false });
  expect(idsOf(early)).toEqual(idsOf(folded));
  // From then on it is known to be open.
  const later = await tellAgain(folded, firing, {
    announced: [...announced, sent.at(-1)!],
    lastEnd,
    isLatest,
  });
  expect(idsOf(later)).toEqual(idsOf(folded));
});

test("The end of what people think to be open has a number after those of its messages and of an end before it", async () => {
  const cases = [
    { latest: "one/1-opened", lastEnd: 0, end: 2 },
    { latest: "one/2-reminder", lastEnd: 0, end: 3 },
    { latest: "one/1-opened", lastEnd: 2, end: 3 },
    { latest: "one/5-opened", lastEnd: 4, end: 6 },
  ];
  for (const { latest, lastEnd, end } of cases) {
    const sent = await tellAgain([messageOf("one/2-resolved")], [], {
      announced: [messageOf(latest)],
      lastEnd: async () => lastEnd,
      isLatest,
    });
    expect(sent.map(numberOf)).toEqual([end]);
  }
});

test("What people know to be over does not end again, whatever number its end has in another order of the checks", async () => {
  const end = messageOf("one/2-resolved");
  for (const lastEnd of [2, 3])
    expect(await tellAgain([end], [], { announced: [], lastEnd: async () => lastEnd, isLatest })).toEqual([]);
  expect(idsOf(await tellAgain([end], [], { announced: [], lastEnd: async () => 0, isLatest }))).toEqual([
    "one/2-resolved",
  ]);
  // It ends another one, too, that people think to be open.
  const both = { ...end, supersedes: ["other"] };
  const sent = await tellAgain([both], [], {
    announced: [messageOf("other/1-opened")],
    lastEnd: async () => 3,
    isLatest,
  });
  expect(idsOf(sent)).toEqual(["one/4-resolved"]);
});

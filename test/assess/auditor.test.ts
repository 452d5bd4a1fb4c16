// The auditor itself: it notices whatever is swapped in the text of an alert. What it says of random histories is in laws.test.ts.
import { describe, expect, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import { auditAll, createAuditor } from "./auditor.ts";
import { type Service, startMs, watchWithCountdown } from "./driver.ts";
import { dayMs, hourMs } from "./observation-builder.ts";

describe("what alerts claim", () => {
  // Each history has a fault of its own from the second day on; the last word is what is swapped in its texts.
  const histories: Record<string, Service> = {
    "one endpoint is down": ({ endpoint, atMs }) =>
      isOn(atMs, 5) && endpoint === "passport-list" ? { status: 503 } : {},
    "all endpoints are down": ({ atMs }) => (isOn(atMs, 5) ? { status: 503 } : {}),
    "all endpoints are down in two ways": ({ atMs, random }) => {
      if (!isOn(atMs, 5)) return {};
      return random < 0.4 ? { outcome: { kind: "timeout" } } : { status: 503 };
    },
    "the key is refused": ({ atMs, variant }) =>
      isOn(atMs, 5) && variant !== "anonymous" ? { status: 401 } : {},
    "one endpoint announces its end": ({ endpoint, atMs }) =>
      isOn(atMs, 40) && endpoint === "passport" ? { notices: { sunset: "2026-03-20T00:00:00.000Z" } } : {},
    "one endpoint is back hours after the others": ({ endpoint, atMs }) =>
      isOn(atMs, endpoint === "passport-list" ? 10 : 2) ? { status: 503 } : {},
    "all endpoints are down in every second hour": ({ atMs }) =>
      isOn(atMs, 9) && Math.floor((atMs - startMs) / hourMs) % 2 === 1 ? { status: 503 } : {},
    "one check in three fails": ({ atMs, random }) =>
      isOn(atMs, 40) && random < 0.33 ? { status: 502 } : {},
  };
  const swaps: Record<string, { from: RegExp; to(found: string): string }> = {
    "an endpoint": { from: /passport-list|passport(?!-)/g, to: () => "passport-credentials" },
    "the scope": { from: /(?<!V1's )passport(?:-list)?(?! (?:is|was))/g, to: () => "all 3 endpoints" },
    "a count": { from: /\d+(?= of \d+)/g, to: (found) => String(Number(found) + 1) },
    "a total": { from: /(?<=\d of )\d+/g, to: (found) => String(Number(found) + 40) },
    "a status": { from: /(?<=[(:] )\d{3}(?=[.) ])/g, to: () => "418" },
    "a time": { from: /\d\d(?=:\d\d)/g, to: (found) => String((Number(found) + 7) % 24).padStart(2, "0") },
    "a number of responses": { from: /(?<=\()\d+(?=\))/g, to: (found) => String(Number(found) + 1) },
    "a date": { from: /2026-03-20/g, to: () => "2026-03-27" },
    "a duration": { from: /\d+(?= h)/g, to: (found) => String(Number(found) + 2) },
  };

  /** The alert with one place of its text swapped, for each such place. */
  function swapEach(alert: Alert, { from, to }: (typeof swaps)[string]): Alert[] {
    const { subject, sections } = alert;
    const lines = sections[0]?.lines ?? [];
    const swapped = (text: string) =>
      [...text.matchAll(from)].map(
        ({ index, 0: found }) => text.slice(0, index) + to(found) + text.slice(index + found.length),
      );
    return [
      ...swapped(subject).map((text) => ({ ...alert, subject: text })),
      ...lines.flatMap((line, index) =>
        swapped(line).map((text) => ({
          ...alert,
          sections: [{ label: "", lines: lines.with(index, text) }],
        })),
      ),
    ];
  }

  test.each(Object.entries(histories))("Where %s, the auditor notices every swap in a text", (_, service) => {
    const { alerts, observations } = watchWithCountdown(service, { days: 4 });
    const audit = createAuditor(observations);
    expect(alerts.flatMap((alert, index) => audit(alert, alerts.slice(0, index)))).toEqual([]);
    const missed = alerts.flatMap((alert, index) =>
      Object.entries(swaps).flatMap(([name, swap]) =>
        swapEach(alert, swap)
          .filter((one) => audit(one, alerts.slice(0, index)).length === 0)
          .map(({ subject, sections }) => `${name}: ${subject} // ${sections[0]?.lines.join(" ")}`),
      ),
    );
    expect(missed).toEqual([]);
  });

  test("A sentence that looks like a claim and that no pattern understands is reported", () => {
    const { alerts, observations } = watchWithCountdown(histories["all endpoints are down"]!, { days: 3 });
    const [first] = alerts;
    const lines = ["V1 has hiccups on 2 of its endpoints."];
    const mistakes = auditAll([{ ...first!, sections: [{ label: "", lines }] }], observations);
    expect(mistakes.filter((mistake) => mistake.includes("[not understood]"))).toHaveLength(1);
  });
});

const isOn = (atMs: number, hours: number) =>
  atMs >= startMs + dayMs + 3 * hourMs && atMs < startMs + dayMs + (3 + hours) * hourMs;

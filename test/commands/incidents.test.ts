import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../lib/local/store/store.ts";
import type { Decision } from "../../lib/records/incident.ts";
import { sampleObservation } from "../local/samples.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

test("v1watch incidents shows the current ack and mute of an incident, but not those of an earlier one", async () => {
  const path = join(makeFolder(), "watch.db");
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { ledger } = opened.store;
  // V1 is down since 2026-11-01 01:30 UTC.
  for (let number = 0; number < 18; number += 1)
    await ledger.append(
      sampleObservation(number, number < 9 ? {} : { outcome: { kind: "status", status: 503 } }),
    );
  const id = "down-20261101T0130Z";
  const decide = (
    kind: Decision["kind"],
    at: string,
    reason: string,
    until?: string,
    subject = kind === "mute" ? "down" : id,
  ) =>
    ledger.decide({
      schema: "v1watch/decision/1",
      kind,
      subject,
      reason,
      at,
      ...(until !== undefined && { until }),
    });
  await decide("ack", "2026-10-20T00:00:00.000Z", "earlier incident", undefined, "down-20261020T0000Z");
  await decide("mute", "2026-10-21T00:00:00.000Z", "expired mute", "2026-10-22T00:00:00.000Z");
  await decide("mute", "2026-10-23T00:00:00.000Z", "long maintenance", "2099-01-01T00:00:00.000Z");
  await decide("ack", "2026-11-01T03:00:00.000Z", "Ann investigates");
  opened.store.close();
  const { out } = await run(["incidents", "--store", path]);
  expect(out).toContain("muted until 2099-01-01 00:00 UTC: long maintenance");
  expect(out).toContain("acknowledged: Ann investigates; ");
  expect(out).not.toMatch(/earlier incident|expired mute/);
  const { out: json } = await run(["incidents", "ack", id, "--reason", "seen", "--store", path, "--json"]);
  expect(JSON.parse(json)).toMatchObject({ kind: "ack", subject: id });
  // A decision with control codes is refused when it is given, and is not read where something else wrote it.
  const reopened = openStore(path, { mode: "read" });
  if (reopened.kind !== "open") throw new Error(reopened.kind);
  await reopened.store.ledger.decide({
    schema: "v1watch/decision/1",
    kind: "ack",
    subject: id,
    reason: "seen\n\u001b[31mred",
    at: "2026-11-01T04:00:00.000Z",
  });
  reopened.store.close();
  const after = (await run(["incidents", "--store", path])).out;
  expect(after).toContain("acknowledged: seen;");
  expect(after).not.toContain("31mred");
});

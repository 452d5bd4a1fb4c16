import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../lib/local/store/store.ts";
import type { Decision } from "../../lib/records/incident.ts";
import { sampleObservation } from "../local/samples.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

test("an incident is shown with what was said about it and about its cause, not about an earlier one", async () => {
  const path = join(makeFolder(), "watch.db");
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { ledger } = opened.store;
  // Down since 2026-11-01, 01:30.
  for (let number = 0; number < 18; number += 1)
    await ledger.append(
      sampleObservation(number, number < 9 ? {} : { outcome: { kind: "status", status: 503 } }),
    );
  const say = (kind: Decision["kind"], at: string, reason: string, until?: string) =>
    ledger.decide({
      ...{ schema: "v1watch/decision/1", kind, subject: "down", reason, at },
      ...(until !== undefined && { until }),
    });
  await say("ack", "2026-10-20T00:00:00.000Z", "the one before");
  await say("mute", "2026-10-21T00:00:00.000Z", "an old move", "2026-10-22T00:00:00.000Z");
  await say("mute", "2026-10-23T00:00:00.000Z", "a long move", "2099-01-01T00:00:00.000Z");
  await say("ack", "2026-11-01T03:00:00.000Z", "Ann looks");
  opened.store.close();
  const { out } = await run(["incidents", "--store", path]);
  expect(out).toContain("mute until 2099-01-01 00:00 UTC: a long move\n");
  expect(out).toContain("ack: Ann looks\n");
  expect(out).not.toMatch(/the one before|an old move/);
  const red = ["ack", "down", "--reason", "seen\n\u001b[31mred", "--store", path];
  const { out: json } = await run([...red, "--json"]);
  expect(JSON.parse(json)).toMatchObject({ kind: "ack", subject: "down" });
  expect((await run(["incidents", "--store", path])).out).toContain("ack: seen\\u000a\\u001b[31mred\n");
});

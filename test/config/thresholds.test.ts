// One number in its one place: the rule, the alarm, the card and the runbook follow it, and so does a setting.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { alarmSettings, assessmentSettings } from "../../lib/config/assessment-settings.ts";

/** What lib/config/thresholds.ts says in this file, in place of 3,000. */
const changed = vi.hoisted(() => ({ slowMs: 5_000 }));

vi.mock("../../lib/config/thresholds.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../lib/config/thresholds.ts")>();
  const thresholds = Object.assign(original.thresholds, changed);
  return { ...original, thresholds };
});

import { alarmTable } from "../../lib/assess/alarms/alarm-table.ts";
import { foldTick } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import { readCards } from "../../lib/local/page/cards.ts";
import { findRange } from "../../lib/local/page/series.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { minuteMs, observationOf } from "../assess/observation-builder.ts";
import { renderRunbook } from "../docs/render-runbook.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { configure } from "../stack/configuration.ts";
import { named, synthesise } from "../stack/synthesis.ts";
import { shippedConfig } from "./shipped.ts";

const folder = makeFolder();
const startMs = Date.parse("2026-11-15T00:00:00Z");
const runbook = await readFile(new URL("../../docs/runbook.md", import.meta.url), "utf8");

/** Six checks of the list that take so long, after none: what the rule says and what the card shows. */
async function judge(config: Config, latencyMs: number) {
  const state = freshState();
  const opened = openStore(join(folder, `${latencyMs}-${alarmSettings(config).thresholds.slowMs}.db`), {
    mode: "own",
  });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  for (let index = 0; index < 6; index++) {
    const at = startMs + index * 36 * minuteMs;
    const observation = observationOf({ at, timings: { firstByteMs: 1, totalMs: latencyMs } });
    foldTick(state, [observation], { ...assessmentSettings(config), decisions: [] });
    await store.ledger.append(observation);
  }
  const range = findRange({ range: "24h" }, "7d", startMs + 300 * minuteMs, startMs);
  const [card] = readCards({ history: store.history, state, range, settings: alarmSettings(config) });
  store.close();
  const measure = card!.measures.find(({ name }) => name === "latency")!;
  return {
    rules: state.incidents.filter((one) => one.state === "firing").map(({ rule }) => rule),
    card: [measure.tone, measure.threshold],
  };
}

const slowAlarm = (config: Config) => alarmTable(alarmSettings(config)).find(({ id }) => id === "slow")!;

describe("a threshold that is changed in lib/config/thresholds.ts", () => {
  test("changes the rule and the card", async () => {
    const meaning = "No scheduled check took less than 5 s, in 2 periods in a row.";
    expect(await judge(shippedConfig(), 4_000)).toEqual({ rules: [], card: ["ok", meaning] });
    expect(await judge(shippedConfig(), 6_000)).toEqual({ rules: ["slow"], card: ["warning", meaning] });
  });

  test("changes the alarm, also the deployed one", () => {
    expect(slowAlarm(shippedConfig())).toMatchObject({ threshold: 5_000 });
    const { resources } = synthesise(configure());
    const alarm = named(resources, "AWS::CloudWatch::Alarm", "AlarmName", "v1watch-slow-passport-list");
    expect(alarm.Properties).toMatchObject({
      Threshold: 5_000,
      AlarmDescription: expect.stringContaining("5 s"),
    });
  });

  test("changes the runbook", () => {
    expect(runbook).toContain("faster than <!-- slowMs -->3 s<!-- -->");
    expect(renderRunbook(runbook)).toContain("faster than <!-- slowMs -->5 s<!-- -->");
  });
});

describe("the section thresholds of the configuration", () => {
  const config = shippedConfig({ thresholds: { slowMs: 8_000, certificateWarnMs: 20 * 86_400_000 } });

  test("replaces single numbers for the rule, the alarm and the card", async () => {
    const meaning = "No scheduled check took less than 8 s, in 2 periods in a row.";
    expect(await judge(config, 6_000)).toEqual({ rules: [], card: ["ok", meaning] });
    expect(slowAlarm(config)).toMatchObject({ threshold: 8_000, meaning });
    const rows = alarmTable(alarmSettings(config));
    expect(rows.find(({ id }) => id === "certificate-expiring")).toMatchObject({
      threshold: 20,
      meaning: "V1's certificate expires in 20 days or fewer.",
    });
  });

  test.each([
    [{ slowMss: 1 }, "thresholds.slowMss: there is no such threshold."],
    [{ checksKeptMs: 1 }, "thresholds.checksKeptMs: there is no such threshold."],
    [{ slowMs: 0 }, "thresholds.slowMs: 0 is not a number"],
    [{ slowMs: "3s" }, 'thresholds.slowMs: "3s" is not a number'],
  ])("refuses %j", (thresholds, mistake) => {
    const fileText = JSON.stringify({ baseUrl: "https://api.example.com", thresholds });
    const loaded = loadConfig({ fileText, env: {}, flags: {} });
    const texts = loaded.ok ? [] : loaded.mistakes.map(({ path, problem }) => `${path}: ${problem}`);
    expect(texts).toEqual([mistake]);
  });
});

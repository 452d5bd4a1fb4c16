// The log of `up` for machines: one JSON object a line, with fields that operate.md describes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshState } from "../../../lib/assess/state.ts";
import { createDecisionLog } from "../../../lib/commands/up/decisions.ts";
import { simulatorKey } from "../../../lib/local/simulation.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { run } from "../terminal.ts";

const documented = new Set(
  [
    .../^## Logs\n(.*?)^## /ms
      .exec(readFileSync(join(import.meta.dirname, "../../../docs/use/operate.md"), "utf8"))![1]!
      .matchAll(/^\| (`[^|]*`) \|/gm),
  ].flatMap(([, cell = ""]) => cell.split(", ").map((name) => name.replaceAll("`", ""))),
);

type Line = Record<string, unknown>;
async function runOnce(...options: string[]) {
  const store = join(makeFolder(), "log.db");
  const printed = await run(["up", "--once", "--store", store, ...options]);
  const opened = openStore(store, { mode: "read" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const stored = opened.store.history.observationRows({ limit: 1_000 }).map(({ id }) => id);
  opened.store.close();
  return { ...printed, stored };
}
const parse = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

test("--log json prints a line for every stored check, with its id and documented fields, and without key or text for people", async () => {
  const { out, err, stored } = await runOnce("--log", "json", "--scenario", "key-revoked");
  const lines = parse(out);
  const checks = lines.filter(({ event }) => event === "check");
  expect(checks.map(({ id }) => id).toSorted()).toEqual(stored.toSorted());
  expect(checks.find(({ variant }) => variant === "authenticated")).toMatchObject({
    level: "warn",
    outcome: "unauthorized",
    status: 401,
  });
  expect(checks.find(({ variant }) => variant === "anonymous")).toMatchObject({
    level: "info",
    outcome: "ok",
  });
  expect(lines.at(0)).toMatchObject({ event: "started" });
  expect(lines.at(-1)).toMatchObject({ event: "verdict" });
  for (const line of lines) {
    expect(Object.keys(line).slice(0, 3)).toEqual(["time", "level", "event"]);
    expect(Object.keys(line).filter((name) => !documented.has(name))).toEqual([]);
  }
  expect(out + err).not.toContain(simulatorKey);
  expect(err).toBe("");
});

test("--log-level leaves out what is less, in both forms", async () => {
  const json = await runOnce("--log", "json", "--log-level", "warn", "--scenario", "key-revoked");
  expect(new Set(parse(json.out).map(({ level }) => level))).toEqual(new Set(["warn"]));
  const calm = await runOnce("--log-level", "warn");
  expect(calm.out).toBe("");
  const text = await runOnce("--log-level", "warn", "--scenario", "key-revoked");
  expect(text.out).toContain("401");
});

test("What becomes of an incident is one line each, also where it was taken back or ended between two looks", () => {
  const base = {
    rule: "down",
    severity: "page",
    endpoints: ["passport"],
    facts: { rule: "slow", endpoints: ["passport"] },
  };
  const incident = (changes: object) => ({ id: "a", state: "firing", ...base, ...changes }) as Incident;
  const state = (incidents: Incident[], resolved: Incident[] = []) => ({
    ...freshState(),
    incidents,
    resolved,
  });
  const over = (id: string) => incident({ id, state: "resolved" });
  const read = createDecisionLog(state([incident({ id: "known" })], [over("old")]));
  const changes = (...given: Parameters<typeof state>) =>
    read(state(...given)).map((line) =>
      line.event === "incident" ? `${line.id} ${line.change} ${line.level}` : "",
    );
  expect(
    changes([incident({ id: "known" }), incident({ id: "p", state: "pending" })], [over("old")]),
  ).toEqual([]);
  expect(changes([incident({ id: "known" }), incident({ id: "p" })], [over("old")])).toEqual([
    "p opened error",
  ]);
  expect(changes([incident({ id: "p", severity: "warning" })], [over("known")])).toEqual([
    "known ended info",
    "p changed warn",
  ]);
  expect(changes([], [over("known"), over("short")])).toEqual([
    "p ended info",
    "short opened error",
    "short ended info",
  ]);
  expect(changes([incident({ id: "known" })], [])).toEqual(["known opened error"]);
});

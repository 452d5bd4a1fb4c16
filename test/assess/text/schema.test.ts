// What docs/use/alerts.md says for those who read alerts by program.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alert, alertEvents } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";

test("docs/use/alerts.md has a row for every field and names every event, severity and SNS attribute", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/use/alerts.md"), "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  const names = rows.flatMap((row) =>
    [...row.split("|")[1]!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  // test/aws/sns.test.ts has the attributes as they arrive.
  const attributes = ["severity", "rule", "scope", "endpoint", "event", "id"];
  expect(names).toEqual(expect.arrayContaining([...Object.keys(alert.shape), ...attributes]));
  for (const word of [...alertEvents, ...severities]) expect(text).toContain(`\`${word}\``);
});

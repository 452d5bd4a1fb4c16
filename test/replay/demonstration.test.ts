import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { run } from "../commands/terminal.ts";

test("v1watch replay retirement --seconds tells the whole story of three months, in order, and ends with what to do next", async () => {
  const { code, out, err } = await run(["replay", "retirement", "--seconds", "0"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // No escape sequence without a terminal.
  expect(stripVTControlCharacters(out)).toBe(out);
  const story = [
    "PAGE: V1 changed the type of 3 fields",
    "RESOLVED: V1 had changed the type of 3 fields",
    "PAGE: V1 refuses our API key on all 3 endpoints",
    "RESOLVED: V1 refused our API key",
    "WARNING: V1's data is frozen",
    "RESOLVED: V1's data was frozen",
    "PAGE: V1 is down on all 3 endpoints (503)",
    "WARNING: V1 has recurring outages",
    "WARNING: V1 announces its end on all 3 endpoints: Sunset 2026-06-30",
    "WARNING (changed): V1 moved its end from 2026-06-30 to 2026-05-30 on all 3 endpoints",
    "WARNING: V1 ends in 14 days",
    "PAGE: V1 ends tomorrow",
    "V1 is probably retired: 410 on all 3 endpoints",
    "How soon each fault was reported",
    "What to do next",
  ];
  const places = story.map((text) => out.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(out).not.toMatch(/MISSED|LATE/);
  // The Sunset is announced and moved in one message each.
  expect(out).not.toMatch(/V1 ends in (?:72|31) days/);
});

// v1watch replay --seconds on a terminal: the first days; test/replay has the three months.
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { styleFor } from "../../lib/commands/layout.ts";
import { isSingleErrorLine, type RunOptions, run } from "./terminal.ts";

/** Stops after the first alert about the drift of the second week. */
async function watchUntilDrift(options: RunOptions) {
  const stop = new AbortController();
  let seen = "";
  const onOut = (text: string) => {
    seen += stripVTControlCharacters(text);
    if (seen.includes("PAGE: V1 changed the type of 3 fields")) stop.abort();
  };
  return run(["replay", "retirement", "--seconds", "0"], { ...options, signal: stop.signal, onOut });
}

describe("v1watch replay --seconds", () => {
  test("v1watch replay --seconds prints what V1 does and each alert in full, in colour and with its progress on a terminal", async () => {
    const coloured = await watchUntilDrift({ columns: 100, isTerminal: true });
    expect(coloured.code).toBe(0);
    expect(coloured.out).toContain("\u001b[1m\u001b[31mPAGE:");
    expect(coloured.err).toMatch(/█+░+ Day 8 of 92 · 2026-03-09 08:\d\d UTC · 1 message/);
    const out = stripVTControlCharacters(coloured.out);
    expect(out).toMatch(/^── Day 1 of 92 · 2026-03-02 00:00 UTC · V1 responds as documented\./m);
    expect(out).toMatch(/^── Day 8 of 92 · 2026-03-09 09:00 UTC · Drift: scores become strings/m);
    expect(out).toMatch(
      /^2026-03-09 09:\d\d UTC {2}PAGE: V1 changed the type of 3 fields on passport-list and passport/m,
    );
    for (const label of ["Impact", "Next steps", "Reproduce"])
      expect(out).toMatch(new RegExp(`^ {4}${label} +\\S`, "m"));
    for (const line of out.split("\n")) if (!/curl/.test(line)) expect(line.length).toBeLessThanOrEqual(100);
    const plain = styleFor({ columns: 100, env: { NO_COLOR: "1" } });
    expect(plain("red", "PAGE:")).toBe("PAGE:");
  });

  test("v1watch replay --seconds refuses a wrong number, and --seconds without a scenario, in one line", async () => {
    for (const args of [
      ["retirement", "--seconds", "soon"],
      ["--all", "--seconds", "1"],
    ])
      expect(isSingleErrorLine(await run(["replay", ...args]))).toBe(true);
  });
});

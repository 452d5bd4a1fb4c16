// How long `v1watch replay` takes for 30 days of a V1 without faults at the default cadence.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Row } from "./table.ts";

const program = join(import.meta.dirname, "..", "bin", "v1watch.ts");
const days = 30;
const daysPerMinute = 300;

export async function benchReplay(): Promise<Row[]> {
  const args = [program, "replay", "realistic", "--days", String(days)];
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args);
  if (status !== 0) throw new Error(String(stderr));
  const value = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  return [{ name: `${days} days on a virtual clock`, value, unit: "s", limit: (days / daysPerMinute) * 60 }];
}

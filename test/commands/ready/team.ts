// A team's files and its store, in a folder of their own, and the arguments that name them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ParityAggregate } from "../../../lib/records/parity.ts";
import { minuteMs } from "../../../lib/time.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { rehearsalOf } from "../../readiness/ready-facts.ts";
import { run } from "../terminal.ts";
import { parityTextOf } from "./parity-file.ts";
import { writeProject } from "./projects.ts";
import { fillStore, type WatchFixture } from "./ready-store.ts";

export type Team = {
  project: string;
  watch: WatchFixture;
  hasNoUses?: boolean;
  parityMinutesAgo?: number;
  /** Is scanned in place of what the inventory has. */
  code?: Record<string, string>;
  /** What is different in the comparison. */
  compared?: (aggregate: ParityAggregate) => void;
};

/** Writes the team's files and its store; the arguments that name them. */
export async function writeTeam({
  project,
  watch,
  hasNoUses = false,
  parityMinutesAgo = 0,
  compared = () => {},
  code,
}: Team): Promise<string[]> {
  const folder = makeFolder();
  const files = join(folder, "files");
  const { parity } = writeProject(project, files);
  const inventory = join(files, "v1watch.inventory.json");
  if (hasNoUses)
    writeFileSync(inventory, JSON.stringify({ ...JSON.parse(readFileSync(inventory, "utf8")), uses: [] }));
  const [parityFile, rehearsal, store] = ["parity.json", "rehearsal.json", "watch.db"].map((name) =>
    join(folder, name),
  );
  if (parity) {
    const at = new Date(Date.now() - parityMinutesAgo * minuteMs).toISOString();
    const result = { ...JSON.parse(parityTextOf(files)), startedAt: at, at };
    compared(result.aggregate);
    writeFileSync(parityFile!, JSON.stringify(result));
  }
  writeFileSync(rehearsal!, JSON.stringify(rehearsalOf("loud", Date.now())));
  await fillStore(store!, watch);
  if (code) {
    const folder = join(files, "app");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(code)) writeFileSync(join(folder, name), text);
    const mapping = join(files, "v1watch.mapping.json");
    // As somebody would who begins anew.
    rmSync(inventory);
    await run(["scan", folder, "--mapping", mapping, "--inventory", inventory]);
  }
  return [
    ...["--mapping", join(files, "v1watch.mapping.json"), "--inventory", inventory],
    ...(parity ? ["--parity", parityFile!] : []),
    ...["--rehearsal", rehearsal!, "--store", store!],
  ];
}

export const calm: WatchFixture = { silentHours: 0, sunsetInDays: 200, drift: [], drillDaysAgo: 3 };

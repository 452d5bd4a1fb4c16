// The team's files in five states of a migration: those of test/fixtures/ready/halfway, and what is different in each.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchFixture } from "./ready-store.ts";

export const halfway = join(import.meta.dirname, "../../fixtures/ready/halfway");

type Files = {
  mapping: { fields: Record<string, object>; behaviours: Record<string, object> };
  inventory: {
    folders: { scannedOn: string }[];
    uses: { status: string; owner?: string; hazards: object[] }[];
  };
  /** Absent: V1 was never compared with V2. */
  parity?: { aggregate: { fields: Record<string, object> } };
  watch: WatchFixture;
};

type Project = {
  expected: { code: number; verdict: string; blockers: string[] };
  change(files: Files): void;
};

/** Every field is decided, V2 agrees, and both programs call `first` and `second`. */
function decideAll({ mapping, inventory, parity }: Files, first: string, second: string): void {
  mapping.fields["passport.score"] = {
    decision: "renamed",
    endpoint: "score",
    path: "score.points",
    compare: "type",
    note: "The scale differs, so the values are not meant to agree.",
  };
  mapping.behaviours["unknown-id"] = {
    decision: "transformed",
    becomes: "200 with points 0: treat 0 with no profile as unknown.",
  };
  for (const [index, status] of [first, second].entries())
    Object.assign(inventory.uses[index]!, status === "v2" ? { status, gone: "2026-11-10" } : { status });
  inventory.uses[1]!.hazards = [];
  if (!parity) return;
  const agrees = { compared: 400, raw: {}, noise: {} };
  parity.aggregate.fields["passport.score"] = agrees;
  parity.aggregate.fields["passport_credentials[].value"] = agrees;
}

export const projects: Record<string, Project> = {
  halfway: {
    expected: { code: 1, verdict: "not ready", blockers: ["consumers", "fields", "parity", "behaviours"] },
    change() {},
  },
  moved: {
    expected: { code: 0, verdict: "ready", blockers: [] },
    change: (files) => decideAll(files, "dual", "v2"),
  },
  "too-late": {
    expected: { code: 1, verdict: "not ready", blockers: ["time", "exceptions", "drift"] },
    change(files) {
      decideAll(files, "v2", "dual");
      files.mapping.fields["passport.merged"] = {
        decision: "dropped",
        owner: "team-profile",
        reason: "Shown on one old page.",
        expires: "2020-01-31",
      };
      files.watch = { ...files.watch, sunsetInDays: 1, drift: ["passport.score"] };
    },
  },
  uncompared: {
    expected: { code: 2, verdict: "unknown", blockers: [] },
    change(files) {
      decideAll(files, "dual", "dual");
      for (const use of files.inventory.uses) delete use.owner;
      delete files.parity;
      files.watch = { ...files.watch, drillDaysAgo: null };
    },
  },
  unwatched: {
    expected: { code: 3, verdict: "ready", blockers: [] },
    change(files) {
      decideAll(files, "dual", "v2");
      files.watch = { ...files.watch, silentHours: 72 };
    },
  },
};

/** Writes the files of a project into a folder of its own, as a team has them. */
export function writeProject(name: string, folder: string): Files {
  const read = (file: string) => JSON.parse(readFileSync(join(halfway, file), "utf8"));
  const files: Files = {
    mapping: read("v1watch.mapping.json"),
    inventory: read("v1watch.inventory.json"),
    parity: read("parity.state.json"),
    watch: read("watch.json"),
  };
  // As if it had been scanned just now.
  for (const scanned of files.inventory.folders) scanned.scannedOn = new Date().toISOString().slice(0, 10);
  projects[name]?.change(files);
  mkdirSync(folder);
  const write = (file: string, content: object) =>
    writeFileSync(join(folder, file), JSON.stringify(content, undefined, 2));
  write("v1watch.mapping.json", files.mapping);
  write("v1watch.inventory.json", files.inventory);
  if (files.parity) write("parity.state.json", files.parity);
  return files;
}

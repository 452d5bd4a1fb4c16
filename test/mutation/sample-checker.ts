// Lets Stryker try only the mutants of a sample: the others are reported as if they did not compile, which is the way that
// Stryker's plugins have to leave one out. The plugin for Stryker is `strykerPlugins`.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

export type Mutant = {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement?: string;
  location: Record<"start" | "end", { line: number; column: number }>;
};

/** Names the file with the keys of the sample. */
export const sampleVariable = "V1WATCH_MUTATION_SAMPLE";

/** The same for one mutant in every process, unlike its id. `fileName` is relative to the checkout. */
export function keyOf({ fileName, mutatorName, replacement = "", location }: Omit<Mutant, "id">): string {
  const { start, end } = location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${fileName} ${place} ${mutatorName} ${replacement}`;
}

function createSampleChecker() {
  const sampled = new Set<string>(JSON.parse(readFileSync(process.env[sampleVariable] ?? "", "utf8")));
  return {
    async init() {},
    group: async (mutants: readonly Mutant[]) => [mutants.map(({ id }) => id)],
    check: async (mutants: readonly Mutant[]) =>
      Object.fromEntries(
        mutants.map((mutant) => [
          mutant.id,
          sampled.has(keyOf({ ...mutant, fileName: relative("", mutant.fileName) }))
            ? { status: "passed" }
            : { status: "compileError", reason: "not in the sample" },
        ]),
      ),
  };
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", factory: createSampleChecker }];

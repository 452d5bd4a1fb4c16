import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countChanged, scanConsumers } from "../../../lib/scan/index.ts";
import { fc } from "../../random.ts";
import { withTree } from "../source-tree.ts";

const names = Array.from({ length: 12 }, (_, index) => `${index % 2 === 0 ? "src/" : ""}f${index}.ts`);

test("A folder differs from its scan by at least one file where files changed, and by none where none did", async () => {
  const changes = fc.record({
    edited: fc.subarray(names),
    added: fc.subarray(["new.ts", "src/new.py"]),
  });
  await fc.assert(
    fc.asyncProperty(changes, ({ edited, added }) =>
      withTree(Object.fromEntries(names.map((name) => [name, `// ${name}\n`])), async (root) => {
        const scan = await scanConsumers([{ root, as: "" }]);
        const { digest } = scan!.folders[0]!;
        expect(await countChanged(root, digest)).toBe(0);
        writeFileSync(join(root, "src/f0.ts"), "// src/f0.ts\n");
        writeFileSync(join(root, "v1watch.inventory.json"), "{}");
        expect(await countChanged(root, digest)).toBe(0);
        for (const name of [...edited, ...added]) writeFileSync(join(root, name), "// changed\n");
        const changed = (await countChanged(root, digest))!;
        const total = edited.length + added.length;
        expect(changed).toBeLessThanOrEqual(total);
        expect(changed > 0).toBe(total > 0);
      }),
    ),
    { numRuns: 30 },
  );
  expect(await countChanged("/nowhere/at/all", "")).toBeUndefined();
});

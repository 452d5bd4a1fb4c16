// For vitest: whoever imports a file of lib/contract/v1 gets the one of the same name in test/another-api/contract.
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const replaced = join(root, "lib", "contract", "v1") + sep;
const replacement = join(root, "test", "another-api", "contract");

export const replaceContract = {
  name: "replace-contract",
  enforce: "pre" as const,
  resolveId(source: string, importer: string | undefined): string | undefined {
    if (!source.startsWith(".") || importer === undefined) return undefined;
    const file = resolve(dirname(importer), source);
    return file.startsWith(replaced) ? join(replacement, file.slice(replaced.length)) : undefined;
  },
};

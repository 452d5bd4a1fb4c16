// What Lambda runs: one file for each function, with everything it imports. An installed package contains the
// files; a checkout makes them at every synthesis.
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { BuildOptions } from "esbuild";

const root = join(import.meta.dirname, "..", "..");

export const functionNames = ["probe", "assess", "report"] as const;
export type FunctionName = (typeof functionNames)[number];

export function bundleInto(outdir: string, name: FunctionName): void {
  // Loaded here: whoever installs the package does not need it.
  const { buildSync } = createRequire(import.meta.url)("esbuild") as {
    buildSync(options: BuildOptions): unknown;
  };
  buildSync({
    entryPoints: { index: join(root, "functions", `${name}.ts`) },
    outdir,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    // Parts of the SDK are CommonJS and call require, which an ES module does not have.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    outExtension: { ".js": ".mjs" },
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: root,
  });
}

/** `bundledFiles` are further files, by name, that are stored next to the function's code. */
export function bundle(name: FunctionName, bundledFiles: Readonly<Record<string, string>> = {}): Code {
  const built = join(root, "handlers", name);
  const isBuilt = existsSync(built);
  if (isBuilt && Object.keys(bundledFiles).length === 0) return Code.fromAsset(built);
  return Code.fromAsset(isBuilt ? built : join(root, "functions"), {
    // By what came out: the same code has the same hash on every machine.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: local bundling cannot decline.
      image: DockerImage.fromRegistry("none"),
      // CDK bundles once for equal options; this tells the functions apart.
      environment: { FUNCTION: name, ...bundledFiles },
      local: {
        tryBundle(outdir) {
          if (isBuilt) cpSync(built, outdir, { recursive: true });
          else bundleInto(outdir, name);
          for (const [file, text] of Object.entries(bundledFiles)) writeFileSync(join(outdir, file), text);
          return true;
        },
      },
    },
  });
}

// TypeScript → what Lambda runs: one file for each function, with everything it imports.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";

const root = join(import.meta.dirname, "..", "..");

export type FunctionName = "probe" | "assess" | "report";

export function bundleInto(outdir: string, name: FunctionName): void {
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
  return Code.fromAsset(join(root, "functions"), {
    // By what came out: the same code has the same hash on every machine.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: local bundling cannot decline.
      image: DockerImage.fromRegistry("none"),
      // CDK bundles once for equal options; this tells the functions apart.
      environment: { FUNCTION: name, ...bundledFiles },
      local: {
        tryBundle(outdir) {
          bundleInto(outdir, name);
          for (const [file, text] of Object.entries(bundledFiles)) writeFileSync(join(outdir, file), text);
          return true;
        },
      },
    },
  });
}

// TypeScript → what Lambda runs: one small file, and the AWS clients beside it in files that load when used.
import { join } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";
import type { KeySource } from "../config.ts";

const root = join(import.meta.dirname, "..", "..");

export type FunctionName = "probe" | "assess" | "report";

/** Ways to find credentials that Lambda never needs, because it has them in its environment. */
const neverLoaded = [
  "@aws-sdk/credential-provider-ini",
  "@aws-sdk/credential-provider-login",
  "@aws-sdk/credential-provider-process",
  "@aws-sdk/credential-provider-sso",
  "@aws-sdk/credential-provider-web-identity",
  "@aws-sdk/nested-clients",
  "@smithy/credential-provider-imds",
  // Browsers.
  "bowser",
];

function clientsWithoutUse(key: KeySource): string[] {
  const isSsm = key !== "none" && "ssm" in key;
  const isSecret = key !== "none" && "secret" in key;
  return [
    ...(isSsm ? [] : ["@aws-sdk/client-ssm"]),
    ...(isSecret ? [] : ["@aws-sdk/client-secrets-manager"]),
  ];
}

export function bundleInto(outdir: string, name: FunctionName, key: KeySource): void {
  buildSync({
    entryPoints: { index: join(root, "functions", `${name}.ts`) },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // The modern half of each package: a third smaller than the default.
    mainFields: ["module", "main"],
    external: [...neverLoaded, ...clientsWithoutUse(key)],
    outExtension: { ".js": ".mjs" },
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: root,
  });
}

export function bundle(name: FunctionName, key: KeySource): Code {
  return Code.fromAsset(join(root, "functions"), {
    // By what came out: the same code has the same hash on every machine.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used: local bundling cannot decline.
      image: DockerImage.fromRegistry("none"),
      // CDK bundles once for equal options; these tell the functions apart.
      environment: { FUNCTION: name, KEY: JSON.stringify(key) },
      local: {
        tryBundle(outdir) {
          bundleInto(outdir, name, key);
          return true;
        },
      },
    },
  });
}

// TypeScript → what Lambda runs: one small file, and the AWS clients beside it in files that load when used.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";

const root = join(import.meta.dirname, "..", "..");

export type FunctionName = "probe" | "assess" | "report";

const inline = (code: string) => `data:text/javascript,${code}`;

/** In Lambda they are in the environment, always; the SDK knows seven further places. */
const lambdaCredentials = inline(`export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
})`);

/** The SDK's: settings of a user, who in Lambda is not there. */
const noFiles = inline('export const readFile = async () => { throw new Error("Lambda has no such file"); }');

/** The functions bring their own, with a deadline that ends a request (lib/aws/transport.ts). */
const ownHandler = inline(
  "export const NodeHttpHandler = { create: (handler) => handler }, streamCollector = undefined",
);

/** No service that a function speaks to sends any. */
const noEventStreams = inline(
  "export const EventStreamSerde = undefined, eventStreamSerdeProvider = undefined",
);

/** What a function has ports for and never uses. */
const unused: Partial<Record<FunctionName, string[]>> = { report: ["@aws-sdk/client-cloudwatch"] };

/**
 * Imported as modules these show all that they have, and so make it: crypto makes its twin for the web, http
 * fetch, tls every root certificate, util a terminal and threads. That is a fifth of a cold tick, for nothing; asked for like this,
 * they do not. A name that is missing here stops the build.
 */
const partsOfNode = {
  ...Object.fromEntries(
    ["crypto", "fs", "http", "process", "tls"].map((name) => [
      `node:${name}`,
      inline(`module.exports = process.getBuiltinModule("node:${name}")`),
    ]),
  ),
  "node:fs/promises": noFiles,
  "node:util": inline('export const { promisify } = process.getBuiltinModule("node:util")'),
};

export function bundleInto(outdir: string, name: FunctionName): void {
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
    // Bowser is for browsers.
    external: ["bowser", ...(unused[name] ?? [])],
    alias: {
      ...partsOfNode,
      "@aws-sdk/credential-provider-node": lambdaCredentials,
      "@smithy/core/event-streams": noEventStreams,
      "@smithy/node-http-handler": ownHandler,
    },
    outExtension: { ".js": ".mjs" },
    chunkNames: "[hash]",
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: root,
  });
}

/** `beside` are further files, by name, that the function finds next to its code. */
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

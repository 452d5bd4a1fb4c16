import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bundleInto, type FunctionName } from "../../lib/stack/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "v1watch-bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

function bundle(name: FunctionName): string[] {
  const outdir = join(folder, name);
  bundleInto(outdir, name);
  return readdirSync(outdir).map((file) => readFileSync(join(outdir, file), "utf8"));
}

describe.each(["probe", "assess", "report"] as const)("the bundle of %s", (name) => {
  const code = bundle(name).join("\n");

  const found = (pattern: RegExp) => [...new Set(code.match(pattern))];

  test("contains no SDK code for what it implements itself", () => {
    expect(found(/DynamoDBServiceException|throwOnRequestTimeout|EventStreamCodec/g)).toEqual([]);
  });

  test("reads credentials from its environment only", () => {
    expect(found(/AWS_SECRET_ACCESS_KEY/g)).toHaveLength(1);
    expect(found(/credential_process|sso_start_url|AWS_CONTAINER_CREDENTIALS_\w+/g)).toEqual([]);
  });

  test("has no import of a Node module that loads unneeded parts", () => {
    expect(found(/getBuiltinModule\("node:http"\)/g)).toHaveLength(1);
    expect(
      found(/(?:from|import\(?)\s*"(?:node:)?(?:crypto|fs|fs\/promises|http|process|tls|util)"/g),
    ).toEqual([]);
  });
});

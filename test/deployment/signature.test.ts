// Our signatures beside those of AWS's own library for Python, which nobody here wrote.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ask, sign } from "../../lib/aws/signed-request.ts";
import { python } from "./moto.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(..."!'()*~+=&%$#?;:@,/ \\^`{|}<>[]äß€😀-._aZ09"), maxLength: 30 }),
);
const name = text.filter((part) => part.length > 0);
/** A URL has no place for the names . and .. */
const key = name.filter((path) => !path.split(/[\\/]/).some((part) => /^\.{1,2}$/.test(part)));
const value = fc.string({ unit: fc.constantFrom(..." \tabcXYZ019;:,=/\"'"), minLength: 1, maxLength: 30 });

const common = {
  region: fc.constantFrom("us-east-1", "eu-central-1", "cn-north-1"),
  headers: fc.dictionary(fc.stringMatching(/^x-amz-meta-[a-z0-9-]{1,12}$/), value, { maxKeys: 4 }),
  body: fc.string({ unit: "grapheme", maxLength: 200 }),
  credentials: fc.record(
    {
      accessKeyId: fc.stringMatching(/^A[A-Z0-9]{19}$/),
      secretAccessKey: fc.stringMatching(/^[A-Za-z0-9/+]{40}$/),
      sessionToken: fc.stringMatching(/^[A-Za-z0-9/+=]{1,300}$/),
    },
    { requiredKeys: ["accessKeyId", "secretAccessKey"] },
  ),
  atMs: fc.integer({ min: 0, max: Date.UTC(2099, 0) }),
};
const requests = fc.oneof(
  fc.record({
    ...common,
    service: fc.constant("s3" as const),
    method: fc.constant("PUT" as const),
    origin: fc.constantFrom("https://bucket.s3.us-east-1.amazonaws.com", "http://127.0.0.1:5000"),
    path: key.map((path) => `/${path}`),
    query: fc.array(fc.tuple(name, text), { maxLength: 5 }),
  }),
  fc.record({
    ...common,
    service: fc.constantFrom("ssm" as const, "secretsmanager" as const),
    method: fc.constant("POST" as const),
    origin: fc.constantFrom("https://ssm.us-east-1.amazonaws.com", "http://localhost"),
    path: fc.constant("/"),
    query: fc.constant([] as [string, string][]),
  }),
);

async function askBotocore(asked: unknown[]): Promise<string[]> {
  const child = spawn(python, [join(import.meta.dirname, "botocore-signature.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(asked));
  return (await json(child.stdout)) as string[];
}

test("1,000 requests of every kind have the signature that botocore gives them", async () => {
  const asked = fc.sample(requests, 1_000);
  const theirs = await askBotocore(asked);
  for (const [index, request] of asked.entries()) {
    const { service, method, headers, body, region, credentials, atMs, origin, path, query } = request;
    const url = new URL(origin + path.split("/").map(encodeURIComponent).join("/"));
    for (const [name, value] of query) url.searchParams.append(name, value);
    const ask: Ask = { service, method, url, headers, body, timeoutMs: 1_000 };
    const { authorization } = sign(ask, { region, credentials }, atMs);
    expect(authorization, JSON.stringify(request)).toBe(theirs[index]);
  }
});

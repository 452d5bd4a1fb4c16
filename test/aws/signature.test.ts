// Our signer beside the SDK's: its clients sign real requests, and ours must come to the same.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { authorizationOf } from "./authorization.ts";

const credentials = {
  accessKeyId: "AKIATEST",
  secretAccessKey: "secret/of+the/test",
  sessionToken: "token/of+the/test==",
};
const pairs: { theirs: string; ours: string }[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const theirs = String(request.headers.authorization);
  pairs.push({ theirs, ours: authorizationOf(request, body, credentials) });
  response.writeHead(200, { "content-type": "application/x-amz-json-1.1" }).end("{}");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const setting = {
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  region: "eu-west-1",
  credentials,
  maxAttempts: 1,
};
const ssm = new SSMClient(setting);
const s3 = new S3Client({ ...setting, forcePathStyle: true });
beforeEach(() => {
  pairs.length = 0;
});
afterAll(() => {
  ssm.destroy();
  s3.destroy();
  server.closeAllConnections();
  server.close();
});

const odd = fc.string({
  unit: fc.constantFrom(..."!'()*~+=&%$#?;:@, \\^`{|}<>[]äß€😀-_aZ09"),
  minLength: 1,
  maxLength: 20,
});

async function expectAgreement(send: () => Promise<unknown>): Promise<void> {
  pairs.length = 0;
  await send();
  expect(pairs).toHaveLength(1);
  expect(pairs[0]?.ours).toBe(pairs[0]?.theirs);
}

test("a request to SSM has the SDK's signature", async () => {
  await fc.assert(
    fc.asyncProperty(odd, (Name) => expectAgreement(() => ssm.send(new GetParameterCommand({ Name })))),
    { numRuns: 20 },
  );
});

test("an object for S3 has the SDK's signature, whatever its name, content and metadata", async () => {
  const key = fc.array(odd, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const note = fc.stringMatching(/^[a-z0-9]( {1,3}[a-z0-9]){0,5}$/);
  await fc.assert(
    fc.asyncProperty(key, fc.string({ unit: "grapheme", minLength: 1 }), note, (Key, Body, value) =>
      expectAgreement(() =>
        s3.send(new PutObjectCommand({ Bucket: "bucket", Key, Body, Metadata: { note: value } })),
      ),
    ),
    { numRuns: 50 },
  );
});

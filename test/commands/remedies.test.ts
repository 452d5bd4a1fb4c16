// What a command prints where AWS refuses it or cannot be reached: the cause, and the remedy.
import { afterEach, expect, test, vi } from "vitest";
import { refusal, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { credentials } from "../aws/dynamo-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const folder = makeFolder();
let errorName = "";
const account = await startAccount((request) => refusal(request, errorName));

const withoutCredentials = { ...bareEnvironment(folder, account.endpoint), AWS_REGION: "eu-west-1" };
const withCredentials = {
  ...withoutCredentials,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

async function expectRemedy(env: Record<string, string | undefined>, expected: RegExp) {
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  const printed = await run(["notify", "--drill", "--table", "watch"], { env });
  expect(printed.err).toMatch(/^v1watch: the table watch cannot be used: /);
  expect(printed.err).toMatch(expected);
  expect(printed.code).toBe(2);
  expect(isSingleErrorLine(printed)).toBe(true);
}
afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["ResourceNotFoundException", /it does not exist in this account and region/],
  ["ValidationException", /it is not a table of v1watch/],
  ["AccessDeniedException", /AWS denied access\. Request dynamodb:GetItem/],
  ["ExpiredTokenException", /AWS rejected the credentials \(ExpiredTokenException\)\. Log in again/],
  ["UnrecognizedClientException", /AWS rejected the credentials .* set AWS_PROFILE/],
  ["InvalidSignatureException", /AWS rejected the credentials .* set AWS_PROFILE/],
  ["InvalidParameterException", /InvalidParameterException\. Check the network, the region and the profile/],
])("v1watch notify --drill --table prints a remedy if DynamoDB returns %s", async (code, expected) => {
  errorName = code;
  await expectRemedy(withCredentials, expected);
});

test.each([
  ["without credentials", withoutCredentials, /no AWS credentials were found.*aws sso login/],
  ["without a region", { ...withCredentials, AWS_REGION: undefined }, /no region is set\. Set aws\.region/],
  [
    "without a server at the endpoint",
    { ...withCredentials, AWS_ENDPOINT_URL: "http://127.0.0.1:9" },
    /ECONNREFUSED\. Check the network/,
  ],
  [
    "without a server at any address of a host name",
    { ...withCredentials, AWS_ENDPOINT_URL: "http://localhost:9" },
    /ECONNREFUSED\. Check the network/,
  ],
])("v1watch notify --drill --table prints a remedy %s", async (_name, env, expected) => {
  await expectRemedy(env, expected);
});

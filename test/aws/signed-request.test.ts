import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { storeReport } from "../../lib/aws/reports.ts";
import { type Ask, askAws, hostOf, readAccess, sign } from "../../lib/aws/signed-request.ts";

type Seen = { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string };
const seen: Seen[] = [];
/** Answers of the next requests; then 200. */
let answers: { status: number; body: string }[] = [];
const server = createServer(async (request, response) => {
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  const { status, body } = answers.shift() ?? { status: 200, body: "{}" };
  response.writeHead(status).end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => void server.close());
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const access = { region: "us-east-1", credentials, endpoint };
const ask: Ask = {
  service: "ssm",
  method: "POST",
  url: new URL(endpoint),
  headers: { "x-amz-target": "AmazonSSM.GetParameter" },
  body: "{}",
  timeoutMs: 1_000,
};

beforeEach(() => {
  seen.length = 0;
  answers = [];
});

describe("a signature", () => {
  test("is the one in the example of Amazon's documentation", () => {
    const { authorization } = sign(
      {
        service: "s3",
        method: "PUT",
        url: new URL("https://examplebucket.s3.amazonaws.com/test%24file.text"),
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        body: "Welcome to Amazon S3.",
        timeoutMs: 1_000,
      },
      access,
      Date.UTC(2013, 4, 24),
    );
    expect(authorization).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
        "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, " +
        "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    );
  });

  test("covers the session's token, which Lambda's credentials have", () => {
    const session = { ...access, credentials: { ...credentials, sessionToken: "token" } };
    const headers: Record<string, string> = sign(ask, session, 0);
    expect(headers["x-amz-security-token"]).toBe("token");
    expect(headers.authorization).toContain(";x-amz-security-token;x-amz-target,");
  });
});

describe("a request", () => {
  test.each([
    ["503", { status: 503, body: "SlowDown" }],
    ["429", { status: 429, body: "" }],
    ["a throttled 400", { status: 400, body: '{"__type":"ThrottlingException"}' }],
  ])("is retried after %s", async (_name, answer) => {
    answers = [answer, answer];
    expect(await askAws(ask, access)).toEqual({ status: 200, body: "{}" });
    expect(seen).toHaveLength(3);
  });

  test("is sent three times at most, and then the last response is returned", async () => {
    answers = Array.from({ length: 5 }, () => ({ status: 500, body: "no" }));
    expect(await askAws(ask, access)).toEqual({ status: 500, body: "no" });
    expect(seen).toHaveLength(3);
  });

  test("is not retried where the response will not change", async () => {
    answers = [{ status: 400, body: '{"__type":"ParameterNotFound"}' }];
    expect((await askAws(ask, access)).status).toBe(400);
    expect(seen).toHaveLength(1);
  });

  test("rejects when the connection is refused", async () => {
    await expect(askAws({ ...ask, url: new URL("http://127.0.0.1:1") }, access)).rejects.toThrow("ECONN");
  });

  test("ends at its deadline when there is no response", async () => {
    const silent = createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await expect(askAws({ ...ask, url, timeoutMs: 50 }, { ...access, maxAttempts: 1 })).rejects.toThrow();
    silent.closeAllConnections();
    silent.close();
  });
});

describe("a report", () => {
  const report = { name: "2026-11-15.html", contentType: "text/html; charset=utf-8", body: "<p>für</p>" };

  test("is stored complete under its name with its content type", async () => {
    await storeReport("bucket", report, access);
    const [{ method, url, headers, body } = {} as Seen] = seen;
    expect({ method, url, body }).toEqual({
      method: "PUT",
      url: "/bucket/reports/2026-11-15.html",
      body: report.body,
    });
    expect(headers["content-type"]).toBe(report.contentType);
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(report.body)));
  });

  test("that S3 refuses is an error that contains nothing of the response", async () => {
    answers = [{ status: 403, body: "<Error>secret</Error>" }];
    await expect(storeReport("bucket", report, access)).rejects.toThrow(
      /^S3 did not take 2026-11-15.html: 403$/,
    );
  });
});

test("the credentials and region come from Lambda's environment", () => {
  const env = {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_SESSION_TOKEN: "token",
  };
  expect(readAccess(env)).toEqual({
    region: "eu-west-1",
    credentials: { accessKeyId: "id", secretAccessKey: "key", sessionToken: "token" },
    endpoint: undefined,
  });
});

test.each([
  ["eu-west-1", "ssm.eu-west-1.amazonaws.com"],
  ["us-gov-west-1", "ssm.us-gov-west-1.amazonaws.com"],
  ["cn-north-1", "ssm.cn-north-1.amazonaws.com.cn"],
  ["eusc-de-east-1", "ssm.eusc-de-east-1.amazonaws.eu"],
])("SSM of %s is at %s", (region, host) => {
  expect(hostOf("ssm", region)).toBe(host);
});

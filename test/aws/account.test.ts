// What a deployment and a function read from an account, against servers on this machine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CreateBucketCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bootstrapParameter, findTableDifferences, hasSecret, readParameter } from "../../lib/aws/account.ts";
import { isLocal, read, readBundledFile, readTable } from "../../lib/aws/environment.ts";
import { createS3, emptyBucket, readReport, storeReport } from "../../lib/aws/reports.ts";
import { tableShape } from "../../lib/aws/table-shape.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { type Answer, type Asked, refusal, startAccount } from "./account-server.ts";
import { tableInput } from "./dynamo-server.ts";
import { startQueues } from "./queue-server.ts";

let play: (asked: Asked, body: string) => Answer;
const bodies: string[] = [];
const { asked, endpoint } = await startAccount((one, body) => {
  bodies.push(body);
  return play(one, body);
});
const queues = await startQueues();
const ok = (body: unknown): Answer => ({
  status: 200,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

beforeEach(() => {
  asked.length = 0;
  bodies.length = 0;
  useEndpoint(endpoint);
});
afterAll(() => void vi.unstubAllEnvs());

function useEndpoint(address: string) {
  vi.stubEnv("AWS_ENDPOINT_URL", address);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret/of+the/test");
  vi.stubEnv("AWS_REGION", "eu-west-1");
}

describe("an account", () => {
  const readers: [string, string, object, unknown, (name: string) => Promise<unknown>][] = [
    ["a parameter", "ParameterNotFound", { Parameter: { Value: "21" } }, "21", readVersion],
    ["a secret", "ResourceNotFoundException", {}, true, (name) => hasSecret(name, "eu-central-1")],
    ["a table", "ResourceNotFoundException", { Table: {} }, expect.any(Array), findInRegion],
  ];
  function readVersion(name: string) {
    return readParameter(bootstrapParameter(name), "eu-central-1");
  }
  function findInRegion(name: string) {
    return findTableDifferences(name, "eu-central-1");
  }

  test.each(readers)(
    "An account has %s or has it not, and an error is neither",
    async (_, absent, body, found, find) => {
      play = () => ok(body);
      expect(await find("watched")).toEqual(found);
      expect(asked[0]?.region).toBe("eu-central-1");
      expect(bodies[0]).toContain("watched");
      play = () => ok({});
      expect(await find("watched")).toBeOneOf(["", true, expect.any(Array)]);
      play = (one) => refusal(one, absent);
      expect(await find("watched")).toBeOneOf([undefined, false]);
      play = (one) => refusal(one, "AccessDeniedException");
      await expect(find("watched")).rejects.toMatchObject({ name: "AccessDeniedException" });
    },
  );

  test("An account is bootstrapped under the name that the CDK uses", () => {
    expect(bootstrapParameter("hnb659fds")).toBe("/cdk-bootstrap/hnb659fds/version");
  });

  test("An account has a table whose differences from ours are named", async () => {
    const whole = tableInput();
    const differencesOf = (change: object) => {
      play = () => ok({ Table: { ...whole, ...change } });
      return findTableDifferences("watch");
    };
    expect(await differencesOf({})).toEqual([]);
    const { byTime, toDo } = tableShape.indexes;
    expect(await differencesOf({ GlobalSecondaryIndexes: undefined })).toEqual([
      `it has no index ${byTime.name}`,
      `it has no index ${toDo.name}`,
    ]);
    expect(await differencesOf({ KeySchema: whole.KeySchema.slice(0, 1) })).toEqual([
      "its keys are pk (S) instead of pk (S), sk (S)",
    ]);
    const numbers = whole.AttributeDefinitions.map((one) =>
      one.AttributeName === toDo.sortKey ? { ...one, AttributeType: "N" } : one,
    );
    expect(await differencesOf({ AttributeDefinitions: numbers })).toEqual([
      "the keys of its index to-do are toDo (S), toDoOrder (N) instead of toDo (S), toDoOrder (S)",
    ]);
    expect(await differencesOf({ KeySchema: undefined })).toEqual([
      "its keys are unknown instead of pk (S), sk (S)",
    ]);
    expect((await differencesOf({ AttributeDefinitions: undefined }))?.[0]).toBe(
      "its keys are pk (?), sk (?) instead of pk (S), sk (S)",
    );
  });
});

describe("the bucket", () => {
  test("The bucket keeps reports in a folder of their own, with their type", async () => {
    play = () => ok("<p>ready</p>");
    const s3 = createS3("eu-west-1");
    await storeReport(s3, "reports-bucket", {
      name: "latest.html",
      contentType: "text/html",
      body: "<p></p>",
    });
    expect(await readReport(s3, "reports-bucket", "latest.html")).toBe("<p>ready</p>");
    expect(asked.map(({ what }) => what.split("?")[0])).toEqual([
      "PUT /reports-bucket/reports/latest.html",
      "GET /reports-bucket/reports/latest.html",
    ]);
    expect(bodies[0]).toContain("<p></p>");
  });

  test("The bucket has the type of each object, and a host name of its own where AWS itself is used", async () => {
    useEndpoint(queues.endpoint);
    const s3 = createS3();
    await s3.send(new CreateBucketCommand({ Bucket: "typed-bucket" }));
    await storeReport(s3, "typed-bucket", { name: "a.html", contentType: "text/html", body: "<p></p>" });
    await storeReport(s3, "typed-bucket", { name: "b.json", contentType: "application/json", body: "{}" });
    const types = ["reports/a.html", "reports/b.json"].map(async (Key) => {
      return (await s3.send(new HeadObjectCommand({ Bucket: "typed-bucket", Key }))).ContentType;
    });
    expect(await Promise.all(types)).toEqual(["text/html", "application/json"]);
    expect(s3.config.forcePathStyle).toBe(true);
    vi.stubEnv("AWS_ENDPOINT_URL", undefined);
    expect(createS3().config.forcePathStyle).toBe(false);
  });

  test.each(["NoSuchKey", "NotFound", "AccessDenied", "Forbidden"])(
    "The bucket without an object answers %s, which is no error",
    async (name) => {
      play = (one) => refusal(one, name);
      expect(await readReport(createS3(), "reports-bucket", "none.json")).toBeUndefined();
    },
  );

  test("The bucket that cannot be read is an error", async () => {
    play = (one) => refusal(one, "InvalidAccessKeyId");
    await expect(readReport(createS3(), "reports-bucket", "a.json")).rejects.toMatchObject({
      name: "InvalidAccessKeyId",
    });
  });

  test("The bucket is emptied page by page of every version and every marker", async () => {
    const version = (tag: string, key: string) =>
      `<${tag}><Key>${key}</Key><VersionId>of-${key}</VersionId></${tag}>`;
    const pages = [version("Version", "a") + version("DeleteMarker", "b"), version("Version", "c"), ""];
    play = ({ what }) =>
      what.startsWith("POST")
        ? ok("<DeleteResult></DeleteResult>")
        : ok(`<ListVersionsResult>${pages.shift()}</ListVersionsResult>`);
    expect(await emptyBucket("reports-bucket", "ap-south-1")).toBe(3);
    const deleted = bodies.join("").matchAll(/<Key>(.)<\/Key><VersionId>(.*?)<\/VersionId>/g);
    expect([...deleted].map(([, key, id]) => `${key} ${id}`)).toEqual(["a of-a", "b of-b", "c of-c"]);
    expect(new Set(asked.map(({ region }) => region))).toEqual(new Set(["ap-south-1"]));
  });

  test("The bucket that does not exist is empty, and one that keeps an object or refuses the list is an error", async () => {
    play = (one) => refusal(one, "NoSuchBucket");
    expect(await emptyBucket("reports-bucket")).toBe(0);
    play = (one) => refusal(one, "AccessDenied");
    await expect(emptyBucket("reports-bucket")).rejects.toMatchObject({ name: "AccessDenied" });
    play = ({ what }) =>
      what.startsWith("POST")
        ? ok("<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>")
        : ok("<ListVersionsResult><Version><Key>a</Key></Version></ListVersionsResult>");
    await expect(emptyBucket("reports-bucket")).rejects.toMatchObject({
      name: "AccessDenied",
      message: "S3 kept 1 objects: AccessDenied",
    });
  });
});

describe("the environment of a function", () => {
  test("The environment of a function has to have every variable", () => {
    expect(readTable({ TABLE: "watch", RETENTION_DAYS: "30" })).toEqual({
      tableName: "watch",
      retentionDays: 30,
    });
    for (const value of [undefined, ""])
      expect(() => read({ TABLE: value }, "TABLE")).toThrow("TABLE is not set");
  });

  test.each([
    ["http://127.0.0.1:4566", true],
    ["http://localhost:4566", true],
    ["https://sns.eu-west-1.amazonaws.com", false],
    ["", false],
    [undefined, false],
  ])("The ports of a function with AWS at %s are local: %s", (AWS_ENDPOINT_URL, expected) => {
    expect(isLocal({ AWS_ENDPOINT_URL })).toBe(expected);
  });
});

test("A file beside the code is read where there is one, and a broken one is an error", () => {
  const file = join(makeFolder(), "bundled.json");
  const { href } = pathToFileURL(file);
  expect(readBundledFile(href)).toBeUndefined();
  writeFileSync(file, '{"a":1}');
  expect(readBundledFile(href)).toEqual({ a: 1 });
  writeFileSync(file, "{");
  expect(() => readBundledFile(href)).toThrow(SyntaxError);
  expect(() => readBundledFile(".")).toThrow("EISDIR");
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sdkHandler, transmit } from "../../lib/aws/transport.ts";

type Behaviour = (request: IncomingMessage, response: ServerResponse) => unknown;
const ok: Behaviour = async (request, response) => response.writeHead(200).end(await buffer(request));
let behaviours: Behaviour[] = [];
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  return (behaviours.shift() ?? ok)(request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const message = { method: "POST", headers: {}, body: "für" };

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  behaviours = [];
  asked = 0;
});

const hang: Behaviour = () => {};
const stopHalfWay: Behaviour = (_request, response) => {
  response.writeHead(200, { "content-length": 100 }).write("half");
};
const breakHalfWay: Behaviour = (_request, response) => {
  response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy());
};
const drop: Behaviour = (request) => request.socket.destroy();

describe("a request to AWS", () => {
  test("returns the complete response", async () => {
    const { status, body } = await transmit(new URL(endpoint), message, 1_000);
    expect({ status, text: body.toString() }).toEqual({ status: 200, text: "für" });
  });

  test.each([
    ["gets no response", hang],
    ["gets half a response", stopHalfWay],
  ])("that %s ends at its deadline with a TimeoutError", async (_name, behaviour) => {
    behaviours = [behaviour];
    const outcome = transmit(new URL(endpoint), message, 50);
    await expect(outcome).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test.each([
    ["before", drop],
    ["in the middle of", breakHalfWay],
  ])("whose connection breaks %s its response rejects", async (_name, behaviour) => {
    behaviours = [behaviour];
    await expect(transmit(new URL(endpoint), message, 1_000)).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a client of the SDK", () => {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const put = (timeoutMs: number, maxAttempts: number) => {
    const requestHandler = sdkHandler(timeoutMs);
    const client = new CloudWatchClient({
      ...{ endpoint, region: "eu-west-1", credentials, maxAttempts, requestHandler },
    });
    const MetricData = [{ MetricName: "RequestFailed", Value: 1 }];
    return client.send(new PutMetricDataCommand({ Namespace: "V1Watch", MetricData }));
  };
  const answer: Behaviour = (_request, response) => response.writeHead(200).end("{}");

  test("works with our own request handler", async () => {
    behaviours = [answer];
    expect((await put(1_000, 1)).$metadata.httpStatusCode).toBe(200);
  });

  test("does not wait longer than its timeout", async () => {
    behaviours = [hang];
    await expect(put(50, 1)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("retries after a timeout or a broken connection", async () => {
    behaviours = [hang, drop, answer];
    expect((await put(100, 3)).$metadata.attempts).toBe(3);
    expect(asked).toBe(3);
  });

  test("reports the service's own error name", async () => {
    behaviours = [
      (_request, response) => response.writeHead(400).end('{"__type":"InvalidParameterValueException"}'),
    ];
    await expect(put(1_000, 1)).rejects.toMatchObject({ name: "InvalidParameterValueException" });
  });
});

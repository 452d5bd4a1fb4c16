// A server that implements one request each of SSM's and Secrets Manager's JSON protocol.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export type Answer = { status: number; body: unknown };

const credentials = { accessKeyId: "AKIATEST", secretAccessKey: "secret/of+the/test" };

export async function startKeySource() {
  const asked: { target: string; body: Record<string, unknown> }[] = [];
  let answer: Answer = { status: 500, body: {} };
  const server = createServer(async (request, response) => {
    const content = await text(request);
    asked.push({ target: String(request.headers["x-amz-target"]), body: JSON.parse(content) });
    const { status, body } = answer;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => void server.close());
  const settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-west-1",
    credentials,
    maxAttempts: 1,
  };
  return {
    settings,
    asked,
    answer(status: number, body: unknown) {
      answer = { status, body };
    },
  };
}

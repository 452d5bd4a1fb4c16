// SSM and Secrets Manager in thirty lines: enough of their JSON protocol for one question each.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export type Answer = { status: number; body: unknown };

export async function startKeySource() {
  const asked: { target: string; body: Record<string, unknown> }[] = [];
  let answer: Answer = { status: 500, body: {} };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    asked.push({ target: String(request.headers["x-amz-target"]), body });
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => void server.close());
  const settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-west-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
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

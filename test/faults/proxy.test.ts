import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FaultKind } from "./plan.ts";
import { startBreakingProxy } from "./proxy.ts";

/** A server that notes what reaches it, behind a proxy with these faults, one for each request. */
async function start(faults: (FaultKind | undefined)[], chance = 0) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.end("an answer");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plan = { draw: () => faults.shift(), chance: () => chance, end() {}, drawn: new Map() };
  const proxy = await startBreakingProxy(target, plan, "server");
  onTestFinished(() => {
    proxy.close();
    server.close();
    server.closeAllConnections();
  });
  const send = (body: string) =>
    fetch(proxy.url, { method: "POST", body }).then(
      async (response) => await response.text(),
      () => "no answer",
    );
  return { received, send };
}

test.each<{ fault: FaultKind; chance: number; answer: string; received: string[] }>([
  { fault: "error", chance: 0, answer: "no answer", received: [] },
  { fault: "delay", chance: 0.1, answer: "an answer", received: ["first"] },
  { fault: "lost-answer", chance: 0, answer: "no answer", received: ["first"] },
  { fault: "partial", chance: 0, answer: "no answer", received: [] },
  { fault: "partial", chance: 0.9, answer: "no answer", received: ["first"] },
  { fault: "order", chance: 0, answer: "an answer", received: ["first"] },
])("The fault $fault with the chance $chance gives $answer", async ({ fault, chance, answer, received }) => {
  const server = await start([fault], chance);
  expect(await server.send("first")).toBe(answer);
  expect(server.received).toEqual(received);
});

test("A request that is repeated reaches the server twice", async () => {
  const { received, send } = await start(["duplicate"]);
  expect(await send("first")).toBe("an answer");
  await vi.waitFor(() => expect(received).toEqual(["first", "first"]));
});

test("A second copy may come after later requests", async () => {
  const { received, send } = await start(["duplicate"], 0.52);
  for (const body of ["first", "second", "third"]) await send(body);
  await vi.waitFor(() => expect(received).toEqual(["first", "second", "third", "first"]));
});

test("A request that is held back is overtaken by the next one of another connection", async () => {
  const { received, send } = await start(["order"]);
  expect(await Promise.all([send("first"), send("second")])).toEqual(["an answer", "an answer"]);
  expect(received).toEqual(["second", "first"]);
});

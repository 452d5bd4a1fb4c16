// Puts an answer on the wire, as whole or as broken as it asks to be.
import type { ServerResponse } from "node:http";
import type { Delivery } from "./exchange.ts";

type Sendable = {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  delivery: Delivery;
  now: number;
};

export function deliver(response: ServerResponse, { status, headers, bytes, delivery, now }: Sendable): void {
  if (delivery.kind === "hang") return;
  if (delivery.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  // Of the simulator's clock, so that virtual time shows no skew.
  response.sendDate = false;
  response.writeHead(status, {
    ...headers,
    "Content-Length": bytes.length,
    Date: new Date(now).toUTCString(),
  });
  // Node leaves out the body of an answer to HEAD.
  if (delivery.kind === "whole" || response.req.method === "HEAD") {
    response.end(bytes);
  } else if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
  } else {
    drip(response, bytes, delivery.bytesPerSecond);
  }
}

function drip(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): void {
  let sent = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, ++sent));
    if (sent >= bytes.length) response.end();
  }, 1000 / bytesPerSecond);
  response.once("close", () => clearInterval(timer));
  response.once("finish", () => clearInterval(timer));
}

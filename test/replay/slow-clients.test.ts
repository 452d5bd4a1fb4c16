import { connect } from "node:net";
import { expect, test } from "vitest";
import { timeLimits } from "../../lib/local/server/admission.ts";
import { startRig } from "../local/monitor-rig.ts";

const exchange = (url: string, first: string, next: string) =>
  new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(first);
    const sending = setInterval(() => next && socket.write(next), 200);
    socket.on("data", (part) => {
      received += part;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(sending);
      resolve(received);
    });
  });

test("Clients that never finish their request are disconnected, and the check is made", async () => {
  const rig = await startRig({ token: "a-token" });
  const post = `POST /api/simulation/clear HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a-token\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n`;
  try {
    const slow = Promise.all([
      exchange(rig.url, "", ""),
      exchange(rig.url, "GET / HTTP/1.1\r\nX-Slow: ", "x"),
      exchange(rig.url, post, " "),
    ]);
    const { observations } = await rig.monitor.once();
    expect(observations.length).toBeGreaterThanOrEqual(3);
    // It ends only if all three are disconnected.
    const received = await slow;
    expect(received.map((text) => text.slice(0, 12))).toEqual([
      "HTTP/1.1 408",
      "HTTP/1.1 408",
      "HTTP/1.1 408",
    ]);
    expect(timeLimits.headersMs).toBeLessThanOrEqual(timeLimits.requestMs);
  } finally {
    await rig.stop();
  }
});

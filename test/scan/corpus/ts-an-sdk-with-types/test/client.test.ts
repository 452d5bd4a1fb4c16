import { afterAll, beforeAll, expect, test } from "vitest";
import { createServer, Server } from "node:http";
import { AddressInfo } from "node:net";
import { ReputationClient } from "../src/client";
import { summarize } from "../src/summary";

let server: Server;
let base = "";

beforeAll(async () => {
  server = createServer((req, res) => {
    res.setHeader("content-type", "application/json");
    if (req.url === "/api/v1/passports/7") {
      res.end(JSON.stringify({ passport: { passport_id: 7, score: 44, main_wallet: null } }));
    } else if (req.url?.startsWith("/api/v1/passport_credentials")) {
      res.end(JSON.stringify({ passport_credentials: [{ id: "a", score: 3, max_score: 6 }] }));
    } else {
      res.statusCode = 404;
      res.end("{}");
    }
  });
  await new Promise<void>((done) => server.listen(0, done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

test("summary adds up", async () => {
  const raw = await fetch(`${base}/api/v1/passports/7`).then((r) => r.json());
  expect(raw.passport.score).toBe(44);
  const s = await summarize(new ReputationClient({ baseUrl: base }), "7");
  expect(s.completion).toBe(0.5);
});

// `v1watch probe --verbose`: with whom it spoke, over what, how long each phase took, and what the response's head says.
import tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certificate, respond, serve } from "../probe/http/hostile-server.ts";
import { run } from "./terminal.ts";

const key = "sentinel-key-0123456789-3f2a";
const trusted = tls.getCACertificates("default");
beforeAll(() => tls.setDefaultCACertificates([...trusted, certificate("authority")]));
afterAll(() => tls.setDefaultCACertificates(trusted));

const probe = (origin: string, ...args: string[]) =>
  run(
    ["probe", "--base-url", origin, "--allow-loopback", "--endpoint", "passport-list", "--verbose", ...args],
    { env: { V1WATCH_API_KEY: key } },
  );

test("--verbose prints address, TLS, certificate, phases, headers of interest and findings of a response", async () => {
  const page = '{"passports":[{"id":"SENTINEL"}],"pagination":{}}';
  const headers = [
    "Content-Type: application/json",
    "Server: nginx",
    "Sunset: Thu, 31 Dec 2026 23:59:59 GMT",
  ];
  await using server = await serve(respond("200 OK", page, headers), "valid");
  const { out } = await probe(server.url.origin);
  expect(out).toMatch(/^GET \/api\/v1\/passports \(authenticated\)$/m);
  expect(out).toMatch(/^ {2}address +127\.0\.0\.1$/m);
  expect(out).toMatch(/^ {2}TLS +TLSv1\.[23]$/m);
  expect(out).toMatch(/^ {2}certificate +valid until 2098-01-01 00:00 UTC$/m);
  expect(out).toMatch(
    /^ {2}phases +TCP [\d.]+ ms, TLS [\d.]+ ms, first byte after [\d.]+ ms, total [\d.]+ ms$/m,
  );
  expect(out).toMatch(/^ {2}server +nginx$/m);
  expect(out).toMatch(/^ {2}sunset +Thu, 31 Dec 2026 23:59:59 GMT$/m);
  expect(out.slice(out.indexOf("GET "))).toMatch(/^ {2}breaking/m);
  expect(out).not.toContain("SENTINEL");
});

test("--verbose prints the end of a certificate that was refused, and says that nothing was received", async () => {
  await using server = await serve(respond("200 OK"), "expired");
  const { out } = await probe(server.url.origin);
  expect(out).toMatch(/^ {2}certificate +valid until 2021-01-01 00:00 UTC$/m);
  expect(out).toMatch(/^ {2}body +0 bytes, 0 transferred$/m);
});

test("--verbose prints no key, no cookie, no control character and no long value of a hostile response", async () => {
  const hostile = [
    `Server: you sent ${key}`,
    "Via: \u009b31mred\u009b0m",
    `Warning: ${"w".repeat(5_000)}`,
    "Set-Cookie: session=SENTINEL",
    "X-User-Email: sentinel@example.com",
    "Location: /api/v1/passports/SENTINEL",
  ];
  await using server = await serve((socket) => {
    socket.end(
      Buffer.from(["HTTP/1.1 404 Not Found", ...hostile, "Content-Length: 0", "", ""].join("\r\n"), "latin1"),
    );
  });
  const { out, err } = await probe(server.url.origin);
  expect(out).toMatch(/^ {2}server +\(contains the key\)$/m);
  expect(out).toMatch(/^ {2}via +\\u009b31mred\\u009b0m$/m);
  expect(out).toMatch(/^ {2}warning +w{80}…$/m);
  for (const text of [key, "SENTINEL", "sentinel@", "\u009b"]) expect(out + err).not.toContain(text);
});

test("--verbose and --json exclude each other", async () => {
  expect(await probe("http://127.0.0.1:9", "--json")).toMatchObject({ code: 2, out: "" });
});

// A proxy that nobody here wrote: Squid, with a password, between v1watch and a V1 with a certificate.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../../lib/probe/http/exchange.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { certificate, type HostileServer, respond, serve } from "../probe/http/hostile-server.ts";

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

describe("Squid", () => {
  const trusted = tls.getCACertificates("default");
  let squid: ChildProcess;
  let v1: HostileServer;
  let proxyPort: number;

  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, certificate("authority")]);
    v1 = await serve(respond("200 OK", "{}"), "other-host");
    proxyPort = await freePort();
    const folder = makeFolder();
    const file = (name: string, text = "") => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const hash = execFileSync("openssl", ["passwd", "-apr1", "right"], { encoding: "utf8" }).trim();
    const config = file(
      "squid.conf",
      `http_port 127.0.0.1:${proxyPort}
hosts_file ${file("hosts", "127.0.0.1 other.example forbidden.example\n127.0.0.9 down.example\n")}
auth_param basic program /usr/lib/squid/basic_ncsa_auth ${file("passwords", `user:${hash}\n`)}
acl known proxy_auth REQUIRED
acl forbidden dstdomain forbidden.example
http_access deny !known
http_access deny forbidden
http_access allow all
cache deny all
access_log none
cache_log ${join(folder, "cache.log")}
pid_filename ${join(folder, "squid.pid")}
coredump_dir ${folder}
pinger_enable off
shutdown_lifetime 0 seconds
`,
    );
    // As root it gives up its rights at the start.
    chmodSync(folder, 0o777);
    squid = spawn("squid", ["-N", "-f", config], { stdio: "ignore" });
    while (!(await isListening(proxyPort))) {
      if (squid.exitCode !== null) throw new Error(`squid ended with ${squid.exitCode}`);
      await sleep(50);
    }
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    squid.kill();
    if (squid.exitCode === null) await once(squid, "exit");
    await v1[Symbol.asyncDispose]();
  });

  const isListening = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });

  const outcomeOf = async (host: string, login = "user:right@") => {
    const address = { kind: "key", key: `http://${login}127.0.0.1:${proxyPort}` } as const;
    const { outcome, tls: found } = await exchange({
      url: new URL(`https://${host}:${v1.url.port}/api/v1/passports`),
      proxy: { readAddress: async () => address, noProxy: "" },
      deadlineMs: 30_000,
      maxBodyBytes: 2 ** 20,
      allowLoopback: false,
      retry: false,
    });
    return { outcome, found };
  };

  test("Squid lets a request with the right password through, and V1's certificate is seen", async () => {
    const { outcome, found } = await outcomeOf("other.example");
    expect(outcome).toEqual({ kind: "ok", status: 200 });
    expect(found).toEqual({ expiresAt: "2098-01-01T00:00:00.000Z" });
  });

  test.each([
    ["without a password", "other.example", "", { kind: "refused", detail: "proxy-407" }],
    ["with a wrong password", "other.example", "user:wrong@", { kind: "refused", detail: "proxy-407" }],
    ["to a forbidden host", "forbidden.example", undefined, { kind: "refused", detail: "proxy-refused" }],
    ["to a V1 that is down", "down.example", undefined, { kind: "network", detail: "proxy-503" }],
  ])("Squid names the cause of a request %s", async (_which, host, login, expected) => {
    expect((await outcomeOf(host, login)).outcome).toEqual(expected);
  });

  test("Squid that is stopped cannot be reached", async () => {
    squid.kill();
    await once(squid, "exit");
    expect((await outcomeOf("other.example")).outcome).toEqual({
      kind: "refused",
      detail: "proxy-unreachable",
    });
  });
});

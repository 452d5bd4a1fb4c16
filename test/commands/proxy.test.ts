// Commands behind a proxy that wants a password: V1, a channel and the heartbeat go through it, and nothing shows the password.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../lib/simulator/server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { say, startConnectProxy, tunnelTo } from "../probe/http/connect-proxy.ts";
import { certificate } from "../probe/http/hostile-server.ts";
import { searchArtefacts } from "../sentinels.ts";
import { run } from "./terminal.ts";

const trusted = tls.getCACertificates("default");
beforeAll(() => tls.setDefaultCACertificates([...trusted, certificate("authority")]));
afterAll(() => tls.setDefaultCACertificates(trusted));

const password = "sentinel-proxy-password";
const key = "sentinel-key-0123456789";

/** A service with a certificate for other.example. */
async function startService() {
  const paths: string[] = [];
  const server = createServer(
    { key: certificate("server-key"), cert: certificate("other-host") },
    (request, response) => {
      paths.push(request.url ?? "");
      request.resume().on("end", () => response.end("ok"));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { paths, port: (server.address() as AddressInfo).port };
}

/** V1 is v1.example, and the services are other.example: only the proxy knows both. */
async function start(setting: object = { env: "HTTPS_PROXY" }) {
  const simulator = await startSimulator();
  const service = await startService();
  const proxy = await startConnectProxy({ credentials: `user:${password}` });
  onTestFinished(async () => {
    await proxy.close();
    await simulator.close();
  });
  const tunnel = (client: Parameters<typeof proxy.options.answer & {}>[0], head: string) =>
    tunnelTo(
      head.startsWith("CONNECT other.example:443 ") ? service.port : Number(new URL(simulator.url).port),
    )(client, head);
  proxy.options.answer = tunnel;
  const folder = makeFolder();
  const file = join(folder, "v1watch.config.json");
  const settings = {
    baseUrl: "http://v1.example",
    store: join(folder, "watch.db"),
    proxy: setting,
    channels: [{ type: "slack", name: "team", url: { env: "SLACK_WEBHOOK_URL" } }],
    heartbeat: { url: { env: "HEARTBEAT_URL" } },
  };
  writeFileSync(file, JSON.stringify(settings));
  const env = {
    V1WATCH_API_KEY: key,
    HTTPS_PROXY: `http://user:${password}@${proxy.host}`,
    SLACK_WEBHOOK_URL: "https://other.example/hook",
    HEARTBEAT_URL: "https://other.example/ping",
  };
  const printed: Record<string, string> = {};
  const runHere = async (args: string[], given: object = {}) => {
    const ran = await run([...args, "--config", file], { env: { ...env, ...given } });
    printed[`${Object.keys(printed).length} ${args[0]}`] = ran.out + ran.err;
    return ran;
  };
  return { simulator, service, proxy, folder, printed, runHere };
}

test("V1, a channel and the heartbeat are reached through a proxy with a password, which no artefact contains", async () => {
  const { simulator, service, proxy, folder, printed, runHere } = await start();
  const shown = await runHere(["config"]);
  expect(shown.out).toMatch(new RegExp(`proxy +file +${proxy.address} with credentials from HTTPS_PROXY\n`));
  expect((await runHere(["config", "--json"])).out).toContain(`${proxy.address} with credentials`);
  expect((await runHere(["probe"])).code).toBe(0);
  expect(simulator.requests()).toBeGreaterThan(0);
  expect((await runHere(["notify", "--test"])).out).toMatch(/team +slack +accepted/);
  expect(service.paths).toEqual(["/hook"]);
  await runHere(["up", "--once"]);
  expect(service.paths).toContain("/ping");
  expect(new Set(proxy.heads.map((head) => head.split(" ")[1]))).toEqual(
    new Set(["v1.example:80", "other.example:443"]),
  );

  const wrong = { HTTPS_PROXY: `http://user:${password}x@${proxy.host}` };
  const refused = await runHere(["probe"], wrong);
  expect(refused.code).toBe(2);
  expect(refused.out).toContain(
    "not requested: the proxy does not accept our credentials, or wants some (407)",
  );
  expect(refused.out).toContain(`V1 was not reached through the proxy ${proxy.address} with credentials.`);
  expect((await runHere(["notify", "--test"], wrong)).out).toMatch(/FAILED: 407 from the proxy/);
  for (const args of [
    ["probe", "--json"],
    ["probe", "--github"],
    ["up", "--once"],
  ])
    await runHere(args, wrong);
  for (const [answer, cause] of [
    [say("403 No"), "refused by the proxy"],
    [say("503 No"), "503 from the proxy"],
    [say("500 No"), "error of the proxy"],
  ] as const) {
    proxy.options.answer = answer;
    expect((await runHere(["notify", "--test"])).out).toContain(`FAILED: ${cause}`);
  }

  for (const name of readdirSync(folder)) printed[name] = readFileSync(join(folder, name), "latin1");
  expect(Object.keys(printed).length).toBeGreaterThan(12);
  expect(searchArtefacts(printed, [password, key])).toEqual({});
});

test("A proxy of which no address can be read is refused at the start, whatever is there", async () => {
  const { proxy, printed, runHere } = await start();
  for (const HTTPS_PROXY of [undefined, "", `user:${password}@proxy`, `socks5://user:${password}@proxy`])
    for (const command of ["probe", "up", "notify"]) {
      const { code, err } = await runHere([command], { HTTPS_PROXY });
      expect(code, command).toBe(2);
      expect(err).toContain("proxy: no address of a proxy can be read there.");
    }
  expect(proxy.heads).toEqual([]);
  expect(searchArtefacts(printed, [password])).toEqual({});
});

test("An address with a password in the configuration is refused, and not repeated", async () => {
  const { printed, runHere } = await start({ url: `http://user:${password}@127.0.0.1:1` });
  const { code, err } = await runHere(["config"]);
  expect([code, err]).toEqual([2, expect.stringContaining("proxy.url: holds a user name or a password.")]);
  expect(searchArtefacts(printed, [password])).toEqual({});
});

test("What NO_PROXY names is reached without the proxy", async () => {
  const { proxy, runHere } = await start();
  // A name that no resolver is asked for, because a part of it is too long.
  const unknown = { SLACK_WEBHOOK_URL: `https://${"a".repeat(70)}.invalid/hook` };
  await runHere(["notify", "--test"], unknown);
  expect(proxy.heads).toHaveLength(1);
  const { out } = await runHere(["notify", "--test"], { ...unknown, NO_PROXY: "example, invalid" });
  expect(out).toContain("FAILED: ENOTFOUND");
  expect(proxy.heads).toHaveLength(1);
});

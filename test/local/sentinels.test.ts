// V1 repeats the API key, and marks of people, wherever a response has a place for them; afterwards no artefact of the
// watch may contain them.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { renderReport } from "../../lib/commands/up/target.ts";
import type { ChannelSettings } from "../../lib/config/channels.ts";
import { type EndpointId, endpointIds, endpoints } from "../../lib/contract/endpoints.ts";
import { createChannel } from "../../lib/delivery/channels/index.ts";
import { startMonitor } from "../../lib/local/monitor.ts";
import { routes } from "../../lib/local/server/api.ts";
import { configForSimulator } from "../../lib/local/simulation.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { alertEvents } from "../../lib/records/alert.ts";
import { severities } from "../../lib/records/incident.ts";
import { run } from "../commands/terminal.ts";
import { startMailServer } from "../delivery/channels/servers.ts";
import { openService, services } from "../delivery/channels/services.ts";
import { type Body, bodyOf } from "../probe/validate/bodies.ts";
import { findSentinels, searchArtefacts } from "../sentinels.ts";
import { makeFolder } from "./temporary-folder.ts";

const person = "sentinel_person";

test.each<[string, (text: string) => string | Uint8Array]>([
  ["raw", (text) => `x${text}y`],
  ["capitals", (text) => text.toUpperCase()],
  ["hexadecimal", (text) => Buffer.from(`ab${text}`).toString("hex")],
  ["base64", (text) => Buffer.from(text).toString("base64")],
  ["base64 after one byte", (text) => Buffer.from(`a${text}bcd`).toString("base64")],
  ["base64url after two bytes", (text) => Buffer.from(`??${text}`).toString("base64url")],
  ["URL-encoded", (text) => `?key=${encodeURIComponent(text)}`],
  ["percent-encoded", (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["UTF-16", (text) => Buffer.from(text, "utf16le")],
  ["gzip", (text) => gzipSync(`{"key":"${text}"}`)],
  ["gzip inside of other bytes", (text) => Buffer.concat([Buffer.from("head"), gzipSync(text)])],
  ["base64 of raw deflate", (text) => `"${deflateRawSync(text.padEnd(60, "x")).toString("base64")}"`],
  ["gzip in gzip", (text) => gzipSync(gzipSync(text))],
])("The search finds a sentinel in the form %s, and nothing in other texts", (_form, write) => {
  const sentinels = ["Sentinel/Key+0123", person];
  for (const sentinel of sentinels) expect(findSentinels(write(sentinel), sentinels)).not.toEqual([]);
  expect(findSentinels(write("another text, of no one"), sentinels)).toEqual([]);
});

type Phase =
  | "labels"
  | "everything"
  | "unauthorized"
  | "redirect"
  | "failing"
  | "gone"
  | "html"
  | "header-fields";

/** Puts the key into the three fields whose values are kept, and a mark of a person into every other text but dates. */
function markBody(value: Body, key: string, isEverything: boolean, name = ""): Body {
  if (typeof value === "string") {
    if (["source", "category", "type"].includes(name) || isEverything) return key;
    return name.endsWith("_at") ? value : person;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => markBody(item, key, isEverything, name));
  const members = Object.entries(value).map(([member, inner]) => [
    member,
    markBody(inner, key, isEverything, member),
  ]);
  return { ...Object.fromEntries(members), [key]: key, [`${person}@example.org`]: person };
}

const endpointOf = (path: string): EndpointId =>
  path.startsWith("/api/v1/passports/")
    ? "passport"
    : (endpointIds.find((id) => endpoints[id].path === path) ?? "passport-list");

/** A V1 that repeats the key of the request, or the last one that it got, in the manner of the phase. */
async function startEcho(key: string) {
  const state: { phase: Phase } = { phase: "labels" };
  const server = createServer((request: IncomingMessage, response) => {
    const { phase } = state;
    const url = new URL(request.url ?? "/", "http://v1.invalid");
    const headers: Record<string, string> = {
      Server: key,
      "X-Request-Id": key,
      "Set-Cookie": `key=${key}`,
      ETag: `"${key}"`,
      Link: `<https://${key}.example/${key}>; rel="successor-version ${key}"; title="${key}"`,
      Warning: `299 ${key} "${key}"`,
      "Retry-After": key,
      "X-API-Usage-Limit": key,
      "X-API-Usage-Status": key,
      ...(phase === "header-fields" && { Sunset: `${key} ${person}`, Deprecation: key }),
      ...(phase === "redirect" && { Location: `https://${key}.example/v2/${key}?key=${key}` }),
    };
    const statuses: Partial<Record<Phase, number>> = {
      unauthorized: 401,
      redirect: 301,
      failing: 503,
      gone: 410,
    };
    const status = statuses[phase] ?? 200;
    const error = { error: key, [key]: { [key]: key }, message: `The key ${key} of ${person} is refused.` };
    const text =
      phase === "html"
        ? `<html><title>${key}</title>${person}`
        : JSON.stringify(
            status === 200
              ? markBody(structuredClone(bodyOf(endpointOf(url.pathname))), key, phase === "everything")
              : error,
          );
    response.writeHead(status, status === 200 ? STATUS_CODES[200] : `Error ${key}`, {
      ...headers,
      "Content-Type": phase === "html" ? `text/${key}` : "application/json",
    });
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const phases: [Phase, ticks: number][] = [
  ["labels", 10],
  ["header-fields", 4],
  ["everything", 4],
  ["unauthorized", 4],
  ["redirect", 4],
  ["failing", 4],
  ["html", 4],
  ["gone", 4],
  ["labels", 8],
];

// In the form of a label, which is kept where it is not the key, and in the usual form of a key.
test.each(["sentinel_reader_key", "sk_live_5e1f9a7c3b2d4860"])(
  "The key %s and personal strings are in no artefact, wherever V1 repeats them",
  async (key) => {
    const folder = makeFolder();
    const storePath = join(folder, "watch.db");
    const v1 = await startEcho(key);
    const config = configForSimulator(v1.url, 2, storePath);
    const opened = openStore(storePath, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const { store } = opened;
    const mail = await startMailServer();
    const everything = { severities: [...severities], events: [...alertEvents] };
    const printed: string[] = [];
    // Of every type but SNS, which gets the alert itself, as the webhook does.
    const web = await Promise.all(
      Object.values(services).map((service, index) => openService(service, service.yes, `web-${index}`)),
    );
    const others: ChannelSettings[] = [
      {
        type: "email",
        name: "mail",
        host: "127.0.0.1",
        port: mail.port,
        security: "none",
        from: "v1watch@example.com",
        to: ["on-call@example.com"],
        ...everything,
      },
      { type: "console", name: "console", ...everything },
    ];
    const channels = [
      ...web.map(({ channel }) => channel),
      ...(await Promise.all(
        others.map((one) =>
          createChannel(one, {
            readSecret: async () => undefined,
            print: (alert) => printed.push(JSON.stringify(alert)),
          }),
        ),
      )),
    ];
    const clock = { nowMs: Date.now() - 3_600_000 };
    const stopping = new AbortController();
    const monitor = await startMonitor({
      config,
      store,
      channels,
      allowLoopback: true,
      mode: "watch",
      signal: stopping.signal,
      readKey: async () => ({ kind: "key", key }),
      page: { port: 0, host: "127.0.0.1", allowHosts: [], version: "1.2.3" },
      renderReport: () => renderReport(store, config, clock.nowMs),
      nowMs: () => clock.nowMs,
      onTick: () => {},
    });
    const url = monitor.server?.url ?? "";
    const events = await fetch(`${url}/api/events`);
    const reader = events.body!.getReader();
    for (const [phase, ticks] of phases) {
      v1.state.phase = phase;
      for (let tick = 0; tick < ticks; tick++, clock.nowMs += 2_000) await monitor.once();
    }
    const artefacts: Record<string, string | Uint8Array> = {};
    const observations = store.history.observationRows({ limit: 500 });
    const kinds = new Set(observations.map(({ outcome }) => outcome));
    for (const kind of ["ok", "unauthorized", "redirect", "status", "not-json"])
      expect(kinds).toContain(kind);

    let streamed = "";
    while (!streamed.includes("alert-sent"))
      streamed += Buffer.from((await reader.read()).value ?? []).toString();
    await reader.cancel();
    artefacts.events = streamed;
    const ofIncidents = store.history.sentAlerts(500).map(({ alert }) => alert.id.split("/")[0]);
    expect(ofIncidents.length).toBeGreaterThan(4);
    const paths = [
      ...Object.keys(routes).filter((path) => routes[path]?.method === "GET"),
      ...["/", "/metrics", "/healthz", "/badge.svg", "/icon.svg", "/report", "/api/openapi.json"],
      ...observations.map(({ id }) => `/api/observation?id=${encodeURIComponent(id)}`),
      ...ofIncidents.map((id) => `/api/incident?id=${encodeURIComponent(id ?? "")}`),
    ];
    for (const path of new Set(paths)) {
      const response = await fetch(`${url}${path}`);
      artefacts[path] = `${JSON.stringify([...response.headers])}${await response.text()}`;
    }
    for (const [index, { receiver }] of web.entries()) {
      const name = `channel ${Object.keys(services)[index]}`;
      expect(receiver.received.length, name).toBeGreaterThan(4);
      artefacts[name] = JSON.stringify(receiver.received);
    }
    expect(mail.mails.length).toBeGreaterThan(4);
    artefacts.mails = mail.mails.map(({ text }) => text).join("\n");
    artefacts.console = printed.join("\n");
    // Before the store is closed, so that its log is there.
    for (const file of readdirSync(folder)) artefacts[file] = readFileSync(join(folder, file));
    expect(Object.keys(artefacts)).toContain("watch.db-wal");
    stopping.abort();
    await monitor.close();

    const env = { V1WATCH_API_KEY: key };
    const stored = ["--store", storePath];
    const target = ["--allow-loopback", "--base-url", v1.url];
    const commands = [
      ["store", "export", join(folder, "export.jsonl"), ...stored],
      ["store", "backup", join(folder, "backup.db"), ...stored],
      ["report", "--format", "all", "--out", join(folder, "report"), ...stored],
      ...["status", "status drift", "status undocumented", "incidents"].flatMap((name) => [
        [...name.split(" "), ...stored],
        [...name.split(" "), "--json", ...stored],
      ]),
      ["config", "--base-url", v1.url],
      ["up", "--once", ...target, "--store", join(folder, "once.db")],
    ];
    for (const phase of ["labels", "everything", "failing", "redirect"] as const)
      for (const form of [[], ["--json"]])
        commands.push(["probe", ...form, ...target, "--store", join(folder, `${phase}.db`)]);
    for (const [number, command] of commands.entries()) {
      v1.state.phase =
        phases.find(([phase]) => command.some((word) => word.includes(`${phase}.db`)))?.[0] ?? "labels";
      const { code, out, err } = await run(command, { env });
      // The watch has ended: V1 is unknown.
      expect(code, `${command.join(" ")}: ${err}`).toBeLessThanOrEqual(2);
      expect(err).not.toMatch(/^v1watch: /m);
      artefacts[`${number} ${command[0]}`] = out + err;
    }
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        artefacts[join(file.parentPath, file.name)] = readFileSync(join(file.parentPath, file.name));

    expect(searchArtefacts(artefacts, [key, person])).toEqual({});
    expect(Object.keys(artefacts).length).toBeGreaterThan(100);
  },
);

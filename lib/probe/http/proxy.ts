// Connections through an HTTP proxy (CONNECT, RFC 9110, 9.3.6). Node has this too, as the `proxyEnv` of an agent. It is not used: it
// shows the request no socket before TLS stands, so that phases and the expiry of a refused certificate are lost, it names neither
// the proxy's connection nor its answer as the cause, and a proxy that never answers keeps its socket after the deadline.
import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { isLoopbackHost } from "../../config/loopback.ts";
import { listNetworks, privateRanges } from "../../config/private-networks.ts";
import { type ProxySetting, parseProxyAddress } from "../../config/proxy.ts";
import { type HttpProxy, type KeyResult, UnreachableError } from "../../ports.ts";
import type { Outcome } from "../../records/observation.ts";
import { causeOfNotSent, labelOutcome } from "../../records/outcome.ts";
import { bareHost, checkedLookup } from "./addresses.ts";

/** `read` opens the source of an address with credentials. `noProxy`: in the form of NO_PROXY, what is reached without it. */
export function createProxy(
  setting: ProxySetting | undefined,
  read: (source: Exclude<ProxySetting, { url: string }>) => () => Promise<KeyResult>,
  noProxy: string,
): HttpProxy | undefined {
  if (!setting) return undefined;
  if (!("url" in setting)) return { readAddress: read(setting), noProxy };
  return { readAddress: async () => ({ kind: "key", key: setting.url }), noProxy };
}

/** No connection to the target stands. The message holds neither the proxy's address nor what it answered. */
export class ProxyError extends UnreachableError {
  override name = "ProxyError";
  readonly outcome: Outcome;

  constructor(kind: "refused" | "network", cause: string) {
    const outcome: Outcome = { kind, detail: `proxy-${cause}` };
    super(causeOfNotSent(labelOutcome(outcome)));
    this.outcome = outcome;
  }
}

/** The proxy through which the address is requested. This machine is never reached through one. */
export const proxyFor = (proxy: HttpProxy | undefined, url: URL): HttpProxy | undefined =>
  proxy && !isExcepted(url, proxy.noProxy) ? proxy : undefined;

function isExcepted({ hostname, protocol, port }: URL, noProxy: string): boolean {
  const host = bareHost(hostname);
  if (isLoopbackHost(hostname) || /(?:^|\.)localhost$/.test(host)) return true;
  const family = { 0: undefined, 4: "ipv4", 6: "ipv6" } as const;
  const version = family[isIP(host) as 0 | 4 | 6];
  const usedPort = port || defaultPorts[protocol];
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*" || entry === host) return true;
      if (version && listNetworks([entry])[version].check(host, version)) return true;
      // A name stands for its subdomains, too: with curl, Go and Python; with Node after a dot only.
      const [, name = "", onlyPort = usedPort] = /^(?:\*?\.)?([^:]+)(?::(\d+))?$/.exec(entry) ?? [];
      return onlyPort === usedPort && (host === name || host.endsWith(`.${name}`));
    });
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** For a single request. Undefined where it needs no proxy. */
export function agentThrough(proxy: HttpProxy | undefined, url: URL): http.Agent | undefined {
  const through = proxyFor(proxy, url);
  return through && connectThrough(url.protocol === "https:" ? new https.Agent() : new http.Agent(), through);
}

/** Makes every connection of the agent go through the proxy. Its `destroy` also ends those that the proxy has not opened yet. */
export function connectThrough<Agent extends http.Agent>(agent: Agent, proxy: HttpProxy): Agent {
  const connect = agent.createConnection.bind(agent);
  const destroy = agent.destroy.bind(agent);
  const ended = new AbortController();
  const isSecure = agent instanceof https.Agent;
  agent.createConnection = (options, done) => {
    const port = options.port || defaultPorts[isSecure ? "https:" : "http:"];
    const host = isIP(options.host ?? "") === 6 ? `[${options.host}]` : options.host;
    openTunnel(proxy, `${host}:${port}`, ended.signal).then(
      (socket) => done?.(null, isSecure ? connect({ ...options, socket } as typeof options)! : socket),
      (error: Error) => done?.(error, undefined!),
    );
    return undefined;
  };
  agent.destroy = () => {
    ended.abort();
    destroy();
  };
  return agent;
}

/** The operator names the proxy, so its own address may be a private one or on this machine; no metadata service is one. */
const proxyLookup = checkedLookup({ allowLoopback: true, allowPrivateNetworks: privateRanges });

async function openTunnel(
  { readAddress }: HttpProxy,
  authority: string,
  signal: AbortSignal,
): Promise<Socket> {
  const read = await readAddress();
  const address = read.kind === "key" ? parseProxyAddress(read.key) : undefined;
  if (!address) throw new ProxyError("refused", "address");
  const { url, authorization } = address;
  return await new Promise((resolve, reject) => {
    (url.protocol === "https:" ? https : http)
      .request({
        method: "CONNECT",
        host: bareHost(url.hostname),
        port: url.port,
        path: authority,
        headers: ["Host", authority, ...(authorization ? ["Proxy-Authorization", authorization] : [])],
        agent: false,
        lookup: proxyLookup,
        signal,
      })
      .on("connect", ({ statusCode: status = 0 }, socket, head) => {
        if (status >= 200 && status < 300) {
          if (head.length > 0) socket.unshift(head);
          return resolve(socket as Socket);
        }
        socket.destroy();
        reject(refusalOf(status));
      })
      .on("error", ({ code = "" }: NodeJS.ErrnoException) => reject(new ProxyError("refused", causeOf(code))))
      .end();
  });
}

function refusalOf(status: number): ProxyError {
  // Of V1, as the proxy sees it. With 500, which some proxies send in the same case, it may as well be the proxy that fails.
  if (status >= 502 && status <= 504) return new ProxyError("network", String(status));
  if (status === 407) return new ProxyError("refused", "407");
  return new ProxyError("refused", status >= 500 ? "failed" : "refused");
}

/** By the code of the connection's error. */
function causeOf(code: string): string {
  if (code.startsWith("HPE_")) return "protocol";
  return code === "ECONNRESET" || code === "EPIPE" ? "closed" : "unreachable";
}

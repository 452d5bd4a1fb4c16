// Sockets that outlive one request, for sweeps of many. A probe never uses them: it measures a
// stranger's whole path, DNS and certificate included.
import http from "node:http";
import https from "node:https";

export type Connections = {
  agentFor(protocol: string, allowLoopback: boolean): http.Agent;
  close(): void;
};

export function keepConnections(maxSockets: number): Connections {
  const agents = new Map<string, http.Agent>();
  return {
    agentFor(protocol, allowLoopback) {
      // Apart by policy, so that a socket opened where loopback was allowed serves no stricter request.
      const name = `${protocol}${allowLoopback}`;
      const options = { keepAlive: true, maxSockets, scheduling: "lifo" } as const;
      const agent =
        agents.get(name) ??
        // A resumed TLS session shows no certificate.
        (protocol === "https:"
          ? new https.Agent({ ...options, maxCachedSessions: 0 })
          : new http.Agent(options));
      agents.set(name, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

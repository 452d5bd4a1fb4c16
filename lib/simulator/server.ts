// V1 itself on a loopback port, breakable while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, keyHeader, questionOf } from "./answer.ts";
import { createBodies, restless } from "./bodies.ts";
import type { ActiveEffect, Effect } from "./effects/index.ts";
import { deliver } from "./exchange.ts";
import { createPopulation, type Population } from "./population.ts";
import type { ProfileName } from "./profile.ts";
import { activeEffects, createTimeline, type Scenario, type Timeline } from "./scenario.ts";
import { type ScenarioName, scenarioNamed } from "./scenarios.ts";

export type SimulatorOptions = {
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  /** The scenario's own unless given. */
  profile?: ProfileName;
  passports?: number;
  seed?: number;
  /** A key that is sent must be this one; none may still be sent. */
  key?: string;
  scenario?: ScenarioName;
  /** Milliseconds since 1970. */
  clock?: { now(): number };
  /** Where on its timeline the scenario starts. */
  startAtMs?: number;
  /** How fast the scenario's time passes; the data and the Date header stay with the clock. */
  speed?: number;
  /** The share of reads of one passport that show a new calculation. */
  noise?: number;
};

export type Simulator = {
  url: string;
  port: number;
  population: Population;
  requests(): number;
  /** Adds effects to those of the scenario, at once and until `clear`. */
  inject(effects: readonly Effect[]): void;
  clear(): void;
  /** Starts another scenario now, at `startAtMs` of its timeline. */
  use(scenario: ScenarioName, startAtMs?: number): void;
  close(): Promise<void>;
};

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = "127.0.0.1", passports = 500, seed = 1, key, speed, clock = Date } = options;
  const population = createPopulation({ seed, size: passports });
  const profiles = {
    documented: restless(createBodies(population, "documented"), options.noise ?? 0, seed),
    realistic: restless(createBodies(population, "realistic"), options.noise ?? 0, seed),
  };
  let scenario: Scenario;
  let timeline: Timeline;
  let injected: ActiveEffect[] = [];
  let requests = 0;

  function use(name: ScenarioName, startAtMs?: number): void {
    scenario = scenarioNamed(name);
    timeline = createTimeline(scenario, { now: clock.now(), startAtMs, speed });
  }
  use(options.scenario ?? "healthy", options.startAtMs);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    requests++;
    const now = clock.now();
    const question = questionOf(request.url ?? "/");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!question || !isRead) {
      deliver(response, question ? notAllowed(now) : notFound(now));
      return;
    }
    const sent = request.headers[keyHeader];
    const exchange = answer(
      profiles[options.profile ?? scenario.profile],
      key,
      [...activeEffects(scenario, timeline, now), ...injected],
      { question, key: sent === undefined ? undefined : String(sent), number: requests, now },
    );
    deliver(response, { ...exchange, status: exchange.status ?? 500 });
  }

  const server = createServer({ keepAliveTimeout: 30_000 }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    population,
    requests: () => requests,
    inject(effects) {
      const since = clock.now();
      injected.push(...effects.map((effect) => ({ effect, since, instantOf: (ms: number) => since + ms })));
    },
    clear() {
      injected = [];
    },
    use,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        // Hung and dripping connections never end by themselves.
        server.closeAllConnections();
      });
    },
  };
}

const json = { "Content-Type": "application/json; charset=utf-8" };
const whole = { kind: "whole" } as const;

function notFound(now: number) {
  const bytes = Buffer.from(JSON.stringify({ error: "Resource not found." }));
  return { status: 404, headers: json, bytes, delivery: whole, now };
}

function notAllowed(now: number) {
  const bytes = Buffer.from(JSON.stringify({ error: "Method not allowed." }));
  return { status: 405, headers: { ...json, Allow: "GET, HEAD" }, bytes, delivery: whole, now };
}

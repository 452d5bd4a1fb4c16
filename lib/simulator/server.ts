// The simulated V1 on a loopback port. Effects can be injected while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Bodies, createBodies } from "./bodies.ts";
import type { ActiveEffect, Effect } from "./effects/index.ts";
import { sendResponse } from "./exchange.ts";
import { listen } from "./listen.ts";
import { createPopulation, type Population } from "./population.ts";
import { keyHeader, parseTarget, respond } from "./respond.ts";
import { activeEffects, createTimeline, type Scenario, type Timeline } from "./scenario.ts";
import { type ScenarioName, scenarioNamed } from "./scenarios.ts";

export type SimulatorOptions = {
  /** 0 uses any free port. */
  port?: number;
  passports?: number;
  /** How much faster the records are recalculated that are recalculated within a day. */
  frequentSpeed?: number;
  seed?: number;
  /** A request with another key gets 401. A request without a key is accepted. */
  key?: string | undefined;
  scenario?: ScenarioName;
  /** Milliseconds since 1970. */
  clock?: { now(): number };
  /** The scenario time at which the simulator starts. */
  startAtMs?: number | undefined;
  /** Puts other bodies in place of V1's. */
  changeBodies?: (bodies: Bodies) => Bodies;
};

export type Simulator = {
  url: string;
  port: number;
  population: Population;
  requests(): number;
  /** Adds effects to those of the scenario until `clear`. */
  inject(effects: readonly Effect[]): void;
  clear(): void;
  /** Switches to another scenario, at `startAtMs` of its timeline. */
  use(scenario: ScenarioName, startAtMs?: number): void;
  close(): Promise<void>;
};

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, passports = 500, seed = 1, key, clock = Date } = options;
  const { frequentSpeed, changeBodies = (bodies) => bodies } = options;
  const population = createPopulation({
    seed,
    size: passports,
    frequentSpeed,
  });
  const profiles = {
    documented: changeBodies(createBodies(population, "documented")),
    realistic: changeBodies(createBodies(population, "realistic")),
  };
  let scenario: Scenario;
  let timeline: Timeline;
  let injected: ActiveEffect[] = [];
  let requests = 0;

  function use(name: ScenarioName, startAtMs?: number): void {
    scenario = scenarioNamed(name);
    timeline = createTimeline({ now: clock.now(), startAtMs });
  }
  use(options.scenario ?? "healthy", options.startAtMs);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    requests++;
    const now = clock.now();
    const target = parseTarget(request.url ?? "/");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!target || !isRead) {
      sendResponse(response, target ? notAllowed(now) : notFound(now));
      return;
    }
    const apiKey = request.headers[keyHeader];
    const exchange = respond(
      profiles[scenario.profile],
      key,
      [...activeEffects(scenario, timeline, now), ...injected],
      { target, key: apiKey === undefined ? undefined : String(apiKey), number: requests, now },
    );
    sendResponse(response, { ...exchange, status: exchange.status ?? 500 });
  }

  const server = createServer({ keepAliveTimeout: 30_000 }, handle);
  const listening = await listen(server, port, "127.0.0.1");

  return {
    url: listening.url,
    port: listening.port,
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
    close: listening.close,
  };
}

const json = { "Content-Type": "application/json; charset=utf-8" };
const complete = { kind: "complete" } as const;

function notFound(now: number) {
  const bytes = Buffer.from(JSON.stringify({ error: "Resource not found." }));
  return { status: 404, headers: json, bytes, delivery: complete, now };
}

function notAllowed(now: number) {
  const bytes = Buffer.from(JSON.stringify({ error: "Method not allowed." }));
  return { status: 405, headers: { ...json, Allow: "GET, HEAD" }, bytes, delivery: complete, now };
}

// v1watch probe: one cycle now, and what it says.
import {
  type Config,
  durationMs,
  maskKey,
  mistakesText,
  readConfig,
  variantEndpoints,
} from "../../config/config.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import { probe as runProbe } from "../../probe/probe.ts";
import type { PlannedRequest } from "../../probe/schedule/plan.ts";
import { type Observation, type Variant, variants } from "../../records/observation.ts";
import { type Command, choiceOption, exitCodes, type Io, UsageError, type Values } from "../command.ts";
import { readKey } from "../key.ts";
import { checkWritable, writeText } from "../output-file.ts";
import { isFineCycle, renderGithub, renderJunit } from "./formats.ts";
import { bookCycle } from "./store.ts";
import { renderCycle } from "./text.ts";

const help = `v1watch probe [--base-url URL] [--endpoint ID] [--variant NAME] [options]

Asks each endpoint of V1 once and says what came: outcome, time, drift, age of the data, access, notices.

  --base-url URL     where V1 answers (environment: V1WATCH_BASE_URL; the key: V1WATCH_API_KEY)
  --endpoint ID      only this one: ${endpointIds.join(", ")}
  --variant NAME        only this variant: ${variants.join(", ")}
  --passport ID      the passport to ask for; without it one is taken from the list
  --wallet W         the wallet to ask for, as a further request
  --allow-loopback   V1 is on this machine
  --timeout MS       deadline of one request
  --config FILE      another file than v1watch.config.json
  --store FILE       where a watch keeps its history; the cycle is counted in its budget, and recorded there
                     unless the watch is running
  --json             an array of observations and nothing else
  --junit FILE       a test report beside the text
  --github           annotations for a GitHub workflow

Exit codes: 0 as documented, 1 findings or failures, 2 usage or configuration.

Example:
  v1watch simulate &
  v1watch probe --base-url http://127.0.0.1:4181 --allow-loopback
`;

function planCycle(values: Values, hasKey: boolean): PlannedRequest[] {
  const only =
    values.endpoint === undefined
      ? undefined
      : choiceOption<EndpointId>(values, "endpoint", "passport", endpointIds);
  const name =
    values.variant === undefined
      ? undefined
      : choiceOption<Variant>(values, "variant", "authenticated", variants);
  const planned: { endpoint: EndpointId; variant: Variant }[] = [];
  for (const endpoint of variantEndpoints[name ?? "authenticated"])
    planned.push({ endpoint, variant: name ?? "authenticated" });
  if (!name) {
    // Whether the key or V1 is at fault shows only beside an answer without the key.
    if (hasKey) planned.push({ endpoint: only ?? "passport-list", variant: "anonymous" });
    if (values.wallet !== undefined) planned.push({ endpoint: "passport", variant: "by-wallet" });
  }
  const wanted = planned.filter(({ endpoint }) => only === undefined || endpoint === only);
  if (wanted.length === 0) {
    throw new UsageError(
      `the variant ${name} is asked of ${variantEndpoints[name ?? "authenticated"].join(" and ")}, not of ${only}`,
    );
  }
  return wanted.map((request) => ({ ...request, reason: "confirmation", attempts: 2 }));
}

/** With samples on auto, passport and credentials need one look at the list. */
function needsLookup(requests: readonly PlannedRequest[], { samples }: Config): boolean {
  const hasList = requests.some(
    ({ endpoint, variant: asked }) => endpoint === "passport-list" && asked === "authenticated",
  );
  const asksSample = requests.some(({ endpoint, variant: asked }) =>
    asked === "keyword"
      ? samples.keyword === "auto"
      : asked === "by-wallet"
        ? samples.wallets === "auto"
        : endpoint !== "passport-list" && asked !== "unknown-id" && samples.passports === "auto",
  );
  return asksSample && !hasList;
}

function showProgress(io: Io, total: number) {
  let seen = 0;
  const draw = (text: string) => io.isTerminal && io.err(`\r\u001b[K${text}`);
  draw(`asking V1 … 0 of ${total}`);
  return {
    step: ({ endpoint }: Observation) => draw(`asking V1 … ${++seen} of ${total} (${endpoint})`),
    end: () => draw(""),
  };
}

export const probe: Command = {
  name: "probe",
  summary: "ask each endpoint of V1 once and say what came",
  help,
  options: {
    "base-url": { type: "string" },
    endpoint: { type: "string" },
    variant: { type: "string" },
    passport: { type: "string" },
    wallet: { type: "string" },
    "allow-loopback": { type: "boolean" },
    timeout: { type: "string" },
    config: { type: "string" },
    store: { type: "string" },
    json: { type: "boolean" },
    junit: { type: "string" },
    github: { type: "boolean" },
  },
  async run(values, _positionals, io) {
    const loaded = await readConfig(io.env, values);
    if (!loaded.ok) {
      io.err(mistakesText(loaded.mistakes));
      return exitCodes.usage;
    }
    const { config, origins } = loaded;
    const key = await readKey(config, origins, io.env);
    if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
    const requests = planCycle(values, key.kind === "key");
    const lookup = needsLookup(requests, config);
    // Before anything is asked: a report that cannot be written should cost no request.
    if (typeof values.junit === "string") await checkWritable(values.junit);
    const progress = showProgress(io, requests.length);
    const tickMs = Date.now();
    const most = requests.reduce((sum, { attempts }) => sum + attempts, lookup ? 1 : 0);
    const booked = await bookCycle(config, tickMs, most);
    const { observations, results } = await runProbe({
      tickMs,
      config,
      plan: { requests, lookup },
      key,
      nowMs: Date.now,
      allowLoopback: values["allow-loopback"] === true,
      signal: io.signal,
      onObservation: progress.step,
    });
    progress.end();
    const primary = key.kind === "none" ? "anonymous" : "authenticated";
    const left = await booked.record({ tickMs, observations, results, primary });

    const nowMs = Date.now();
    const frozenAfterSeconds = durationMs(config.staleness.frozenAfter) / 1000;
    const cycle = { observations, nowMs, frozenAfterSeconds };
    if (typeof values.junit === "string") await writeText(values.junit, renderJunit(cycle));
    if (values.json) io.out(`${JSON.stringify(observations, null, 2)}\n`);
    else {
      const keyText =
        key.kind === "key" ? `key ${maskKey(key.key)}` : key.kind === "none" ? "no key" : "key not found";
      const sent = results.reduce((sum, { requests: made }) => sum + made, 0);
      io.out(
        `V1 at ${config.baseUrl} · ${keyText} · ${sent} ${sent === 1 ? "request" : "requests"}${left}\n\n`,
      );
      const { baseUrl } = config;
      const sentKey = key.kind === "key";
      io.out(renderCycle({ ...cycle, baseUrl, sentKey }));
      if (values.github) io.out(renderGithub(cycle));
    }
    const isOurs = ({ kind, detail }: Observation["outcome"]) =>
      kind === "no-secret" || (kind === "refused" && detail !== "no-sample");
    if (observations.some(({ outcome }) => isOurs(outcome))) return exitCodes.usage;
    return isFineCycle(cycle) ? exitCodes.fine : exitCodes.findings;
  },
};

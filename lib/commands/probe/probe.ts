// v1watch probe: sends one request to each endpoint of V1 and reports the results.
import { frozenHintSeconds } from "../../config/assessment-settings.ts";
import { type Config, maskKey, mistakesText, readConfig, variantEndpoints } from "../../config/config.ts";
import { type EndpointId, endpointIds, endpoints, idsOf, sampleSource } from "../../contract/endpoints.ts";
import { probe as runProbe } from "../../probe/probe.ts";
import type { PlannedRequest } from "../../probe/schedule/plan.ts";
import { type Observation, type Variant, variants } from "../../records/observation.ts";
import { choiceOption, exitCodes, type Io, type OptionValues, type Run, UsageError } from "../command.ts";
import { readKey, warnOfPlainHttp } from "../key.ts";
import { print } from "../layout.ts";
import { checkWritable, textIo, writeOutput } from "../output-file.ts";
import { isHealthyCycle, renderGithub, renderJunit } from "./formats.ts";
import { checkSavedBody } from "./saved-body.ts";
import { reserveCycle } from "./store.ts";
import { renderCycle } from "./text.ts";

function planCycle(values: OptionValues, hasKey: boolean): PlannedRequest[] {
  const only =
    values.endpoint === undefined
      ? undefined
      : choiceOption<EndpointId>(values, "endpoint", endpointIds[0], endpointIds);
  const name =
    values.variant === undefined
      ? undefined
      : choiceOption<Variant>(values, "variant", "authenticated", variants);
  const planned: { endpoint: EndpointId; variant: Variant }[] = [];
  for (const endpoint of variantEndpoints[name ?? "authenticated"])
    planned.push({ endpoint, variant: name ?? "authenticated" });
  if (!name) {
    // A failure can be attributed to the key or to V1 only with an anonymous request for comparison.
    if (hasKey) planned.push({ endpoint: only ?? sampleSource, variant: "anonymous" });
    if (values["other-id"] !== undefined)
      planned.push(...idsOf("single").map((endpoint) => ({ endpoint, variant: "by-other-id" as const })));
  }
  const selected = planned.filter(({ endpoint }) => only === undefined || endpoint === only);
  if (selected.length === 0) {
    throw new UsageError(
      `the variant ${name} exists for ${variantEndpoints[name ?? "authenticated"].join(" and ")}, not for ${only}`,
    );
  }
  return selected.map((request) => ({ ...request, reason: "confirmation", attempts: 2 }));
}

/** With samples set to "auto", an endpoint that takes a sample needs a list request that finds one. */
function needsLookup(requests: readonly PlannedRequest[], { samples }: Config): boolean {
  const hasList = requests.some(
    ({ endpoint, variant }) => endpoint === sampleSource && variant === "authenticated",
  );
  const needsSample = requests.some(({ endpoint, variant }) =>
    variant === "keyword"
      ? samples.keyword === "auto"
      : variant === "by-other-id"
        ? samples.otherIds === "auto"
        : endpoints[endpoint].role !== "list" && variant !== "unknown-id" && samples.ids === "auto",
  );
  return needsSample && !hasList;
}

function showProgress(io: Io, total: number) {
  let finished = 0;
  const draw = (text: string) => io.isTerminal && io.err(`\r\u001b[K${text}`);
  draw(`requests to V1: 0 of ${total}`);
  return {
    step: ({ endpoint }: Observation) => draw(`requests to V1: ${++finished} of ${total} (${endpoint})`),
    end: () => draw(""),
  };
}

/** Options of a request, which a saved body has none of. */
const requestOptions = ["variant", "id", "other-id", "junit", "github"] as const;

export const probe: Run = async (values, _positionals, io) => {
  if (typeof values.file === "string") {
    const other = requestOptions.find((name) => values[name] !== undefined);
    if (other) throw new UsageError(`--${other} applies to a request, not to a saved body (--file)`);
    return checkSavedBody(values.file, values, io);
  }
  const text = textIo(io, values.junit);
  const loaded = await readConfig(io.env, values);
  if (!loaded.ok) {
    io.err(`v1watch: ${mistakesText(loaded.mistakes)}\n`);
    return exitCodes.usage;
  }
  const { config, origins } = loaded;
  const key = await readKey(config, origins, io.env);
  if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
  warnOfPlainHttp(config, key.kind === "key", io);
  const requests = planCycle(values, key.kind === "key");
  const lookup = needsLookup(requests, config);
  // Checked before the first request, so that no request is wasted on a report that cannot be written.
  if (typeof values.junit === "string") await checkWritable(values.junit);
  const progress = showProgress(io, requests.length);
  const tickMs = Date.now();
  const maxRequests = requests.reduce((sum, { attempts }) => sum + attempts, lookup ? 1 : 0);
  const reservation = await reserveCycle(config, tickMs, maxRequests);
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
  const budgetText = await reservation.record({ tickMs, observations, results });

  const nowMs = Date.now();
  const limitSeconds = frozenHintSeconds(config);
  const cycle = { observations, nowMs, frozenAfterSeconds: limitSeconds };
  if (typeof values.junit === "string") await writeOutput(values.junit, renderJunit(cycle), io);
  if (values.json) text.out(`${JSON.stringify(observations, null, 2)}\n`);
  else {
    const keyText =
      key.kind === "key" ? `key ${maskKey(key.key)}` : key.kind === "none" ? "no key" : "key not found";
    const sent = results.reduce((sum, { requests: made }) => sum + made, 0);
    print(
      text,
      `V1 at ${config.baseUrl} · ${keyText} · ${sent} ${sent === 1 ? "request" : "requests"}${budgetText}\n\n`,
    );
    const { baseUrl } = config;
    const sentKey = key.kind === "key";
    print(text, renderCycle({ ...cycle, baseUrl, sentKey }));
    if (values.github) text.out(renderGithub(cycle));
  }
  const isUsageError = ({ kind, detail }: Observation["outcome"]) =>
    kind === "no-secret" || (kind === "refused" && detail !== "no-sample");
  if (observations.some(({ outcome }) => isUsageError(outcome))) return exitCodes.usage;
  return isHealthyCycle(cycle) ? exitCodes.success : exitCodes.findings;
};

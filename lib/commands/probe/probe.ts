// v1watch probe: sends one request to each endpoint of V1 and reports the results.
import { frozenHintSeconds } from "../../config/assessment-settings.ts";
import { type Config, describeProxy, variantEndpoints } from "../../config/config.ts";
import {
  api,
  type EndpointId,
  endpointIds,
  endpoints,
  idsOf,
  sampleSource,
} from "../../contract/endpoints.ts";
import { probe as runProbe } from "../../probe/probe.ts";
import type { PlannedRequest } from "../../probe/schedule/plan.ts";
import { type Observation, type Variant, variants } from "../../records/observation.ts";
import { plural } from "../../text.ts";
import {
  choice,
  defineCommand,
  exitCodes,
  flag,
  type Io,
  text,
  UsageError,
  type Values,
} from "../command.ts";
import { describeKey, readKey, warnOfPlainHttp } from "../key.ts";
import { createProgress, print, printJson } from "../layout.ts";
import { loadConfig } from "../load-config.ts";
import { openProxy } from "../proxy.ts";
import { allowLoopback, baseUrl, config as configOption, timeout } from "../shared-options.ts";
import { checkSavedBody } from "./saved-body.ts";
import { reserveCycle } from "./store.ts";
import { isHealthyCycle, renderCycle } from "./text.ts";
import { type ResponseDetails, renderResponses } from "./verbose.ts";

const options = {
  "base-url": baseUrl,
  endpoint: choice("<ID>", "only this endpoint; with --file the endpoint of the response", endpointIds),
  variant: choice("<NAME>", "only this variant", variants),
  file: text("<FILE>", "validate this body; - is standard input"),
  id: text("<ID>", `${api.sample.nouns.one} to request; without it one is taken from the list`),
  "other-id": text(
    "<ID>",
    `${api.sample.otherId?.nouns.one ?? "other id"} to look up, in an additional request`,
  ),
  "allow-loopback": allowLoopback,
  timeout,
  config: configOption,
  store: text(
    "<FILE>",
    "store of a watch; the requests are counted in its budget, and the observations are recorded unless the watch is running",
  ),
  verbose: {
    ...flag("also print address, TLS, phases, headers of interest and findings of each response"),
    conflictsWith: "json",
  },
  json: flag("print only the observations, or the findings of --file, as JSON"),
};
type ProbeValues = Values<typeof options>;

function planCycle(values: ProbeValues, hasKey: boolean): PlannedRequest[] {
  const { endpoint: only, variant } = values;
  const endpointsOf = variantEndpoints[variant ?? "authenticated"];
  const planned: { endpoint: EndpointId; variant: Variant }[] = endpointsOf.map((endpoint) => ({
    endpoint,
    variant: variant ?? "authenticated",
  }));
  if (!variant) {
    // A failure can be attributed to the key or to V1 only with an anonymous request for comparison.
    if (hasKey) planned.push({ endpoint: only ?? sampleSource, variant: "anonymous" });
    if (values["other-id"] !== undefined)
      planned.push(...idsOf("single").map((endpoint) => ({ endpoint, variant: "by-other-id" as const })));
  }
  const selected = planned.filter(({ endpoint }) => only === undefined || endpoint === only);
  if (selected.length === 0)
    throw new UsageError(`the variant ${variant} exists for ${endpointsOf.join(" and ")}, not for ${only}`);
  return selected.map((request) => ({ ...request, reason: "confirmation", attempts: 2 }));
}

/** With samples set to "auto", an endpoint that takes a sample needs a list request that finds one. */
function needsLookup(requests: readonly PlannedRequest[], { samples }: Config): boolean {
  const hasList = requests.some(
    ({ endpoint, variant }) => endpoint === sampleSource && variant === "authenticated",
  );
  const needsSample = requests.some(({ endpoint, variant }) =>
    variant === "by-other-id"
      ? samples.otherIds === "auto"
      : variant === "keyword" ||
        (endpoints[endpoint].role !== "list" && variant !== "unknown-id" && samples.ids === "auto"),
  );
  return needsSample && !hasList;
}

/** Options of a request, which a saved body has none of. */
const requestOptions = ["variant", "id", "other-id", "verbose"] as const;

export const probe = defineCommand({
  description:
    "Sends one request to each endpoint of V1, and prints the outcome, response time, drift, age of the data, access and retirement notices. With --file it sends nothing, and validates the saved body of a 200 response against V1's document.",
  options,
  notes: [
    "Exit codes: 0 as documented, 1 findings or failures, 2 usage or configuration error.",
    "Example:\n  v1watch simulate &\n  v1watch probe --base-url http://127.0.0.1:4181 --allow-loopback",
    `Example of a saved response:\n  curl -s http://127.0.0.1:4181${endpoints[endpointIds[0]].path} \\\n    | v1watch probe --file - --endpoint ${endpointIds[0]}`,
  ],
  async run(values, _positionals, io) {
    const { file } = values;
    if (file === undefined) return probeOnce(values, io);
    const other = requestOptions.find((name) => values[name]);
    if (other) throw new UsageError(`--${other} applies to a request, not to a saved body (--file)`);
    return checkSavedBody(file, values, io);
  },
});

async function probeOnce(values: ProbeValues, io: Io): Promise<number> {
  const { config, origins } = await loadConfig(values, io);
  const key = await readKey(config, origins, io.env);
  if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
  const proxy = await openProxy(config, io);
  const address = await proxy?.readAddress();
  const proxyText = address?.kind === "key" ? describeProxy(address.key) : undefined;
  const sentKey = key.kind === "key";
  warnOfPlainHttp(config, sentKey, io);
  const requests = planCycle(values, sentKey);
  const lookup = needsLookup(requests, config);
  const progress = createProgress(io);
  let finished = 0;
  progress.draw(`requests to V1: 0 of ${requests.length}`);
  const tickMs = Date.now();
  const maxRequests = requests.reduce((sum, { attempts }) => sum + attempts, lookup ? 1 : 0);
  const reservation = await reserveCycle(config, tickMs, maxRequests);
  const responses: ResponseDetails[] = [];
  const { observations, results } = await runProbe({
    tickMs,
    config,
    plan: { requests, lookup },
    key,
    proxy,
    nowMs: Date.now,
    allowLoopback: values["allow-loopback"],
    signal: io.signal,
    onResponse: (observation, { connection, headers }) =>
      responses.push({ observation, connection, headers }),
    onObservation: ({ endpoint }) =>
      progress.draw(`requests to V1: ${++finished} of ${requests.length} (${endpoint})`),
  });
  progress.clear();
  const budgetText = await reservation.record({ tickMs, observations, results });

  const cycle = { observations, nowMs: Date.now(), frozenAfterSeconds: frozenHintSeconds(config) };
  if (values.json) printJson(io, observations);
  else {
    const sent = results.reduce((sum, { requests: made }) => sum + made, 0);
    print(io, `V1 at ${config.baseUrl} · ${describeKey(key)} · ${plural(sent, "request")}${budgetText}\n\n`);
    print(io, renderCycle({ ...cycle, baseUrl: config.baseUrl, sentKey, proxyText }));
    if (values.verbose) print(io, renderResponses(responses, sentKey ? key.key : undefined));
  }
  const isUsageError = ({ kind, detail }: Observation["outcome"]) =>
    kind === "no-secret" || (kind === "refused" && detail !== "no-sample");
  if (observations.some(({ outcome }) => isUsageError(outcome))) return exitCodes.usage;
  return isHealthyCycle(cycle) ? exitCodes.success : exitCodes.findings;
}

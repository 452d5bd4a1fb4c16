// A command that shows this fault: the status, the header or the field. It holds no key and no person.
import {
  api,
  apiKeyHeader,
  type Endpoint,
  type EndpointId,
  endpointIds,
  endpoints,
  pathFor,
  type Variant,
} from "../../contract/endpoints.ts";
import type { DriftFact, Facts, RuleId } from "../../records/incident.ts";
import { shellQuoted, shellWord } from "../../text.ts";

/** Where a reader gets the key for the command. */
export type KeyHint = {
  /** The variable of the shell. */
  keyVariable?: string | undefined;
  /** The configured source, such as "the file /run/secrets/v1-key". */
  keySource?: string | undefined;
};

/** Without the key the command fails and sends nothing: a request without it would show something else. */
function keyHeader({ keyVariable = "V1WATCH_API_KEY", keySource }: KeyHint): string {
  const isPlain = keySource !== undefined && /^[\w ./@:+=-]+$/.test(keySource);
  const remedy = `set it to our key${isPlain ? ` from ${keySource}` : ""}`;
  return ` -H "${apiKeyHeader}: \${${keyVariable}:?${remedy}}"`;
}
const sample = `<${api.sample.nouns.one} id>`;

/** passports[].score → .passports[].score, and [].score of a list at the root → .[].score */
const jqPath = (path: string) => `.${path.replace(/^\./, "")}`;
const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
const field = (path: string) => path.slice(path.lastIndexOf(".") + 1).replace("[]", "");
const jq = (filter: string) => ` | jq -c '${filter}'`;

/** `query` is added to the path, for a finding that only a request with it shows. */
type Shown = { query?: string; filter: string };

function showFinding({ kind, path }: DriftFact, { parameters, pagination }: Endpoint): Shown {
  const value = jqPath(path);
  switch (kind) {
    case "missing":
      return { filter: jq(`[${jqPath(parent(path))} | has("${field(path)}")] | unique`) };
    case "retyped":
    case "null":
      return { filter: jq(`[${value} | type] | unique`) };
    case "envelope":
      return { filter: jq("keys") };
    case "order":
      return { filter: jq(`[${value}] | . == (sort | reverse)`) };
    case "filter":
      return {
        query: `?${parameters.find(({ filters }) => filters)?.name}=<a name>`,
        filter: pagination ? jq(jqPath(pagination.total)) : jq("length"),
      };
    case "pagination":
      return { filter: jq(value) };
    default:
      return { filter: path.startsWith("(") ? " | head -c 300" : jq(`[${value}][0:5]`) };
  }
}

export type ReproduceContext = KeyHint & { baseUrl: string; isAnonymous?: boolean | undefined };

/** The requests that show something of one endpoint, as commands. */
function createCurl(endpoint: Endpoint, { baseUrl, isAnonymous = false, ...hint }: ReproduceContext) {
  const key = isAnonymous ? "" : keyHeader(hint);
  const send = (options: string, sent: string, path: string) =>
    `curl -sS -m 15 ${options}${sent} ${shellQuoted(`${baseUrl}${path}`)}`;
  const path = pathFor(endpoint, sample);
  const status = (format: string, sent = key, ofPath = path) =>
    send(`-o /dev/null -w '${format}\\n'`, sent, ofPath);
  return {
    baseUrl,
    endpoint,
    status,
    statusAndTarget: (sent = key, ofPath = path) => status("%{http_code} %{redirect_url}", sent, ofPath),
    headers: (names: string) => `${send("-D - -o /dev/null", key, path)} | grep -iE '^(${names})'`,
    body: (filter: string, query = "") => `${send("--compressed", key, `${path}${query}`)}${filter}`,
    /** 401 and 403 are about the key: the same request without it belongs to them. */
    withAndWithoutKey: () =>
      [
        ...(isAnonymous ? [] : [status("with our key: %{http_code}")]),
        status("without a key: %{http_code}", ""),
      ].join("\n"),
  };
}
type Curl = ReturnType<typeof createCurl>;

const twentyTimes = (command: string) => `for i in $(seq 20); do ${command}; sleep 1; done | sort | uniq -c`;

/** The request of a variant. What identifies a person stands for itself. */
function requestVariant({ statusAndTarget, endpoint }: Curl, variant: Variant): string {
  switch (variant) {
    case "anonymous":
      return statusAndTarget("");
    case "bad-key":
      return statusAndTarget(` -H "${apiKeyHeader}: invalid"`);
    case "by-other-id":
      return statusAndTarget(
        undefined,
        pathFor(endpoint, `<${api.sample.otherId?.nouns.one ?? "another id"}>`),
      );
    case "unknown-id":
      return statusAndTarget(undefined, pathFor(endpoint, api.sample.unknownId));
    case "keyword":
      return statusAndTarget(undefined, `${endpoint.path}?keyword=<a name>`);
    case "second-page":
      return statusAndTarget(undefined, `${endpoint.path}?page=2`);
    case "authenticated":
      return statusAndTarget();
  }
}

function showDrift({ headers, body, endpoint }: Curl, { findings }: Facts): string {
  const [finding] = findings ?? [];
  // The first key tells V2's shape and an error from V1's container.
  if (!finding) return body(` | jq -r 'keys_unsorted[0]'`);
  if (finding.kind === "content-type") return headers("content-type");
  const { query, filter } = showFinding(finding, endpoint);
  return body(filter, query);
}

const rankedOf = ({ endpoint }: Curl) => endpoint.values[0] ?? endpoint.records;
const timestampOf = ({ endpoint }: Curl) => endpoint.timestamps[0] ?? endpoint.records;
const nameOf = (path: string) => path.split(".").at(-1);

type Command = (curl: Curl, facts: Facts) => string;

const showAccess: Command = ({ withAndWithoutKey }) => withAndWithoutKey();
const showKeys: Command = ({ body }) => body(jq("keys"));
const showScores: Command = (curl) => curl.body(jq(`[.${rankedOf(curl)}] | unique`));
const showNewest: Command = (curl) => curl.body(jq(`[.${timestampOf(curl)}] | max`));
const showRate: Command = ({ status }) => twentyTimes(status("%{http_code}"));
const showLength: Command = ({ body, endpoint: { records, pagination } }) => {
  const length = `.${records.replace("[]", "")} | length`;
  return body(jq(pagination ? `[(${length}), ${jqPath(pagination.total)}]` : length));
};
const showSunset: Command = ({ headers, statusAndTarget }, { source }) =>
  source === "configured" ? statusAndTarget() : headers("sunset");
const showConfig: Command = () => "v1watch config";
const showIncidents: Command = () => "v1watch incidents";

/** A rule without a row shows the status. */
const commands: Partial<Record<RuleId, Command>> = {
  "key-refused": showAccess,
  "access-refused": showAccess,
  "anonymous-refused": showAccess,
  "maybe-retired": showAccess,
  retired: ({ withAndWithoutKey, statusAndTarget }, { lastResponse }) =>
    lastResponse === "401" ? withAndWithoutKey() : statusAndTarget(),
  "quota-exhausted": ({ headers }) => headers("http|x-api-usage|ratelimit|x-ratelimit"),
  throttled: ({ headers }) => headers("http|retry-after|ratelimit|x-ratelimit"),
  "error-rate": showRate,
  "unauthorized-rate": showRate,
  "serves-v2": showKeys,
  "error-envelope": showKeys,
  "not-json": ({ body }) => body(" | head -c 300"),
  // One of these fails: the size, the encoding or the nesting.
  "unsafe-response": ({ body }) => body(" | head -c 5000000 | iconv -f utf-8 -t utf-8 | jq type"),
  "empty-list": showLength,
  "data-shrinking": showLength,
  "sublist-empty": ({ body, endpoint }) => body(jq(`.${endpoint.records.replace("[]", "")} | length`)),
  "stub-data": showScores,
  "equal-scores": showScores,
  "scores-jumped": (curl) => curl.body(jq(`[.${rankedOf(curl)}] | sort`)),
  sunset: showSunset,
  "sunset-passed": showSunset,
  deprecation: ({ body, headers }, { notices }) =>
    notices?.every((name) => /body/.test(name))
      ? body(jq("del(.. | arrays)"))
      : headers("deprecation|link|warning"),
  "breaking-drift": showDrift,
  "partial-drift": (curl, facts) => twentyTimes(showDrift(curl, facts)),
  frozen: showNewest,
  "date-jumped-back": showNewest,
  "future-dates": showNewest,
  "partly-frozen": (curl) =>
    curl.body(jq(`[.${timestampOf(curl)}[0:10]] | group_by(.) | map([.[0], length])`)),
  "dates-without-values": (curl) =>
    curl.body(jq(`.${curl.endpoint.records} | [.${nameOf(timestampOf(curl))}, .${nameOf(rankedOf(curl))}]`)),
  "dates-always-now": (curl) => curl.body(jq(`[.${timestampOf(curl)}] | [min, max, (now | todate)]`)),
  "duplicate-records": ({ body, endpoint: { recordId } }, { isOnTwoPages }) => {
    if (!isOnTwoPages) return body(jq(`[.${recordId}] | group_by(.) | map(select(length > 1)) | length`));
    // The ids that both pages have.
    const ids = ` | jq -r '.${recordId}'`;
    return `(${body(ids)}; ${body(ids, "?page=2")}) | sort | uniq -d | wc -l`;
  },
  "wrong-record": ({ body, endpoint }) => body(jq(`.${endpoint.recordId}`)),
  "null-fields": ({ body, endpoint }, { nullFields }) =>
    body(
      jq(`[.${nullFields?.[0]?.path ?? endpoint.records} | . == null] | group_by(.) | map([.[0], length])`),
    ),
  "variant-changed": (curl, { variant = "authenticated" }) => requestVariant(curl, variant),
  slow: ({ status }) => status("%{time_total} s"),
  certificate: ({ baseUrl }) => {
    const { host = "", hostname = "" } = URL.parse(baseUrl) ?? {};
    const address = host.includes(":") ? host : `${host}:443`;
    return `openssl s_client -connect ${shellWord(address)} -servername ${shellWord(hostname)} </dev/null 2>/dev/null | openssl x509 -noout -enddate`;
  },
  budget: showConfig,
  "no-secret": showConfig,
  "address-refused": showConfig,
  "proxy-failed": showConfig,
  "no-sample": showConfig,
  silent: showIncidents,
  undelivered: showIncidents,
  "rule-failed": showIncidents,
};

/** The endpoint that shows it: of a change, the one whose field it is. */
function endpointOf({ findings, endpoints: [first] }: Facts): EndpointId {
  const [finding] = findings ?? [];
  return endpointIds.find((id) => finding?.id.startsWith(`${id} `)) ?? first ?? endpointIds[0];
}

export function reproduce(facts: Facts, context: ReproduceContext): string {
  const curl = createCurl(endpoints[endpointOf(facts)], context);
  return commands[facts.rule]?.(curl, facts) ?? curl.statusAndTarget();
}

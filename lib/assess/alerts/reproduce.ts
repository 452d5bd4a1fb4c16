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

const keyHeader = ` -H "${apiKeyHeader}: $V1WATCH_API_KEY"`;
const sample = `<${api.sample.nouns.one} id>`;

/** passports[].score → .passports[].score, and [].score of a list at the root → .[].score */
const jqPath = (path: string) => `.${path.replace(/^\./, "")}`;
const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
const field = (path: string) => path.slice(path.lastIndexOf(".") + 1).replace("[]", "");
const jq = (filter: string) => ` | jq -c '${filter}'`;
const grep = (names: string) => ` | grep -iE '^(${names})'`;

/** `query` is added to the path, for a finding that only a request with it shows. */
type Shown = { query?: string; isHeaders?: true; filter: string };

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
    case "content-type":
      return { isHeaders: true, filter: grep("content-type") };
    default:
      return { filter: path.startsWith("(") ? " | head -c 300" : jq(`[${value}][0:5]`) };
  }
}

const headerNames: Partial<Record<RuleId, string>> = {
  sunset: "sunset",
  "sunset-passed": "sunset",
  deprecation: "deprecation|link|warning",
  "quota-exhausted": "http|x-api-usage|ratelimit|x-ratelimit",
  throttled: "http|retry-after|ratelimit|x-ratelimit",
};

function bodyFilter(facts: Facts, endpoint: Endpoint): string | undefined {
  const { records, recordId, timestamps, values, pagination } = endpoint;
  const container = records.replace("[]", "");
  const ranked = values[0] ?? records;
  const timestamp = timestamps[0] ?? records;
  switch (facts.rule) {
    case "serves-v2":
    case "error-envelope":
      return jq("keys");
    case "not-json":
      return " | head -c 300";
    case "unsafe-response":
      // One of these fails: the size, the encoding or the nesting.
      return " | head -c 5000000 | iconv -f utf-8 -t utf-8 | jq type";
    case "empty-list":
    case "data-shrinking":
      return jq(
        pagination ? `[(.${container} | length), ${jqPath(pagination.total)}]` : `.${container} | length`,
      );
    case "sublist-empty":
      return jq(`.${container} | length`);
    case "stub-data":
    case "equal-scores":
      return jq(`[.${ranked}] | unique`);
    case "dates-without-values":
      return jq(`.${records} | [.${timestamp.split(".").at(-1)}, .${ranked.split(".").at(-1)}]`);
    case "partly-frozen":
      return jq(`[.${timestamp}[0:10]] | group_by(.) | map([.[0], length])`);
    case "dates-always-now":
      return jq(`[.${timestamp}] | [min, max, (now | todate)]`);
    case "scores-jumped":
      return jq(`[.${ranked}] | sort`);
    case "duplicate-records":
      return facts.isOnTwoPages
        ? ` | jq -r '.${recordId}'`
        : jq(`[.${recordId}] | group_by(.) | map(select(length > 1)) | length`);
    case "wrong-record":
      return jq(`.${recordId}`);
    case "null-fields":
      return jq(
        `[.${facts.nullFields?.[0]?.path ?? records} | . == null] | group_by(.) | map([.[0], length])`,
      );
    case "future-dates":
    case "frozen":
    case "date-jumped-back":
      return jq(`[.${timestamp}] | max`);
    default:
      return undefined;
  }
}

/** 401 and 403 are about the key: the same request without it belongs to them. */
const accessRules: ReadonlySet<RuleId> = new Set([
  "key-refused",
  "access-refused",
  "anonymous-refused",
  "maybe-retired",
]);

/** The endpoint that shows it: of a change, the one whose field it is. */
function endpointOf({ findings, endpoints: [first] }: Facts): EndpointId {
  const [finding] = findings ?? [];
  return endpointIds.find((id) => finding?.id.startsWith(`${id} `)) ?? first ?? endpointIds[0];
}

const twentyTimes = (command: string) => `for i in $(seq 20); do ${command}; sleep 1; done | sort | uniq -c`;

export function reproduce(facts: Facts, baseUrl: string, isAnonymous: boolean): string {
  const id = endpointOf(facts);
  const endpoint = endpoints[id];
  const key = isAnonymous ? "" : keyHeader;
  const url = (query = "") => ` '${baseUrl}${pathFor(endpoint, sample)}${query}'`;
  const status = (format: string, sent = key) =>
    `curl -sS -m 15 -o /dev/null -w '${format}\\n'${sent}${url()}`;
  const headers = (filter: string) => `curl -sS -m 15 -D - -o /dev/null${key}${url()}${filter}`;
  const body = (filter: string, query = "") => `curl -sS -m 15 --compressed${key}${url(query)}${filter}`;
  /** The request of a variant. What identifies a person stands for itself. */
  const requestOf = (variant: Variant) => {
    const paths: Partial<Record<Variant, string>> = {
      "by-other-id": pathFor(endpoint, `<${api.sample.otherId?.nouns.one ?? "another id"}>`),
      "unknown-id": pathFor(endpoint, api.sample.unknownId),
      keyword: `${endpoint.path}?keyword=<a name>`,
      "second-page": `${endpoint.path}?page=2`,
    };
    const sent =
      variant === "anonymous" ? "" : variant === "bad-key" ? ` -H "${apiKeyHeader}: invalid"` : key;
    const path = paths[variant] ?? pathFor(endpoint, sample);
    return `curl -sS -m 15 -o /dev/null -w '%{http_code} %{redirect_url}\\n'${sent} '${baseUrl}${path}'`;
  };
  const both = () =>
    [
      ...(isAnonymous ? [] : [status("with our key: %{http_code}")]),
      status("without a key: %{http_code}", ""),
    ].join("\n");
  if (accessRules.has(facts.rule) || (facts.rule === "retired" && facts.lastResponse === "401"))
    return both();
  switch (facts.rule) {
    case "certificate": {
      const { host = "", hostname = "" } = URL.parse(baseUrl) ?? {};
      const address = host.includes(":") ? host : `${host}:443`;
      return `openssl s_client -connect ${address} -servername ${hostname} </dev/null 2>/dev/null | openssl x509 -noout -enddate`;
    }
    case "slow":
      return status("%{time_total} s");
    case "error-rate":
    case "unauthorized-rate":
      return twentyTimes(status("%{http_code}"));
    case "duplicate-records": {
      const filter = bodyFilter(facts, endpoint)!;
      if (!facts.isOnTwoPages) return body(filter);
      // The ids that both pages have.
      return `(${body(filter)}; ${body(filter, "?page=2")}) | sort | uniq -d | wc -l`;
    }
    case "variant-changed":
      return requestOf(facts.variant ?? "authenticated");
    case "breaking-drift":
    case "partial-drift": {
      const [finding] = facts.findings ?? [];
      const { query, isHeaders, filter }: Shown = finding
        ? showFinding(finding, endpoint)
        : // The first key tells V2's shape and an error from V1's container.
          { filter: ` | jq -r 'keys_unsorted[0]'` };
      const command = isHeaders ? headers(filter) : body(filter, query);
      return facts.rule === "partial-drift" ? twentyTimes(command) : command;
    }
    case "budget":
    case "no-secret":
      return "v1watch config";
    case "silent":
    case "undelivered":
    case "rule-failed":
      return "v1watch incidents";
    default: {
      const filter = bodyFilter(facts, endpoint);
      if (filter) return body(filter);
      const isInBody = facts.rule === "deprecation" && facts.notices?.every((name) => /body/.test(name));
      if (isInBody) return body(jq("del(.. | arrays)"));
      const names = facts.source === "configured" ? undefined : headerNames[facts.rule];
      return names ? headers(grep(names)) : status("%{http_code} %{redirect_url}");
    }
  }
}

// A command that shows this fault: the status, the header or the field. It holds no key and no person.
import { apiKeyHeader, type EndpointId, endpointIds, endpoints, pathFor } from "../../contract/endpoints.ts";
import type { Facts, RuleId } from "../../records/incident.ts";

const keyHeader = `-H "${apiKeyHeader}: $V1WATCH_API_KEY"`;

function urlOf(baseUrl: string, id: EndpointId): string {
  return `'${baseUrl}${pathFor(endpoints[id], "<passport id>")}'`;
}

/** passports[].score → .passports[].score */
const jqPath = (path: string) => `.${path.replace(/^\./, "")}`;
const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
const field = (path: string) => path.slice(path.lastIndexOf(".") + 1).replace("[]", "");

function driftFilter({ findings = [] }: Facts): string {
  const [finding] = findings;
  if (!finding) return "jq 'keys'";
  const { kind, path } = finding;
  if (kind === "missing") return `jq '${jqPath(parent(path))} | has("${field(path)}")'`;
  if (kind === "retyped" || kind === "envelope") return `jq '${jqPath(path)} | type'`;
  return path.startsWith("(") ? "head -c 300" : `jq '${jqPath(path)}'`;
}

const headerNames: Partial<Record<RuleId, string>> = {
  sunset: "sunset",
  "sunset-passed": "sunset",
  deprecation: "(deprecation|link|warning)",
  "quota-exhausted": "(http|x-api-usage|ratelimit|x-ratelimit)",
  throttled: "(http|retry-after|ratelimit|x-ratelimit)",
};

function bodyFilter(facts: Facts, records: string, timestamp: string): string | undefined {
  const container = records.replace("[]", "");
  switch (facts.rule) {
    case "serves-v2":
    case "error-envelope":
      return "jq 'keys'";
    case "not-json":
    case "unsafe-response":
      return "head -c 300";
    case "empty-list":
    case "data-shrinking":
      return `jq '(.${container} | length), .pagination.total'`;
    case "credentials-empty":
      return `jq '.${container} | length'`;
    case "stub-data":
    case "equal-scores":
    case "dates-without-values":
      return `jq '[.${records}.score] | unique'`;
    case "frozen":
    case "partly-frozen":
    case "date-jumped-back":
    case "dates-always-now":
      return `jq '[.${timestamp}] | max'`;
    case "breaking-drift":
    case "partial-drift":
      return driftFilter(facts);
    default:
      return undefined;
  }
}

export function reproduce(facts: Facts, baseUrl: string, isAnonymous: boolean): string {
  const id = facts.endpoints[0] ?? endpointIds[0];
  const endpoint = endpoints[id];
  const key = isAnonymous || facts.rule === "anonymous-refused" ? "" : ` ${keyHeader}`;
  const target = `${key} ${urlOf(baseUrl, id)}`;
  switch (facts.rule) {
    case "certificate": {
      const host = URL.parse(baseUrl)?.host ?? "";
      return `openssl s_client -connect ${host.includes(":") ? host : `${host}:443`} </dev/null | openssl x509 -noout -enddate`;
    }
    case "slow":
      return `curl -sS -o /dev/null -w '%{time_total} s\\n'${target}`;
    case "error-rate":
    case "unauthorized-rate":
      return `for i in $(seq 20); do curl -sS -o /dev/null -w '%{http_code}\\n'${target}; sleep 1; done | sort | uniq -c`;
    case "budget":
    case "no-secret":
      return "v1watch config";
    case "silent":
    case "undelivered":
      return "v1watch incidents";
    default: {
      const filter = bodyFilter(facts, endpoint.records, endpoint.timestamps[0] ?? endpoint.records);
      if (filter) return `curl -sS${target} | ${filter}`;
      const header = headerNames[facts.rule];
      return `curl -sS -D - -o /dev/null${target}${header ? ` | grep -iE '^${header}'` : ""}`;
    }
  }
}

// What `probe --verbose` prints of each response: with whom it spoke, how long each phase took, and the headers of interest.
import { printable } from "../../config/config.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Exchange } from "../../probe/http/exchange.ts";
import type { Observation } from "../../records/observation.ts";
import { labelOutcome } from "../../records/outcome.ts";
import { formatCount } from "../../text.ts";
import { momentText } from "../../time.ts";
import { renderFindings } from "../findings.ts";

export type ResponseDetails = { observation: Observation } & Pick<Exchange, "connection" | "headers">;

/** Those that say who answered, how old the answer is, and what V1 announces. The others may hold cookies, ids or addresses. */
const ofInterest =
  /^(?:age|cache-control|content-(?:encoding|length|type)|date|deprecation|retry-after|server|sunset|via|warning|www-authenticate|x-cache|(?:x-)?ratelimit(?:-(?:limit|policy|remaining|reset))?|x-powered-by)$/;
const maxValue = 80;

function cleanValue(value: string, key: string | undefined): string {
  if (key !== undefined && value.includes(key)) return "(contains the key)";
  return printable(value.length > maxValue ? `${value.slice(0, maxValue)}…` : value);
}

const listHeaders = (headers: ResponseDetails["headers"], key: string | undefined): [string, string][] =>
  Object.entries(headers)
    .filter(([name]) => ofInterest.test(name))
    .sort()
    .map(([name, value]) => [name, cleanValue(value, key)]);

const phaseNames = {
  dnsMs: "DNS",
  tcpMs: "TCP",
  tlsMs: "TLS",
  firstByteMs: "first byte after",
  totalMs: "total",
} as const satisfies Record<keyof Observation["timings"], string>;

const listPhases = (timings: Observation["timings"]) =>
  (Object.keys(phaseNames) as (keyof typeof phaseNames)[])
    .flatMap((name) => (timings[name] === undefined ? [] : [`${phaseNames[name]} ${timings[name]} ms`]))
    .join(", ");

function renderResponse(
  { observation, connection, headers }: ResponseDetails,
  key: string | undefined,
): string {
  const { endpoint, variant, timings, tls, bytes, findings, outcome } = observation;
  const rows: [string, string | undefined][] = [
    ["outcome", outcome.kind === "ok" ? `ok (${outcome.status})` : labelOutcome(outcome)],
    ["address", connection && (connection.address ?? "that of the proxy")],
    ["TLS", connection?.tlsVersion],
    ["certificate", tls ? `valid until ${momentText(tls.expiresAt)}` : undefined],
    ["phases", listPhases(timings)],
    ["body", `${formatCount(bytes.body)} bytes, ${formatCount(bytes.wire)} transferred`],
    ...listHeaders(headers, key),
  ];
  const lines = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}\t${value}`]));
  const found = findings.length > 0 ? [renderFindings(findings).join("\n")] : [];
  // The path of the document: that of the request may hold the id of a record.
  return [`GET ${endpoints[endpoint].path} (${variant})`, ...lines, ...found].join("\n");
}

/** `key`: what no line may contain. */
export const renderResponses = (responses: readonly ResponseDetails[], key: string | undefined): string =>
  responses.map((one) => `\n${renderResponse(one, key)}\n`).join("");

// What is wrong with the watch itself, and with V1's certificate: without checks the state of V1 is unknown.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import { checksOf, instantText } from "../history/queries.ts";
import type { History } from "../history/types.ts";
import { type Evaluation, firingOf, type RuleContext } from "./rule.ts";

const all = [...endpointIds];

export function evaluateCertificate(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds } = context;
  const { certificateMs } = history;
  if (certificateMs === undefined || history.lastMs === undefined) return [{ state: "unknown" }];
  const leftMs = certificateMs - nowMs;
  if (leftMs > thresholds.certificateWarnMs)
    return [{ state: "inactive", firstGoodMs: history.lastMs, good: 2, lastMs: nowMs }];
  const isPage = leftMs < thresholds.certificatePageMs;
  const expiresAt = instantText(certificateMs);
  const firing = firingOf(context, "certificate");
  const firstBadMs = firing ? Date.parse(firing.since) : nowMs;
  return [
    {
      state: "active",
      rule: "certificate",
      severity: isPage ? "page" : "warning",
      scope: "api",
      endpoints: all,
      firstBadMs,
      lastGoodMs: undefined,
      lastBadMs: nowMs,
      bad: 0,
      total: 0,
      facts: { expiresAt, daysLeft: Math.floor(leftMs / 86_400_000) },
      key: `${expiresAt.slice(0, 10)} ${isPage ? "page" : "warning"}`,
      isConfirmed: true,
    },
  ];
}

/** The key's source holds no key: nothing was sent, and nothing is known. */
export function evaluateNoSecret({ history, nowMs }: RuleContext): Evaluation[] {
  const rows = all.flatMap((endpoint) => {
    const row = history.endpoints[endpoint]?.noSecret;
    return row ? [{ endpoint, ...row }] : [];
  });
  if (rows.length === 0) return [{ state: "inactive", firstGoodMs: history.lastMs, good: 2, lastMs: nowMs }];
  const bad = rows.reduce((sum, { count }) => sum + count, 0);
  const firstBadMs = Math.min(...rows.map(({ sinceMs }) => sinceMs));
  const lastBadMs = Math.max(...rows.map(({ lastMs }) => lastMs));
  return [
    {
      state: "active",
      rule: "no-secret",
      severity: "page",
      scope: "api",
      endpoints: rows.map(({ endpoint }) => endpoint),
      firstBadMs,
      lastGoodMs: undefined,
      lastBadMs,
      bad,
      total: bad,
      facts: {},
      key: "no-secret",
    },
  ];
}

const lastCheckMs = (history: History, endpoint: EndpointId) => checksOf(history, endpoint).at(-1)?.atMs;

/** No check of an endpoint while the others have several; or no check at all. */
export function evaluateSilent(context: RuleContext): Evaluation[] {
  const { history, nowMs, settings, thresholds } = context;
  if (history.lastMs === undefined) return [{ state: "unknown" }];
  const firing = firingOf(context, "silent");
  const rows = all.flatMap((endpoint) => {
    const lastMs = lastCheckMs(history, endpoint);
    return lastMs === undefined ? [] : [{ endpoint, lastMs }];
  });
  const newestMs = Math.max(...rows.map(({ lastMs }) => lastMs));
  const isAllSilent = nowMs - newestMs > settings.silentAfterMs;
  const silent = rows.filter(({ endpoint, lastMs }) => {
    if (isAllSilent) return true;
    if (newestMs - lastMs <= settings.silentAfterMs) return false;
    const others = all
      .filter((one) => one !== endpoint)
      .flatMap((one) => checksOf(history, one).filter((check) => check.isPrimary && check.atMs > lastMs));
    return others.length >= thresholds.silentWhileOthers;
  });
  if (silent.length === 0) return [{ state: "inactive", firstGoodMs: newestMs, good: 2, lastMs: nowMs }];
  const endpoints = silent.map(({ endpoint }) => endpoint);
  const sinceMs = Math.max(...silent.map(({ lastMs }) => lastMs));
  const isAll = endpoints.length === rows.length;
  return [
    {
      state: "active",
      rule: "silent",
      severity: "page",
      scope: isAll ? "api" : "endpoint",
      endpoints,
      firstBadMs: firing ? Date.parse(firing.since) : sinceMs + settings.silentAfterMs,
      lastGoodMs: sinceMs,
      lastBadMs: Math.max(nowMs, sinceMs + settings.silentAfterMs),
      bad: 0,
      total: 0,
      facts: { limitSeconds: settings.silentAfterMs / 1_000 },
      key: endpoints.join(","),
      isConfirmed: true,
    },
  ];
}

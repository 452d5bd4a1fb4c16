// The deprecation headers (Sunset, Deprecation) that V1 sends now, and their history.

import { dayText, endpointsText } from "../../assess/date-text.ts";
import type {
  NoticeEvent,
  NoticeHeader,
  NoticesHistory,
} from "../../assess/rules/retirement/notices-history.ts";
import { noticeHeaders } from "../../assess/rules/retirement/notices-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { NoticesView } from "../server/api-schemas.ts";

export function readNotices({ retirement }: AssessState): NoticesView {
  if (!retirement) return { current: [], events: [] };
  const { current, events } = retirement.notices;
  return {
    current: noticeHeaders.flatMap((header) => readHeader(header, current)),
    events: events.toReversed().map((event) => ({
      at: new Date(event.atMs).toISOString(),
      text: describeEvent(event),
    })),
  };
}

/** Endpoints that send the same date are grouped. */
function readHeader(header: NoticeHeader, current: NoticesHistory["current"]): NoticesView["current"] {
  const groups = new Map<string, { endpoints: EndpointId[]; sinceMs: number }>();
  for (const endpoint of endpointIds) {
    const notice = current[endpoint]?.[header];
    if (!notice) continue;
    const date = notice.dateMs === undefined ? "" : dayText(notice.dateMs);
    const group = groups.get(date) ?? { endpoints: [], sinceMs: notice.dateSinceMs };
    group.endpoints.push(endpoint);
    group.sinceMs = Math.min(group.sinceMs, notice.dateSinceMs);
    groups.set(date, group);
  }
  return [...groups].map(([date, { endpoints, sinceMs }]) => ({
    header,
    endpoints,
    ...(date && { date }),
    since: new Date(sinceMs).toISOString(),
  }));
}

function describeEvent({ kind, header, endpoints, fromMs, toMs, times }: NoticeEvent): string {
  const where = `on ${endpointsText(endpoints)}`;
  const from = fromMs === undefined ? "" : ` from ${dayText(fromMs)}`;
  const to = toMs === undefined ? "" : ` to ${dayText(toMs)}`;
  const repetitions = times > 1 ? `, ${times} times` : "";
  switch (kind) {
    case "appeared":
      return `${header} appeared ${where}${toMs === undefined ? ", without a valid date" : `: ${dayText(toMs)}`}`;
    case "moved-earlier":
      return `${header} moved earlier${from}${to} ${where}${repetitions}`;
    case "moved-later":
      return `${header} moved later${from}${to} ${where}${repetitions}`;
    case "vanished":
      return `${header} was removed ${where}${fromMs === undefined ? "" : `; its date was ${dayText(fromMs)}`}`;
    case "contradictory":
      return `Sunset is earlier than Deprecation ${where}, which is invalid`;
  }
}

// What V1's headers have said about its end over time: dates appear, move both ways, vanish and contradict.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { Observation } from "../../../records/observation.ts";
import { hourMs, sortEndpoints } from "../../date-text.ts";

export const noticeHeaders = ["Sunset", "Deprecation"] as const;
export type NoticeHeader = (typeof noticeHeaders)[number];

export type Notice = {
  /** Absent where the header was sent without a date that can be read. */
  dateMs?: number;
  firstSeenMs: number;
  lastSeenMs: number;
  /** Since when it has had this date. */
  dateSinceMs: number;
  /** Answers in a row with another date, and without the header. */
  differs: number;
  missing: number;
  missingSinceMs?: number;
  /** Sunset before Deprecation. */
  contradictory?: true;
};

export type NoticeEvent = {
  kind: "appeared" | "moved-earlier" | "moved-later" | "vanished" | "contradictory";
  header: NoticeHeader;
  endpoints: EndpointId[];
  atMs: number;
  fromMs?: number;
  toMs?: number;
  /** How often in a row, for a date that keeps moving. */
  times: number;
};

export type NoticesHistory = {
  current: Partial<Record<EndpointId, Partial<Record<NoticeHeader, Notice>>>>;
  /** Oldest first. */
  events: NoticeEvent[];
  /** When a link to a successor, or warning 299, was last seen. */
  successorMs?: number;
  warningMs?: number;
};

const maxEvents = 40;
/** Dates this close are one date, computed anew for each answer. */
const sameDateMs = hourMs;
const confirmMoves = 2;
/** Gone only after several answers without it, over some time: one of several servers may lack it. */
const confirmVanished = { times: 4, forMs: hourMs };
/** The same news from another endpoint this soon is the same event. */
const oneEventMs = 2 * 24 * hourMs;

export const freshHistory = (): NoticesHistory => ({ current: {}, events: [] });

/** Only for the steady stream of answers, so that cases with and without a key are not mixed. */
export function noteNotices(history: NoticesHistory, { endpoint, at, notices, outcome }: Observation): void {
  const atMs = Date.parse(at);
  if (notices.links?.includes("successor-version")) history.successorMs = atMs;
  if (notices.warning === 299) history.warningMs = atMs;
  const { sunset, sunsetUnreadable, deprecation, contradictory } = notices;
  const sent: Record<NoticeHeader, { date?: string | undefined } | undefined> = {
    Sunset: sunset || sunsetUnreadable ? { date: sunset } : undefined,
    Deprecation: deprecation && { date: deprecation.at },
  };
  const current = history.current[endpoint] ?? {};
  history.current[endpoint] = current;
  for (const header of noticeHeaders) {
    const before = current[header];
    const now = sent[header];
    if (now) current[header] = noteSent(history, before, { header, endpoint, atMs, date: now.date });
    // A gateway's 503 does not carry V1's headers: only a good answer can lack them.
    else if (before && outcome.kind === "ok" && noteMissing(before, atMs)) {
      delete current[header];
      record(history, { kind: "vanished", header, endpoints: [endpoint], atMs, ...from(before) });
    }
  }
  const notice = current.Sunset;
  if (!notice || !sent.Sunset) return;
  if (contradictory && !notice.contradictory)
    record(history, {
      kind: "contradictory",
      header: "Sunset",
      endpoints: [endpoint],
      atMs,
      ...from(notice),
    });
  if (contradictory) notice.contradictory = true;
  else delete notice.contradictory;
}

const from = ({ dateMs }: Notice) => (dateMs === undefined ? {} : { fromMs: dateMs });

type Sent = { header: NoticeHeader; endpoint: EndpointId; atMs: number; date: string | undefined };

function noteSent(history: NoticesHistory, before: Notice | undefined, sent: Sent): Notice {
  const { header, endpoint, atMs, date } = sent;
  const dateMs = date === undefined ? undefined : Date.parse(date);
  const to = dateMs === undefined ? {} : { toMs: dateMs };
  if (!before) {
    record(history, { kind: "appeared", header, endpoints: [endpoint], atMs, ...to });
    const seen = { firstSeenMs: atMs, lastSeenMs: atMs, dateSinceMs: atMs, differs: 0, missing: 0 };
    return { ...(dateMs !== undefined && { dateMs }), ...seen };
  }
  before.lastSeenMs = atMs;
  before.missing = 0;
  delete before.missingSinceMs;
  const isSame =
    dateMs === undefined || (before.dateMs !== undefined && Math.abs(dateMs - before.dateMs) <= sameDateMs);
  before.differs = isSame ? 0 : before.differs + 1;
  if (isSame || before.differs < confirmMoves) return before;
  if (before.dateMs === undefined)
    record(history, { kind: "appeared", header, endpoints: [endpoint], atMs, ...to });
  else {
    const kind = dateMs < before.dateMs ? "moved-earlier" : "moved-later";
    record(history, { kind, header, endpoints: [endpoint], atMs, ...from(before), ...to });
  }
  return Object.assign(before, { dateMs, dateSinceMs: atMs, differs: 0 });
}

function noteMissing(notice: Notice, atMs: number): boolean {
  notice.missing++;
  notice.missingSinceMs ??= atMs;
  return notice.missing >= confirmVanished.times && atMs - notice.missingSinceMs >= confirmVanished.forMs;
}

/** The same news from another endpoint joins its event; a date that moves on the same way is counted there. */
function record(history: NoticesHistory, event: Omit<NoticeEvent, "times">): void {
  const { kind, header, atMs, fromMs, toMs, endpoints } = event;
  const isMove = isMoved(kind);
  const last = history.events.findLast(
    (other) => other.header === header && (isMove ? isMoved(other.kind) : other.kind === kind),
  );
  const alike = last?.kind === kind && atMs - last.atMs <= oneEventMs ? last : undefined;
  const isSameNews = alike && near(alike.toMs, toMs) && (isMove || near(alike.fromMs, fromMs));
  const isNewSource = alike && endpoints.some((endpoint) => !alike.endpoints.includes(endpoint));
  if (alike && isSameNews && (isMove || isNewSource)) {
    alike.endpoints = sortEndpoints([...alike.endpoints, ...endpoints]);
  } else if (alike && isMove && near(alike.toMs, fromMs) && toMs !== undefined) {
    alike.toMs = toMs;
    alike.times++;
  } else history.events.push({ ...event, times: 1 });
  if (history.events.length > maxEvents) history.events.shift();
}

const isMoved = (kind: NoticeEvent["kind"]) => kind === "moved-earlier" || kind === "moved-later";

const near = (one: number | undefined, other: number | undefined) =>
  one === other || (one !== undefined && other !== undefined && Math.abs(one - other) <= sameDateMs);

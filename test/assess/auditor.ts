// Checks what alerts claim against the log of checks. It knows the text that people read (claim-patterns.ts) and the
// observations, and nothing of the rules: it judges neither when nor why something is told, only whether it holds.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { classify, labelOf, type ResponseClass } from "../../lib/records/outcome.ts";
import {
  type Between,
  type Claim,
  type Fault,
  type Got,
  isShare,
  type Message,
  readMessage,
  type Series,
  type Span,
  type When,
} from "./claim-patterns.ts";

// ------------------------------------------------------------------------------------------------ the log
export type Check = Observation & {
  atMs: number;
  quality: "good" | "bad" | "none";
  class: ResponseClass;
  /** The latest check of its endpoint that measures V1 was served: where V1 fails, a refusal is no other fault. */
  isBesideServed: boolean;
};

/** In order of time. A sample that is not found while another one of the same tick is served says nothing. */
export function readLog(observations: readonly Observation[]): Check[] {
  const sorted = observations.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
  const opinions = new Map(
    sorted.filter(({ reason }) => reason === "second-opinion").map((one) => [one.id, one.outcome.kind]),
  );
  const served = new Map<EndpointId, Set<string>>(endpointIds.map((endpoint) => [endpoint, new Set()]));
  const latest = new Map<EndpointId, Check["quality"]>();
  return sorted.map((one) => {
    const known = served.get(one.endpoint)!;
    const isOwnSample =
      (one.outcome.status === 404 && opinions.get(`${one.id}/second-opinion`) === "ok") ||
      (classify(one) === "stub" && one.sample !== undefined && !known.has(one.sample));
    const name = isOwnSample ? "none" : classify(one);
    const quality = name === "none" ? "none" : name === "ok" ? "good" : "bad";
    if (quality === "good" && one.isPrimary && one.sample) known.add(one.sample);
    if (one.isPrimary) latest.set(one.endpoint, quality);
    const isBesideServed = latest.get(one.endpoint) === "good";
    return { ...one, atMs: Date.parse(one.at), quality, class: name, isBesideServed };
  });
}

/** What a check shows of a fault. `maybe`: the log alone does not decide it. */
type Mark = "good" | "bad" | "maybe" | undefined;
type Marks = { check: Check; mark: NonNullable<Mark> }[];

const servedOr = (isBad: (check: Check) => Mark) => (check: Check) =>
  check.quality === "good" ? isBad(check) : undefined;
const refusals: readonly ResponseClass[] = ["unauthorized", "forbidden", "quota"];
const hasBreaking = ({ findings }: Check) => findings.some(({ level }) => level === "breaking");
const isNotice = ({ notices: { deprecation, links = [], warning, message } }: Check) =>
  deprecation !== undefined ||
  links.some((rel) => rel !== "latest-version") ||
  warning === 299 ||
  message === true;

function failureMark({ quality, class: name }: Check): Mark {
  // Throttled checks count only while a failure lasts.
  if (name === "throttled") return "maybe";
  return quality === "none" ? undefined : quality;
}

/** Other checks may be of endpoints that the text does not name. */
const notSent = (isIt: (check: Check) => boolean) => (check: Check) => (isIt(check) ? "bad" : "maybe");

const marks: Partial<Record<Fault, (check: Check) => Mark>> = {
  // Another failure does not show it, and is none of its good checks.
  throttled: (check) =>
    check.quality === "bad" && check.class !== "throttled"
      ? "maybe"
      : check.quality === "none"
        ? undefined
        : check.quality,
  sunset: (check) => {
    const { sunset, sunsetText } = check.notices;
    if (sunset === undefined && sunsetText === undefined)
      return check.quality === "good" ? "good" : undefined;
    // A date that has come while V1 does not serve says nothing.
    const isPast = sunset !== undefined && Date.parse(sunset) < check.atMs;
    return isPast && check.quality !== "good" ? undefined : "bad";
  },
  deprecation: (check) => (isNotice(check) ? "bad" : check.quality === "good" ? "good" : undefined),
  "configured-end": servedOr(() => "maybe"),
  // Which findings are a change is not in the log.
  drift: servedOr((check) => (hasBreaking(check) ? "maybe" : "good")),
  "other-response": (check) =>
    check.quality === "good"
      ? hasBreaking(check)
        ? "bad"
        : "good"
      : check.outcome.kind === "ok" || check.outcome.kind === "not-json"
        ? "bad"
        : undefined,
  "wrong-record": servedOr(({ isOtherRecord }) => (isOtherRecord ? "bad" : "good")),
  "anonymous-refused": ({ quality, class: name, isBesideServed }) =>
    !isBesideServed ? "maybe" : quality === "good" ? "good" : refusals.includes(name) ? "bad" : undefined,
  slow: servedOr(() => "maybe"),
  variant: ({ quality }) => (quality === "none" ? undefined : "maybe"),
  data: servedOr(() => "maybe"),
  "no-key": notSent(({ outcome }) => outcome.kind === "no-secret"),
  address: notSent(({ outcome }) => outcome.kind === "refused"),
  proxy: notSent(({ outcome }) => outcome.detail?.startsWith("proxy-") === true),
  "no-sample": notSent(({ outcome }) => outcome.kind === "refused"),
  "not-checked": () => "maybe",
};

/** The responses of which a state speaks. */
const classesOf: Partial<Record<Fault, readonly ResponseClass[]>> = {
  down: ["failed"],
  "key-refused": ["unauthorized", "quota"],
  refused: ["unauthorized", "quota", "forbidden"],
  "every-request-refused": ["unauthorized", "quota", "forbidden"],
  quota: ["quota"],
  "access-refused": ["forbidden", "unauthorized"],
  throttled: ["throttled"],
  removed: ["not-found", "gone", "redirect", "unauthorized"],
  "v2-shape": ["v2-shape"],
  "error-envelope": ["error-envelope"],
  "not-json": ["not-json"],
  "empty-list": ["empty"],
  "stub-data": ["stub"],
  unsafe: ["unsafe"],
};

const isOfSeries: Record<Series, (check: Check) => boolean> = {
  checks: ({ isPrimary }) => isPrimary,
  latest: ({ isPrimary }) => isPrimary,
  scheduled: ({ isPrimary, reason }) => isPrimary && reason === "scheduled",
  anonymous: ({ isPrimary, variant }) => !isPrimary && variant === "anonymous",
  "second-page": ({ variant }) => variant === "second-page",
  variant: ({ isPrimary }) => !isPrimary,
};

// ------------------------------------------------------------------------------------------------ an audit
/** One message, what people were told before it, and the checks up to it. */
type Audit = {
  alert: Alert;
  atMs: number;
  message: Message;
  before: readonly Alert[];
  log: readonly Check[];
  began?: Between | undefined;
  ended?: Between | undefined;
  span?: Span | undefined;
};

type Subject = { where: readonly EndpointId[]; fault: Fault };
const subjectOf = ({ message }: Audit, claim: Claim): Subject => ({
  where: claim.where ?? message.where,
  fault: claim.fault ?? message.fault,
});

const isWithin = (atMs: number, { fromMs, untilMs }: When) => atMs >= fromMs && atMs < untilMs;
const timeOf = ({ fromMs }: When) =>
  Number.isFinite(fromMs) ? new Date(fromMs).toISOString().slice(0, 16).replace("T", " ") : "ever";

function listMarks({ log }: Audit, { where, fault }: Subject, series: Series = "checks"): Marks {
  const markOf = marks[fault] ?? failureMark;
  const usual = fault === "variant" || fault === "anonymous-refused" ? "anonymous" : series;
  const isOf = isOfSeries[fault === "variant" ? "variant" : usual];
  return log.flatMap((check) => {
    if (!where.includes(check.endpoint) || !isOf(check)) return [];
    const mark = markOf(check);
    return mark === undefined ? [] : [{ check, mark }];
  });
}

const isBad = ({ mark }: { mark: Mark }) => mark !== "good";
const isGood = ({ mark }: { mark: Mark }) => mark !== "bad";

/** The time of which the message speaks: from its onset to its last bad check. */
function windowOf({ began, ended, span, atMs }: Audit): When {
  const isDay = began !== undefined && began.by.untilMs - began.by.fromMs > 60_000;
  // Where the onset is given as a day, the first check that is counted is more exact.
  const from = isDay ? (span?.from ?? began.by) : (began?.by ?? span?.from);
  const fromMs = from?.fromMs ?? Number.NEGATIVE_INFINITY;
  return { fromMs, untilMs: ended?.after?.untilMs ?? atMs + 1 };
}

const among = (list: Marks, window: When) => list.filter(({ check }) => isWithin(check.atMs, window));

type Of<Kind extends Claim["kind"]> = Extract<Claim, { kind: Kind }>;
type Judge<Kind extends Claim["kind"]> = (claim: Of<Kind>, audit: Audit) => string[];

/** About the watch itself: such a text may name no endpoints. */
const isOwn = (fault: Fault): boolean =>
  ["no-key", "address", "proxy", "no-sample", "not-checked"].includes(fault);

/** Each endpoint that is named was bad in the window. */
const judgeScope: Judge<"scope"> = (claim, audit) => {
  const { where, fault } = subjectOf(audit, claim);
  if (fault === "none" || isOwn(fault)) return [];
  return where.flatMap((endpoint) =>
    among(listMarks(audit, { where: [endpoint], fault }), windowOf(audit)).some(isBad)
      ? []
      : [`${endpoint} had no bad check from ${timeOf(windowOf(audit))} on`],
  );
};

// ------------------------------------------------------------------------------------------------ counts
type Counted = { bad: [number, number]; total: [number, number]; got: Map<string, number> };

/** For each endpoint from its first bad check to its last; at the most all checks of the window. */
function count(list: Marks, window: When): Counted {
  const counted: Counted = { bad: [0, 0], total: [0, 0], got: new Map() };
  for (const endpoint of endpointIds) {
    const own = among(list, window).filter(({ check }) => check.endpoint === endpoint);
    const sure = own.slice(
      own.findIndex(({ mark }) => mark === "bad"),
      own.findLastIndex(({ mark }) => mark === "bad") + 1,
    );
    const bad = own.filter(({ mark }) => mark === "bad");
    if (bad.length > 0) counted.total[0] += sure.filter(({ mark }) => mark !== "maybe").length;
    counted.total[1] += own.length;
    counted.bad[0] += bad.length;
    counted.bad[1] += own.filter(isBad).length;
    for (const { check } of own.filter(isBad))
      counted.got.set(labelOf(check), (counted.got.get(labelOf(check)) ?? 0) + 1);
  }
  return counted;
}

const isBetween = (number: number, [least, most]: readonly [number, number]) =>
  number >= least && number <= most;

function findMiscount({ bad, total, got }: Of<"count">, counted: Counted): string[] {
  const named = (got ?? []).map((one) => one.label);
  const isSure = counted.bad[0] === counted.bad[1];
  return [
    ...(isBetween(bad, counted.bad) ? [] : [`${bad} bad checks, the log has ${counted.bad.join(" to ")}`]),
    ...(total === undefined || isBetween(total, counted.total)
      ? []
      : [`${total} checks, the log has ${counted.total.join(" to ")}`]),
    // People read the number as that of all checks of the endpoints in this time.
    ...(total !== undefined && isSure && total < counted.total[1] && total >= counted.total[0]
      ? [
          `${total} checks, each endpoint from its first bad one to its last; the window has ${counted.total[1]}`,
        ]
      : []),
    ...(got ?? [])
      .filter(({ label, count: said = bad }) => {
        const seen = counted.got.get(label) ?? 0;
        return isSure ? said !== seen : said > seen;
      })
      .map(({ label }) => `${label}, the log has it ${counted.got.get(label) ?? 0} times`),
    // Four are named at the most.
    ...(got && isSure && named.length < 4
      ? [...counted.got.keys()]
          .filter((label) => !named.includes(label))
          .map((label) => `no word of ${label}`)
      : []),
  ];
}

/**
 * Instants are written without seconds: every check of the minutes that are named may be the first and the last. The first one
 * follows a good one, but where another cause began ("since about").
 */
function findWindows(list: Marks, { from, to }: Span, isAbout: boolean): When[] {
  const edges = (when: When) => list.filter((one) => isBad(one) && isWithin(one.check.atMs, when));
  const [firsts, lasts] = [edges(from), edges(to)];
  const isOnset = ({ check }: Marks[number]) => {
    const own = list.filter((one) => one.check.endpoint === check.endpoint && one.check.atMs < check.atMs);
    return own.at(-1)?.mark !== "bad";
  };
  const starts = firsts.filter((one, index) => isAbout || index === 0 || isOnset(one));
  return starts.flatMap((first) =>
    lasts.slice(-6).map((last) => ({ fromMs: first.check.atMs, untilMs: last.check.atMs + 1 })),
  );
}

const judgeCount: Judge<"count"> = (claim, audit) => {
  const subject = subjectOf(audit, claim);
  if (isShare(claim.series)) return judgeShare(claim, audit, subject);
  if (claim.series === "anonymous" && claim.fault === "none") return judgeAnonymous(claim, audit, subject);
  if (subject.fault === "not-checked") return [];
  const list = listMarks(audit, subject, claim.series);
  const { began, ended } = audit;
  const span = claim.span ?? (began && ended?.after ? { from: began.by, to: ended.after } : audit.span);
  if (!span) return [];
  const windows = findWindows(list, span, began !== undefined && began.after === undefined);
  if (windows.length === 0) return [`no bad check at ${timeOf(span.from)}, or none at ${timeOf(span.to)}`];
  const all = windows.map((window) => [
    ...findMiscount(claim, count(list, window)),
    ...findUntouched(among(list, window), subject.where),
  ]);
  return all.find((mistakes) => mistakes.length === 0) ?? all[0]!;
};

/** Endpoints that are named, and of which no check is bad. */
const findUntouched = (list: Marks, where: readonly EndpointId[]): string[] =>
  where
    .filter((endpoint) => !list.some((one) => one.check.endpoint === endpoint && isBad(one)))
    .map((endpoint) => `${endpoint} had no bad check`);

/** It says that it does not count all checks. */
const leavesOut = ({ claims }: Message): boolean =>
  claims.some(({ claim }) => claim.kind === "value" && claim.of === "left out");

/**
 * Of scheduled checks, in a window that ends with the latest one. Where the message says that it leaves out those inside other
 * incidents, the window may have more, and end earlier.
 */
function judgeShare(claim: Of<"count">, audit: Audit, subject: Subject): string[] {
  const { atMs, message } = audit;
  const list = listMarks(audit, subject, claim.series);
  const { bad, total = 0, got = [] } = claim;
  // A subject has the window of the sentence.
  const length =
    claim.length ??
    message.claims.flatMap(({ claim: other }) => (other.kind === "count" ? (other.length ?? []) : []))[0] ??
    ({ least: 86_400, toleranceSeconds: 60 } as const);
  const isAlone = !leavesOut(message);
  const ends = list.map(({ check }) => check.atMs).filter((ms) => ms > atMs - 86_400_000);
  const longest = (length.least + length.toleranceSeconds) * 1_000;
  // Of checks of all kinds those until the last bad one, or until a good one since. Of the schedule always the latest ones.
  const lastBad = ends.findLastIndex((ms) =>
    list.some(({ check, mark }) => check.atMs === ms && mark !== "good"),
  );
  const lastEnds = claim.series === "latest" ? ends.slice(Math.max(0, lastBad)) : ends.slice(-1);
  // A length is written in two units: any check of that time may be the first one.
  const windows = isAlone
    ? lastEnds.flatMap((endMs) =>
        list
          .filter(
            ({ check }) => Math.abs((endMs - check.atMs) / 1_000 - length.least) <= length.toleranceSeconds,
          )
          .map(({ check }) => ({ fromMs: check.atMs, untilMs: endMs + 1 })),
      )
    : ends.map((endMs) => ({ fromMs: endMs - longest, untilMs: endMs + 1 }));
  const isSeen = windows.some((window) => {
    const counted = count(list, window);
    const isSame = bad === counted.bad[1] && total === counted.total[1];
    const isLess = bad <= counted.bad[1] && total <= counted.total[1];
    const isGot = got.every(({ label, count: said = bad }) => said <= (counted.got.get(label) ?? 0));
    return (
      (isAlone ? isSame : isLess) && isGot && findUntouched(among(list, window), subject.where).length === 0
    );
  });
  const sum = got.reduce((added, { count: said = bad }) => added + said, 0);
  return [
    ...(isSeen ? [] : [`no such window has ${bad} of ${total}`]),
    ...(got.length > 0 && got.length < 4 && sum !== bad ? [`${sum} responses of ${bad} bad checks`] : []),
  ];
}

/** Anonymous checks that were served, of those that were served or refused. */
function judgeAnonymous(claim: Of<"count">, audit: Audit, { where }: Subject): string[] {
  const { from } = claim.span!;
  const list = audit.log.filter(
    (check) =>
      where.includes(check.endpoint) &&
      isOfSeries.anonymous(check) &&
      (check.quality === "good" || refusals.includes(check.class)),
  );
  // Any check of the minute that is named may be the first one.
  const starts = [
    from.fromMs,
    ...list.map(({ atMs }) => atMs).filter((atMs) => isWithin(atMs, from)),
    from.untilMs,
  ];
  const seen = starts.map((fromMs) => {
    const own = list.filter(({ atMs }) => atMs >= fromMs);
    return { served: own.filter(({ quality }) => quality === "good").length, total: own.length };
  });
  return seen.some(({ served, total }) => served === claim.bad && total === claim.total)
    ? []
    : [`the log has ${seen[0]!.served} of ${seen[0]!.total}`];
}

// ------------------------------------------------------------------------------------------------ the others
/** Each response that is named is one of the bad ones. */
const judgeStatus: Judge<"status"> = (claim, audit) => {
  const subject = subjectOf(audit, claim);
  const window = {
    fromMs: claim.from?.fromMs ?? windowOf(audit).fromMs,
    untilMs: claim.to?.untilMs ?? windowOf(audit).untilMs,
  };
  const seen = new Set(
    among(listMarks(audit, subject), window)
      .filter(isBad)
      .map(({ check }) => labelOf(check)),
  );
  return claim.got
    .filter(({ label }: Got) => !seen.has(label))
    .map(({ label }) => `no check got ${label}; they got ${[...seen].join(", ") || "nothing"}`);
};

const judgeInstant: Judge<"instant"> = (claim, audit) => {
  const subject = subjectOf(audit, claim);
  const own = listMarks(audit, subject);
  const at = among(own, claim.at);
  const missing = [`no such check at ${timeOf(claim.at)}`];
  switch (claim.shows) {
    case "good":
      return at.some(isGood) ? [] : missing;
    case "bad":
      return at.some(isBad) ? [] : missing;
    case "last bad": {
      const counts = audit.message.claims.flatMap(({ claim: other }) =>
        other.kind === "count" ? other.series : [],
      );
      // The RESOLVED of a share does not say which checks were counted.
      const candidates = (
        counts.find(isShare) ? counts.filter(isShare) : (["scheduled", "latest"] as const)
      ).map((series) => listMarks(audit, subject, series));
      const counted = candidates.find((marks) => among(marks, claim.at).some(isBad));
      if (!counted) return missing;
      const later = counted.filter(({ check, mark }) => mark === "bad" && check.atMs >= claim.at.untilMs);
      // Those of an outage that was told are not counted.
      const isTold = audit.before.some(({ at: told }) => Date.parse(told) > claim.at.fromMs);
      return later.length === 0 || isTold || leavesOut(audit.message) ? [] : [`${later.length} later ones`];
    }
    case "last check": {
      const last = audit.log.findLast(({ endpoint }) => subject.where.includes(endpoint));
      return last && isWithin(last.atMs, claim.at) ? [] : [`the last check was at ${last?.at}`];
    }
    case "anonymous served":
      return among(listMarks(audit, { ...subject, fault: "anonymous-refused" }, "anonymous"), claim.at).some(
        ({ mark }) => mark === "good",
      )
        ? []
        : missing;
    case "announced": {
      const opened = audit.before.find(
        ({ event, id }) => event === "opened" && id.split("/")[0] === audit.alert.id.split("/")[0],
      );
      return opened && isWithin(Date.parse(opened.at), claim.at) ? [] : [`it was announced at ${opened?.at}`];
    }
    case "lasting": {
      // The check itself is the first one: others of its minute may be before it.
      const since = among(own, { fromMs: claim.at.untilMs, untilMs: audit.atMs + 1 });
      const good = since.filter(({ mark }) => mark === "good").length;
      if (!at.some(isBad)) return missing;
      return good > 0 ? [`${good} of ${since.length} checks since then were good`] : [];
    }
  }
};

/** Between the checks that are named; and no endpoint recovered before the shortest time was over. */
const judgeDuration: Judge<"duration"> = (claim, audit) => {
  const { where, fault } = subjectOf(audit, claim);
  // A subject has the times of the sentence about the same endpoints.
  const sentence = audit.message.claims.find(
    ({ claim: other }) =>
      other.kind === "duration" &&
      other.began &&
      (other.where ?? audit.message.where).join() === where.join(),
  )?.claim as Of<"duration"> | undefined;
  const began = claim.began ?? sentence?.began ?? audit.began;
  const ended = claim.ended ?? sentence?.ended ?? audit.ended;
  if (!began || !ended?.after) return [];
  const { least, most, toleranceSeconds: near } = claim.length;
  const seconds = (to: When, from: When) => (to.fromMs - from.fromMs) / 1_000;
  const shortest = seconds(ended.after, began.by);
  const isKnown = began.after && Number.isFinite(ended.by.untilMs);
  const longest = isKnown ? seconds(ended.by, began.after!) : undefined;
  const window = { fromMs: began.by.fromMs, untilMs: ended.after.untilMs };
  const early = where.flatMap((endpoint) => {
    const own = listMarks(audit, { where: [endpoint], fault });
    const first = own.findIndex((one) => isBad(one) && isWithin(one.check.atMs, window));
    const last = own.findLastIndex((one) => isBad(one) && isWithin(one.check.atMs, window));
    const [before, after] = [own[first - 1], own[last + 1]];
    if (first < 0 || !before || !after) return [];
    const mostSeconds = (after.check.atMs - before.check.atMs) / 1_000;
    return mostSeconds + near < least
      ? [`${endpoint} was bad for ${Math.round(mostSeconds / 60)} min at the most`]
      : [];
  });
  // "Up to" says nothing of the shortest time.
  const isUpTo = least === 0 && shortest > near;
  return [
    ...(!isUpTo && Math.abs(shortest - least) > near
      ? [`from first to last bad check it is ${shortest} s`]
      : []),
    ...(isUpTo && most !== undefined && most + near < shortest ? [`it is at least ${shortest} s`] : []),
    ...(isUpTo && most !== undefined && longest !== undefined && most > longest + near + 60
      ? [`it is ${longest} s at the most`]
      : []),
    ...(!isUpTo && most !== undefined && longest !== undefined && Math.abs(longest - most) > near + 60
      ? [`from good to good it is ${longest} s`]
      : []),
    ...early,
  ];
};

/** From the first to the last bad check that the sentences name, no other endpoints were bad for longer than these. */
const judgeLongest: Judge<"longest"> = (claim, audit) => {
  const { message } = audit;
  const of = ({ where = message.where }: Claim) => where.join();
  const lengths = message.claims.flatMap(({ claim: began }) => {
    if (began.kind !== "since" || began.isEarlier) return [];
    const end = message.claims.find(({ claim: other }) => other.kind === "ended" && of(other) === of(began));
    const last = (end?.claim as Of<"ended"> | undefined)?.ended.after;
    return last ? [{ where: of(began), ms: last.fromMs - began.began.by.fromMs }] : [];
  });
  const isNamed = ({ where }: { where: string }) =>
    claim.where ? where === of(claim) : where.split(",").length === claim.size;
  const own = lengths.filter(isNamed).toSorted((a, b) => b.ms - a.ms)[0];
  if (!own) return ["no sentence says how long it was on these"];
  return lengths.filter(({ ms }) => ms > own.ms + 60_000).map(({ where }) => `on ${where} it was for longer`);
};

/** A date is confirmed by two checks of the endpoints that are named, and by one of each. */
const judgeDate: Judge<"date"> = (claim, audit) => {
  const { where } = subjectOf(audit, claim);
  const { date, isEarliest = false, isFormer = false, days } = claim;
  const named = audit.log.filter(
    ({ endpoint, notices }) => where.includes(endpoint) && notices.sunset !== undefined,
  );
  // A date that is computed anew for each response is one date within an hour.
  const near = { fromMs: date.fromMs - 3_600_000, untilMs: date.untilMs + 3_600_000 };
  const isIt = ({ notices }: Check) => isWithin(Date.parse(notices.sunset!), near);
  const isLater = ({ notices }: Check) => Date.parse(notices.sunset!) >= near.fromMs;
  const seen = named.filter(isIt);
  const far = Math.floor(date.fromMs / 86_400_000) - Math.floor(audit.atMs / 86_400_000);
  return [
    ...(seen.length < 2 ? [`${timeOf(date)} was named by ${seen.length} checks`] : []),
    ...where
      .filter(
        (endpoint) =>
          !isFormer && !named.some((one) => one.endpoint === endpoint && (isEarliest ? isLater : isIt)(one)),
      )
      .map((endpoint) => `${endpoint} did not name ${timeOf(date)}`),
    // The team's day may begin later than that of UTC.
    ...(days !== undefined && days !== far && days !== far + 1 ? [`it is ${far} days away`] : []),
  ];
};

/** The onset lies after a good check and at or before a bad one. */
const judgeSince: Judge<"since"> = (claim, audit) => {
  const { began } = claim;
  const subject = subjectOf(audit, claim);
  if (subject.fault === "none" || isOwn(subject.fault)) return [];
  const own = listMarks(audit, subject);
  // Of these the message says that it began before.
  const earlier = audit.message.claims.flatMap(({ claim: other }) =>
    other.kind === "since" && other.isEarlier && other !== claim ? (other.where ?? []) : [],
  );
  // Nothing that counts lies between the two checks that are named.
  const between =
    began.after && audit.alert.event === "opened"
      ? own.filter(
          ({ check, mark }) =>
            mark !== "maybe" &&
            !earlier.includes(check.endpoint) &&
            check.atMs >= began.after!.untilMs &&
            check.atMs < began.by.fromMs,
        )
      : [];
  return [
    ...(among(own, began.by).some(isBad) ? [] : [`no bad check at ${timeOf(began.by)}`]),
    ...(began.after && !among(own, began.after).some(isGood)
      ? [`no good check at ${timeOf(began.after)}`]
      : []),
    ...(between.length > 0 ? [`a ${between[0]!.mark} check at ${between[0]!.check.at}`] : []),
  ];
};

/** Its end follows a bad check of that endpoint, and none is bad after it. */
const judgeEnded: Judge<"ended"> = ({ ended, ...claim }, audit) => {
  const subject = subjectOf(audit, { ...claim, ended });
  if (subject.fault === "none" || isOwn(subject.fault)) return [];
  const own = listMarks(audit, subject);
  const isEnd = ({ check, mark }: Marks[number]) => {
    const before = own.filter((one) => one.check.endpoint === check.endpoint && one.check.atMs < check.atMs);
    return mark !== "bad" && before.at(-1) !== undefined && isBad(before.at(-1)!);
  };
  const later = own.filter(({ check, mark }) => mark === "bad" && check.atMs >= ended.after!.untilMs);
  return [
    ...(among(own, ended.after!).some(isBad) ? [] : [`no bad check at ${timeOf(ended.after!)}`]),
    ...(!Number.isFinite(ended.by.untilMs) || among(own, ended.by).some(isEnd)
      ? []
      : [`no good check at ${timeOf(ended.by)} that follows a bad one of its endpoint`]),
    ...(later.length > 0 ? [`${later.length} bad checks after it`] : []),
  ];
};

const enough = 10;
const nineTenths = 0.9;

/** Of endpoints that became bad one after the other, the sentences count each group in its own time: they are more exact. */
function countGroups({ message }: Audit, { where }: Subject): { bad: number; total: number } | undefined {
  const groups = message.claims.flatMap(({ claim }) =>
    claim.kind === "count" && claim.where && claim.total !== undefined && claim.where.length < where.length
      ? [{ names: claim.where, bad: claim.bad, total: claim.total }]
      : [],
  );
  const isWhole = where.every((endpoint) => groups.some(({ names }) => names.includes(endpoint)));
  const sum = (of: "bad" | "total") => groups.reduce((all, group) => all + group[of], 0);
  return isWhole ? { bad: sum("bad"), total: sum("total") } : undefined;
}

/** From ten checks on nine tenths are bad, and nine tenths of these show the cause. */
const judgeCause: Judge<"cause"> = (claim, audit) => {
  const subject = subjectOf(audit, claim);
  const { fromMs, untilMs } = windowOf(audit);
  const lasting = audit.message.claims.find(
    ({ claim: other }) => other.kind === "instant" && other.shows === "lasting",
  )?.claim as Of<"instant"> | undefined;
  const firstMs = Math.max(fromMs, lasting?.at.fromMs ?? fromMs);
  const own = listMarks(audit, subject);
  const groups = countGroups(audit, subject);
  const classes = classesOf[subject.fault] ?? [];
  // Instants are written without seconds: any check of the first minute may be the first one.
  const starts = own.map(({ check }) => check.atMs).filter((ms) => ms >= firstMs && ms < firstMs + 60_000);
  const all = [firstMs, ...starts].map((startMs) => {
    const window = { fromMs: startMs, untilMs };
    const counted = count(own, window);
    const { bad, total } = groups ?? { bad: counted.bad[1], total: counted.total[0] };
    const shown = among(own, window).filter(isBad);
    const carried = shown.filter(({ check }) => classes.includes(check.class) || check.class === "throttled");
    // Where endpoints have a window each, their bad checks are those of these windows.
    const toShow = groups?.bad ?? shown.length;
    return [
      ...(total >= enough && bad < nineTenths * total ? [`${bad} of ${total} checks were bad`] : []),
      ...(toShow >= enough && carried.length < nineTenths * toShow
        ? [`${carried.length} of ${toShow} bad checks show it`]
        : []),
    ];
  });
  return all.find((mistakes) => mistakes.length === 0) ?? all[0]!;
};

/** Numbers that a response itself has. */
const judgeValue: Judge<"value"> = (claim, audit) => {
  const { where, fault } = subjectOf(audit, claim);
  const { of, is, among: outOf } = claim;
  const own = audit.log.filter(({ endpoint }) => where.includes(endpoint));
  const hasOne = (isIt: (check: Check) => boolean) => (own.some(isIt) ? [] : [`no check shows ${of} ${is}`]);
  const [what, name] = of.split(" ");
  if (of === "recovered") {
    const last = listMarks(audit, { where, fault }).at(-1);
    return last && isGood(last) ? [] : [`${where.join()} is bad`];
  }
  if (what === "path")
    return hasOne(({ findings }) =>
      findings.some(
        (one) => one.path === name && (outOf === undefined || (one.count === is && one.of === outOf)),
      ),
    );
  if (what === "field")
    return where.flatMap((endpoint) =>
      own.some(
        (check) =>
          check.endpoint === endpoint && check.findings.some(({ path }) => path.split(".").at(-1) === name),
      )
        ? []
        : [`${endpoint} has no change of ${name}`],
    );
  if (what === "difference") return hasOne(({ findings }) => findings.some(({ kind }) => kind === name));
  if (of === "changed fields") {
    const seen = new Set(own.flatMap(({ findings }) => findings.map(({ id }) => id)));
    return seen.size < is ? [`the log has ${seen.size}`] : [];
  }
  if (of === "latency") return hasOne(({ timings }) => Math.round(timings.totalMs) === is);
  if (of === "total") return hasOne(({ staleness }) => staleness?.total === is);
  if (of === "median score") return hasOne(({ medianScore }) => medianScore === is);
  if (of === "equal scores")
    return hasOne(({ equalScores }) => equalScores?.same === is && equalScores.of === outOf);
  if (of === "usage")
    return hasOne(({ notices }) => notices.usage?.current === is && notices.usage.limit === outOf);
  if (of === "newest date")
    return hasOne(({ atMs, staleness }) =>
      staleness?.ages ? Math.abs(atMs - staleness.ages.newest * 1_000 - is) <= 121_000 : false,
    );
  if (of === "certificate")
    return hasOne(
      ({ tls }) => tls !== null && tls.expiresAt.slice(0, 10) === new Date(is).toISOString().slice(0, 10),
    );
  if (of === "days ahead")
    return hasOne(
      ({ atMs, notices }) =>
        notices.sunset !== undefined &&
        Math.abs((Date.parse(notices.sunset) - atMs) / 86_400_000 - is) <= 1.5,
    );
  if (of === "samples") {
    const window = windowOf(audit);
    const samples = listMarks(audit, { where, fault }).filter(
      (one) => isBad(one) && isWithin(one.check.atMs, window),
    );
    const seen = new Set(samples.map(({ check }) => `${check.endpoint} ${check.sample}`));
    return seen.size < is ? [`the log has ${seen.size}`] : [];
  }
  if (of === "left out") {
    const counts = audit.message.claims.flatMap(({ claim: other }) => (other.kind === "count" ? other : []));
    const counted = counts.flatMap(({ total }) => total ?? []);
    const isOfAll = counts.some(({ series }) => series === "latest");
    const candidates = own.filter(
      ({ atMs, reason, isPrimary }) =>
        isPrimary &&
        (isOfAll || reason === "scheduled") &&
        atMs <= audit.atMs &&
        atMs > audit.atMs - 86_400_000,
    );
    // A RESOLVED repeats no counts.
    const isLess = counted.length === 0 || candidates.length > Math.min(...counted);
    return isLess ? [] : ["every check is counted"];
  }
  return [`the auditor does not know how to judge "${of}"`];
};

const judges: { [Kind in Claim["kind"]]: Judge<Kind> } = {
  scope: judgeScope,
  count: judgeCount,
  status: judgeStatus,
  instant: judgeInstant,
  duration: judgeDuration,
  longest: judgeLongest,
  date: judgeDate,
  since: judgeSince,
  ended: judgeEnded,
  cause: judgeCause,
  value: judgeValue,
};

function judge<Kind extends Claim["kind"]>(claim: Of<Kind>, audit: Audit): string[] {
  return (judges[claim.kind] as Judge<Kind>)(claim, audit);
}

/** Those of the monitor itself and summaries of a day are not about checks of V1. */
const isAudited = ({ event, rule }: Alert) =>
  event !== "digest" && event !== "drill" && rule !== "monitor" && rule !== "undelivered";

/** Where the subject does not name its endpoints, it has to hold for those that the sentences name. */
function auditOne(alert: Alert, log: readonly Check[], before: readonly Alert[]): string[] {
  const message = readMessage(alert);
  return message.anyOf
    .map((where) => auditWith({ ...message, where }, alert, log, before))
    .reduce((least, mistakes) => (mistakes.length < least.length ? mistakes : least));
}

function auditWith(
  message: Message,
  alert: Alert,
  log: readonly Check[],
  before: readonly Alert[],
): string[] {
  const all = <Kind extends Claim["kind"]>(kind: Kind) =>
    message.claims.flatMap(({ claim }) => (claim.kind === kind ? [claim as Of<Kind>] : []));
  // The sentences are more exact than the subject; of several groups of endpoints the first onset and the last end count.
  const began = all("since")
    .filter(({ isEarlier }) => !isEarlier)
    .map((one) => one.began)
    .toSorted((a, b) => a.by.untilMs - b.by.untilMs);
  const ended = all("ended")
    .map((one) => one.ended)
    .toSorted((a, b) => (a.after?.fromMs ?? 0) - (b.after?.fromMs ?? 0));
  const spans = all("count").flatMap(({ span, fault }) => (span && fault !== "none" ? [span] : []));
  const audit: Audit = {
    alert,
    atMs: Date.parse(alert.at),
    message,
    before,
    log,
    began: began[0],
    ended: ended.at(-1),
    span: spans[0] && {
      from: spans.map(({ from }) => from).toSorted((a, b) => a.fromMs - b.fromMs)[0]!,
      to: spans.map(({ to }) => to).toSorted((a, b) => b.fromMs - a.fromMs)[0]!,
    },
  };
  return [
    ...message.notUnderstood.map((sentence) => `[not understood] "${sentence}"`),
    ...message.claims.flatMap(({ claim, sentence }) =>
      judge(claim, audit).map((why) => `[${claim.kind}] "${sentence}": ${why}`),
    ),
  ].map((text) => `${alert.id} ${text}`);
}

/** What is claimed and does not hold. `before` are the alerts that people had got. */
export type Auditor = (alert: Alert, before: readonly Alert[]) => string[];

export function createAuditor(observations: readonly Observation[]): Auditor {
  const all = readLog(observations);
  return (alert, before) =>
    isAudited(alert)
      ? auditOne(
          alert,
          all.filter(({ at }) => at <= alert.at),
          before,
        )
      : [];
}

/** All alerts of a history, each against the observations up to its instant. */
export function auditAll(alerts: readonly Alert[], observations: readonly Observation[]): string[] {
  const audit = createAuditor(observations);
  return alerts.flatMap((alert, index) => audit(alert, alerts.slice(0, index)));
}

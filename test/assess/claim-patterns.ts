// The sentences of alerts, read back as people read them: which claims about V1 each of them makes. A sentence is a pattern
// with named places; a sentence that looks like a claim and fits no pattern is reported, so that no new text escapes.
import { type EndpointId, endpointIds, idsOf } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";

/** What a text may mean by a minute or by a day. */
export type When = { fromMs: number; untilMs: number };
export type Span = { from: When; to: When };
/** From the last good check to the first bad one, or from the last bad one to the first good one. */
export type Between = { after?: When | undefined; by: When };
export type Length = { least: number; most?: number | undefined; toleranceSeconds: number };

/** What the checks are said to show. */
export const faults = [
  "down",
  "key-refused",
  "refused",
  "every-request-refused",
  "quota",
  "access-refused",
  "throttled",
  "removed",
  "v2-shape",
  "error-envelope",
  "not-json",
  "empty-list",
  "stub-data",
  "unsafe",
  "failed",
  "unauthorized",
  "wrong-record",
  "other-response",
  "anonymous-refused",
  "sunset",
  "configured-end",
  "deprecation",
  "drift",
  "slow",
  "variant",
  "data",
  "no-key",
  "address",
  "proxy",
  "no-sample",
  "not-checked",
  "none",
] as const;
export type Fault = (typeof faults)[number];

/** "503 (4)": what the bad checks got, with its number where it is named. */
export type Got = { label: string; count?: number | undefined };

/** Which checks are counted. */
export type Series = "checks" | "latest" | "scheduled" | "anonymous" | "second-page" | "variant";

/** A claim that names no endpoints, fault or span has those of its message. */
type About = { where?: readonly EndpointId[] | undefined; fault?: Fault | undefined };
export type Claim =
  /** Each of these endpoints was bad. */
  | (About & { kind: "scope" })
  | (About & {
      kind: "count";
      bad: number;
      total?: number | undefined;
      series: Series;
      span?: Span | undefined;
      /** Of a rate: how long the window is. */
      length?: Length | undefined;
      got?: readonly Got[] | undefined;
    })
  /** These responses are among the bad ones. */
  | (About & { kind: "status"; got: readonly Got[]; from?: When | undefined; to?: When | undefined })
  | (About & {
      kind: "instant";
      at: When;
      shows: "good" | "bad" | "last bad" | "last check" | "anonymous served" | "announced" | "lasting";
    })
  | (About & {
      kind: "duration";
      length: Length;
      began?: Between | undefined;
      ended?: Between | undefined;
    })
  /** These endpoints announce this date, or announced it before. */
  | (About & {
      kind: "date";
      date: When;
      isEarliest?: boolean;
      isFormer?: boolean;
      days?: number | undefined;
    })
  /** `isEarlier`: of some of the endpoints before the others. */
  | (About & { kind: "since"; began: Between; isEarlier?: true })
  /** The fault lasted longest on these. */
  | (About & { kind: "longest"; size: number })
  | (About & { kind: "ended"; ended: Between })
  /** The fault is the state of V1 and not what happens now and then. */
  | (About & { kind: "cause" })
  /** A number of a body or of headers. */
  | (About & { kind: "value"; of: string; is: number; among?: number | undefined });

export type Message = {
  claims: { claim: Claim; sentence: string }[];
  fault: Fault;
  where: readonly EndpointId[];
  /** "2 of 3 endpoints": those that a sentence names, or else any two. */
  anyOf: readonly (readonly EndpointId[])[];
  notUnderstood: string[];
};

// ------------------------------------------------------------------------------------------------ places of a pattern
const names = endpointIds.toSorted((a, b) => b.length - a.length).join("|");
const clock = "\\d\\d:\\d\\d";
const date = "\\d{4}-\\d\\d-\\d\\d";
const months = "January|February|March|April|May|June|July|August|September|October|November|December".split(
  "|",
);
const month = months.join("|");
const duration = "\\d+ (?:d|h|min|s)(?: \\d+ (?:h|min|s))?";
const label =
  "\\d{3}(?: in V2's shape| with an error body| with an empty list| with every score 0)?|timeout|[a-zA-Z][a-zA-Z ]+";
const tokens = {
  n: "[\\d,]+",
  day: date,
  where: `all \\d+ endpoints|\\d+ of \\d+ endpoints|(?:${names})(?:(?:, | and )(?:${names}))*`,
  /** "V1", or "V1's passport and passport-list". */
  who: `V1's (?:${names})(?: and (?:${names}))*|V1`,
  time: `(?:${date} )?${clock} UTC`,
  span: `at (?:${date} )?${clock} UTC|from (?:${date} )?${clock} UTC to (?:${date} )?${clock} UTC`,
  between: `at or before (?:${date} )?${clock} UTC|at (?:${date} )?${clock} UTC|between (?:${date} )?${clock} and (?:${date} )?${clock} UTC`,
  since: `about (?:${date} )?${clock} UTC|(?:${date} )?${clock}(?:-${clock})? UTC|(?:\\d+(?: (?:${month}))?(?: \\d{4})? to )?\\d+ (?:${month})(?: \\d{4})?(?: \\(between two checks\\))?`,
  length: `at least ${duration}|up to ${duration}|(?:\\d+|${duration}) to ${duration}|${duration}`,
  got: `(?:${label})(?: \\([\\d,]+\\))?(?:, (?:${label})(?: \\([\\d,]+\\))?)*`,
  ids: "[a-z0-9TZ-]+(?:, [a-z0-9TZ-]+)*(?: and \\d+ more)?",
  any: ".*?",
};
const pattern = (template: string) =>
  template.replace(
    /\{(?:([a-z]+):)?([a-z]+)\}/g,
    (_, name: string | undefined, token: string) =>
      `(?<${name ?? token}>${tokens[token as keyof typeof tokens]})`,
  );

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const number = (text: string) => Number(text.replaceAll(",", ""));
const minuteOf = (day: string, time: string): When => {
  const fromMs = Date.parse(`${day}T${time}:00Z`);
  return { fromMs, untilMs: fromMs + minuteMs };
};
const dayOf = (text: string): When => {
  const fromMs = Date.parse(`${text}T00:00:00Z`);
  return { fromMs, untilMs: fromMs + dayMs };
};

/** None of "2 of 3 endpoints": the sentences name them. */
const readWhere = (text: string): readonly EndpointId[] =>
  text.startsWith("all ")
    ? endpointIds.slice(0, number(text.split(" ")[1]!))
    : endpointIds.filter((name) => text.split(/, | and /).includes(name));

/** A time without a date is of the day of the message. */
function readTime(text: string, at: string): When {
  const [, day = at.slice(0, 10), time = ""] = text.match(/(\d{4}-\d\d-\d\d)? ?(\d\d:\d\d)/) ?? [];
  return minuteOf(day, time);
}

const timePattern = new RegExp(`(?:${date} )?${clock}`, "g");
function readTimes(text: string, at: string): When[] {
  const times = text.match(timePattern) ?? [];
  // "between 2026-03-02 10:00 and 11:00 UTC": the date is that of both.
  const day = /^\d{4}/.test(times[0] ?? "") ? times[0]!.slice(0, 10) : at.slice(0, 10);
  return times.map((time) => readTime(time, `${day}T`));
}

function readSpan(text: string, at: string): Span {
  const [from, to = from] = text.match(timePattern)!.map((time) => readTime(time, at));
  return { from: from!, to: to! };
}

/** "2026-03-04 23:48-00:00 UTC" is the night between two days, the first of which is named. */
function inOrder([after, by]: readonly When[]): Between {
  if (!by) return { by: after! };
  const isNight = after!.fromMs > by.fromMs;
  return { after, by: isNight ? { fromMs: by.fromMs + dayMs, untilMs: by.untilMs + dayMs } : by };
}

function readBetween(text: string, at: string): Between {
  const between = inOrder(readTimes(text, at));
  // "at 02:50 UTC": both checks were in that minute.
  return text.startsWith("at ") && !text.startsWith("at or")
    ? { after: between.by, by: between.by }
    : between;
}

function readSince(text: string, at: string): Between {
  if (text.startsWith("about")) return { by: readTime(text, at) };
  if (text.includes(":")) {
    const between = inOrder(readTimes(text, at));
    return between.after ? between : { by: between.by };
  }
  const year = at.slice(0, 4);
  const [to = "", from] = text.replace(" (between two checks)", "").split(" to ").reverse();
  const toParts = to.split(" ");
  const read = (parts: string[]) =>
    dayOf(
      `${parts[2] ?? toParts[2] ?? year}-${String(months.indexOf(parts[1] ?? toParts[1]!) + 1).padStart(2, "0")}-${parts[0]!.padStart(2, "0")}`,
    );
  return { after: from === undefined ? undefined : read(from.split(" ")), by: read(toParts) };
}

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, min: 60, s: 1 };
const smallest: Readonly<Record<string, number>> = { d: 3_600, h: 60, min: 1, s: 1 };

/** Two units at the most are written: the rest was cut off. Instants are written without seconds. */
function readLength(text: string): Length {
  if (text.startsWith("up to ")) return { ...readLength(text.slice("up to ".length)), least: 0 };
  const isOpen = text.startsWith("at least ");
  const [first = "", second] = text.replace("at least ", "").split(" to ");
  const lastUnit = (second ?? first).split(" ").at(-1)!;
  const read = (part: string) => {
    const words = part.includes(" ") ? part.split(" ") : [part, (second ?? "").split(" ").at(-1)!];
    let seconds = 0;
    for (let index = 0; index < words.length; index += 2)
      seconds += Number(words[index]) * secondsOf[words[index + 1]!]!;
    return seconds;
  };
  const unit = (part: string) => smallest[part.includes(" ") ? part.split(" ")[1]! : lastUnit]!;
  const toleranceSeconds = Math.max(unit(first), unit(second ?? first)) + 60;
  return { least: read(first), most: isOpen ? undefined : read(second ?? first), toleranceSeconds };
}

const readGot = (text: string): Got[] =>
  text.split(", ").map((part) => {
    const [, name = part, count] = part.match(/^(.*?)(?: \(([\d,]+)\))?$/) ?? [];
    return { label: name, count: count === undefined ? undefined : number(count) };
  });

// ------------------------------------------------------------------------------------------------ titles
type Title = { text: string; fault: Fault; isState?: true; where?: readonly EndpointId[]; claims?: Claims };
/** What was found at the places of a pattern, and when the message was written. */
type Found = Readonly<Partial<Record<string, string>>>;
type Claims = (found: Found, at: string) => Claim[];

const list = idsOf("list");
const state = (text: string, fault: Fault): Title => ({
  text: `{who} ${text}(?: on {where})?`,
  fault,
  isState: true,
});
const own = (text: string, fault: Fault): Title => ({ text, fault });
/** V1 where it is all endpoints, and else their names. */
const notChecked = (why: string, fault: Fault): Title[] => [
  own(`${why}: V1 (?:is|was) not checked`, fault),
  own(`${why}: {where} (?:is|are|was|were) not checked`, fault),
];
const value =
  (of: string): Claims =>
  (found) => [
    {
      kind: "value",
      of,
      is: number(found.n ?? ""),
      among: found.total === undefined ? undefined : number(found.total),
    },
  ];
const shareOf =
  (series: Series): Claims =>
  ({ bad, total, length, only }) => [
    {
      kind: "count",
      bad: number(bad!),
      total: number(total!),
      series,
      length: length === undefined ? undefined : readLength(length),
      got: only === "got 401" ? [{ label: "401" }] : undefined,
    },
  ];

/** The subject without its severity, "since", "for" and what stands in brackets at its end. */
const titles: readonly Title[] = [
  {
    text: "V1 (?:answers|answered) (?<variant>requests [a-z ]+?|searches by keyword) differently on {where}",
    fault: "variant",
  },
  state("(?:is|was) down", "down"),
  { ...state("(?:refuses|refused) our API key: its quota (?:is|was) exhausted", "quota") },
  state("(?:refuses|refused) our API key", "key-refused"),
  {
    text: "V1 (?:refuses|refused) anonymous requests on {where}",
    fault: "anonymous-refused",
  },
  {
    text: "V1 (?:has refused|refused) {bad:n} of {total:n} anonymous checks? on {where}",
    fault: "anonymous-refused",
    claims: ({ bad, total }) => [
      { kind: "count", bad: number(bad!), total: number(total!), series: "anonymous" },
    ],
  },
  {
    text: "V1 (?:refuses|refused) anonymous requests(?:: key required now, or V1 retired)?",
    fault: "refused",
    isState: true,
  },
  {
    text: "V1 may be retired: it refuses every request with {got}",
    fault: "every-request-refused",
    isState: true,
  },
  {
    text: "V1 (?:refuses|refused) every request(?: with {got}: key refused or V1 retired)?",
    fault: "refused",
    isState: true,
  },
  { text: "V1 (?:is probably|looked) retired: {got} on {where}", fault: "removed", isState: true },
  state("(?:refuses|refused) access", "access-refused"),
  state("(?:throttles|throttled) our requests", "throttled"),
  state("(?:returns|returned) V2's shape", "v2-shape"),
  state("(?:answers|answered) 200 with an error body", "error-envelope"),
  state("(?:answers|answered) with every score 0", "stub-data"),
  state("(?:sends|sent) (?:no JSON|a web page \\(HTML\\)|an empty body) with status 200", "not-json"),
  { text: "V1's list (?:is|was) empty", fault: "empty-list", isState: true, where: list },
  state("(?:sends|sent) responses that (?:cannot|could not) be read safely", "unsafe"),
  { text: "V1 (?:fails|failed) now and then on {where}", fault: "failed" },
  {
    text: "V1 (?:has throttled|throttled) {bad:n} of {total:n} checks? on {where}",
    fault: "throttled",
    claims: ({ bad, total }) => [
      { kind: "count", bad: number(bad!), total: number(total!), series: "checks" },
    ],
  },
  {
    text: "V1 (?:has failed|failed) {bad:n} of {total:n} checks? on {where}",
    fault: "failed",
    claims: ({ bad, total }) => [
      { kind: "count", bad: number(bad!), total: number(total!), series: "checks" },
    ],
  },
  { text: "{who} failed(?: on {where})?", fault: "failed" },
  {
    text: "{bad:n} of {total:n} scheduled checks of {where} failed",
    fault: "failed",
    claims: shareOf("scheduled"),
  },
  {
    text: "{bad:n} of {total:n} checks of {where} failed",
    fault: "failed",
    claims: shareOf("latest"),
  },
  {
    text: "{bad:n} of {total:n} checks of {where} (?<only>got 401)",
    fault: "failed",
    claims: shareOf("latest"),
  },
  {
    text: "{bad:n} of {total:n} scheduled checks of {where} (?<only>got 401)",
    fault: "failed",
    claims: shareOf("scheduled"),
  },
  { text: "The (?:error rate|rate of 401s) is normal again on {where}", fault: "failed" },
  {
    text: "V1 (?<how>leaves out|changed(?: the (?:type|shape) of)?) (?<field>\\w+|\\d+ fields?) in {bad:n} of {total:n} checks on {where}",
    fault: "other-response",
    claims: (found) => [...shareOf("scheduled")(found, ""), ...fieldClaims(found)],
  },
  {
    text: "{bad:n} of {total:n} responses of {where} are (?:not as documented|not V1's: {got})",
    fault: "other-response",
    claims: shareOf("scheduled"),
  },
  { text: "All responses are as documented again on {where}", fault: "other-response" },
  {
    text: "V1 returned the wrong record in {bad:n} of {total:n} checks of {where}",
    fault: "wrong-record",
    claims: shareOf("scheduled"),
  },
  { text: "V1 returns the requested record again on {where}", fault: "wrong-record" },
  {
    text: "V1 (?<how>leaves out|left out|(?:had )?changed(?: the (?:type|shape) of)?) (?<field>\\w+|\\d+ fields?) on {where}",
    fault: "drift",
    claims: (found) => fieldClaims(found),
  },
  {
    text: "V1 moved its end from {former:day} to {day} on {where}",
    fault: "sunset",
    claims: ({ former, day }) => [
      { kind: "date", date: dayOf(former!), isFormer: true },
      { kind: "date", date: dayOf(day!) },
    ],
  },
  {
    text: "V1 (?:announces|announced|no longer announces) its end on {where}(?:: Sunset(?: was)? (?:(?<from>from )?{day}|{quoted:any}))?",
    fault: "sunset",
    claims: ({ day, from }) =>
      day === undefined ? [] : [{ kind: "date", date: dayOf(day), isEarliest: from !== undefined }],
  },
  { text: "V1 moved its end on {where}", fault: "sunset" },
  {
    text: 'V1 (?:announces|announced) its end(?:, first)? on {where}: (?:Sunset {day}|Sunset ""|no steady date)',
    fault: "sunset",
    claims: ({ day }) => (day === undefined ? [] : [{ kind: "date", date: dayOf(day) }]),
  },
  {
    text: "V1's Sunset date (?:is|was) always about {n} days? ahead on {where}",
    fault: "sunset",
    claims: value("days ahead"),
  },
  {
    text: "V1 (?:is|was) still up on {where} after its configured end(?:, {day})?",
    fault: "configured-end",
  },
  {
    text: "V1 (?:is|was) still up on {where} after its announced end(?:, {day}(?: to {to:day})?)?",
    fault: "sunset",
    claims: ({ day, to }) =>
      day === undefined
        ? []
        : [
            {
              kind: "date",
              date: to === undefined ? dayOf(day) : { ...dayOf(day), untilMs: dayOf(to).untilMs },
            },
          ],
  },
  {
    text: "V1 ends (?:today|tomorrow|in {n} days?) on {where}: {day}(?:, by its Sunset header)?",
    fault: "sunset",
    claims: (found) => [{ kind: "date", date: dayOf(found.day!), days: daysOf(found) }],
  },
  { text: "The configured end of V1 is (?:today|tomorrow|in {n} days?): {day}", fault: "none" },
  { text: "V1 (?:announces|announced) its deprecation on {where}", fault: "deprecation" },
  { text: "V1 (?:has|had) recurring outages on {where}: {n} windows?", fault: "failed" },
  { text: "Two of the recurring outages on {where} did not come", fault: "failed" },
  { text: "V1 (?:is|was) slow on {where}", fault: "slow" },
  { text: "V1 (?:returns|returned) no [a-z]+ for {n} sample [a-z]+", fault: "data", where: idsOf("sublist") },
  { text: "V1 (?:returns|returned) null for .+, which had values before", fault: "data" },
  { text: "V1's scores (?:are|were) the same for nearly all records", fault: "data" },
  {
    text: "V1's median score (?:went|had gone) from about {former:n} to {n}",
    fault: "data",
    claims: (found) => [
      { kind: "value", of: "median score", is: number(found.former!) },
      { kind: "value", of: "median score", is: number(found.n!) },
    ],
  },
  {
    text: "V1's list (?:shrank|had shrunk) from {former:n} to {n} records?",
    fault: "data",
    claims: (found) => [
      { kind: "value", of: "total", is: number(found.former!) },
      { kind: "value", of: "total", is: number(found.n!) },
    ],
  },
  { text: "V1's second page (?:repeats|repeated) {n} records? of the first", fault: "data" },
  { text: "V1's list (?:has|had) {n} records? more than once", fault: "data" },
  { text: "V1's dates (?:move|moved) while its scores (?:do|did) not", fault: "data" },
  { text: "V1's dates (?:are|were) always the time of the response", fault: "data" },
  { text: "V1 (?:has|had) dates in the future on {where}", fault: "data" },
  {
    text: "{n} of {total:n} records on V1's first page (?:are|were) no longer recalculated",
    fault: "data",
    claims: value("records"),
  },
  {
    text: "V1's data (?:is|was) frozen: no record (?:is|was) newer than {time}",
    fault: "data",
    claims: ({ time }, at) => [
      { kind: "value", of: "newest date", is: readTime(time!, at).fromMs, where: list },
    ],
  },
  { text: "V1's newest date (?:jumped|had jumped) back to {day}", fault: "data" },
  { text: "V1's newest date is less than a day behind again", fault: "data" },
  {
    text: "V1's certificate (?:expires|was to expire|expired|had expired) on {day}",
    fault: "data",
    claims: ({ day }) => [{ kind: "value", of: "certificate", is: dayOf(day!).fromMs, where: endpointIds }],
  },
  { text: "v1watch has (?:spent its reserve of requests|nearly spent its request budget).*", fault: "none" },
  ...notChecked("v1watch (?:has|had) no API key", "no-key"),
  ...notChecked("v1watch (?:refuses|refused) V1's address", "address"),
  ...notChecked("v1watch (?:gets|got) no connection from its proxy", "proxy"),
  own("v1watch (?:has|had) no [a-z]+ to request: {where} (?:is|was) not checked", "no-sample"),
  own("v1watch (?:does|did) not check {where}(?:: the request budget is spent)?", "not-checked"),
  own("v1watch (?:cannot deliver its alerts|failed to evaluate .*)", "none"),
  // After those that say otherwise what V1 returns.
  {
    text: "{who} (?:returns|returned) {got}(?: on {where})?(?:: it may be retired)?",
    fault: "removed",
    isState: true,
  },
];

const daysOf = ({ n, 0: text = "" }: Found) =>
  n === undefined ? (text.includes("tomorrow") ? 1 : 0) : number(n);

/** What a change is said to be. */
const changeKinds: Readonly<Record<string, string>> = {
  "leaves out": "missing",
  "left out": "missing",
  "changed the type of": "retyped",
  "had changed the type of": "retyped",
};

function fieldClaims({ field, how = "" }: Found): Claim[] {
  const [, count] = field?.match(/^(\d+) field/) ?? [];
  const is = count === undefined ? 1 : number(count);
  const kind = changeKinds[how];
  return [
    { kind: "value", of: count === undefined ? `field ${field}` : "changed fields", is },
    ...(kind === undefined ? [] : [{ kind: "value", of: `difference ${kind}`, is } as const]),
  ];
}

// ------------------------------------------------------------------------------------------------ sentences
/** The series of which a window is counted. */
export const isShare = (series: Series): boolean => series === "scheduled" || series === "latest";

const countClaim =
  (series: Series, fault?: Fault): Claims =>
  (found, at) => [
    {
      kind: "count",
      fault,
      series,
      bad: number(found.bad ?? "0"),
      total: found.total === undefined ? undefined : number(found.total),
      where: found.where === undefined ? undefined : readWhere(found.where),
      span: found.span === undefined ? undefined : readSpan(found.span, at),
      length: isShare(series) && found.length !== undefined ? readLength(found.length) : undefined,
      got: found.got === undefined ? undefined : readGot(found.got),
    },
  ];

const dates: Claims = ({ time, list: each }, at) => {
  const rows = [...(each ?? "").matchAll(new RegExp(`(${names}): (${date})`, "g"))];
  const whole: Claim = { kind: "date", date: readTime(time!, at), isEarliest: rows.length > 0 };
  return [
    whole,
    ...rows.map(([, name, day]): Claim => ({ kind: "date", date: dayOf(day!), where: readWhere(name!) })),
  ];
};

const causes =
  "down|key refused|every request refused \\(401\\)|probably retired|quota exhausted|access refused \\(403\\)|access refused|throttled \\(429\\)|removed \\(404 or a redirect\\)|gone \\(410\\)|V2's shape|an error body|no JSON|an empty list|stub data|unsafe responses";
/** The statuses that a cause has by its name. */
const statusesOf = (cause: string): Got[] =>
  (cause.match(/\d{3}/g) ?? []).filter((status) => status !== "404").map((status) => ({ label: status }));

/** "Down from about 10:00 UTC, then access refused (403) from about 11:30 UTC." */
const causeClaims: Claims = ({ 0: text = "" }, at) => {
  const rows = [...text.matchAll(new RegExp(`(${causes}) from about (${tokens.time})`, "gi"))].map(
    ([, cause, time]) => ({ cause: cause!, from: readTime(time!, at) }),
  );
  return rows.flatMap(({ cause, from }, index): Claim[] => [
    { kind: "instant", at: from, shows: "bad" },
    { kind: "status", got: statusesOf(cause), from, to: rows[index + 1]?.from },
  ]);
};

const instant =
  (shows: (Claim & { kind: "instant" })["shows"]): Claims =>
  ({ time, where }, at) => [
    {
      kind: "instant",
      at: readTime(time!, at),
      shows,
      where: where === undefined ? undefined : readWhere(where),
    },
  ];
const nothing: Claims = () => [];
/** "2 of 3 endpoints" names only how many. */
const longest: Claims = ({ where = "" }) => {
  const named = readWhere(where);
  return named.length > 0
    ? [{ kind: "longest", where: named, size: named.length }]
    : [{ kind: "longest", size: number(where.split(" ")[0]!) }];
};

const recoveredOne = `(?:${names})(?: \\(since ${tokens.time}\\))?`;

/** Whole sentences, without the full stop. */
const sentences: readonly { text: string; claims: Claims }[] = [
  {
    text: "{bad:n} of {total:n} (?:authenticated )?checks? of {where} failed {span}(?:: {got})?",
    claims: countClaim("checks"),
  },
  {
    text: "{bad:n} of {total:n} checks? of {where} were throttled {span}(?:: {got})?",
    claims: countClaim("checks", "throttled"),
  },
  { text: "They announced {any}", claims: nothing },
  { text: "They got {got}", claims: ({ got }) => [{ kind: "status", got: readGot(got!) }] },
  { text: "{bad:n} of {total:n} checks? of {where} showed it {span}", claims: countClaim("checks") },
  {
    text: "{bad:n} of {total:n} checks? of the second page showed it {span}",
    claims: countClaim("second-page"),
  },
  {
    text: "{bad:n} of {total:n} checks? of {where} had a Sunset header {span}",
    claims: countClaim("checks", "sunset"),
  },
  { text: "{bad:n} of {total:n} checks? of {where} were slow {span}", claims: countClaim("checks", "slow") },
  {
    text: "{bad:n} of {total:n} checks? of {where} announced it {span}(?:: {any})?",
    claims: countClaim("checks", "deprecation"),
  },
  {
    text: "{bad:n} of {total:n} checks? of {where} were more than a day behind {span}",
    claims: countClaim("checks", "data"),
  },
  {
    text: "{bad:n} of {total:n} anonymous checks? of {where} were refused {span}",
    claims: countClaim("anonymous", "anonymous-refused"),
  },
  {
    text: "{bad:n} of {total:n} checks? with {any} on {where} got something else than before {span}: {got}",
    claims: countClaim("variant"),
  },
  {
    text: "{bad:n} of {total:n} checks? (?:failed|showed it|announced it|were slow|were refused|had a Sunset header)",
    claims: countClaim("checks"),
  },
  { text: "{bad:n} of {total:n} checks? in these outages failed", claims: nothing },
  {
    text: "{bad:n} of {total:n} scheduled checks of {where} (?:failed|got 401) in {length}(?:: {got})?",
    claims: countClaim("scheduled"),
  },
  {
    text: "{bad:n} of {total:n} checks of {where} (?:failed|got 401) in {length}(?:: {got})?",
    claims: countClaim("latest"),
  },
  {
    text: "{bad:n} of {total:n} scheduled checks of {where} in {length} (?:differed from V1's document|got a record other than the one that was requested|got {got})",
    claims: countClaim("scheduled"),
  },
  { text: "The last (?:one|failure|401|other one|wrong one) was at {time}", claims: instant("last bad") },
  { text: "There were {n} outages?; the last failure was at {time}", claims: instant("last bad") },
  {
    text: "V1 served (?<bad>none|[\\d,]+) of {total:n} anonymous checks? since {time}",
    claims: (found, at) => {
      const from = readTime(found.time!, at);
      return [
        {
          kind: "count",
          fault: "none",
          series: "anonymous",
          bad: found.bad === "none" ? 0 : number(found.bad!),
          total: number(found.total!),
          span: { from, to: { fromMs: Date.parse(at), untilMs: Date.parse(at) + 1 } },
        },
      ];
    },
  },
  { text: "The last anonymous check that was served was at {time}", claims: instant("anonymous served") },
  { text: "The last good check before it was at {time}", claims: instant("good") },
  { text: "There was no good check before it", claims: nothing },
  {
    text: "This alert was first sent at {time}, and nobody has acknowledged it",
    claims: instant("announced"),
  },
  { text: "V1 failed on and off before, and without a break since {time}", claims: instant("lasting") },
  {
    text: `(?:${causes}) from about {time}(?:, then (?:${causes}) from about ${tokens.time})*`,
    claims: causeClaims,
  },
  {
    text: "(?:It|On {where} it) began {began:between} and (?:ended {ended:between}|was last seen at {time}): it lasted {length}(?:; {bad:n} of {total:n} checks? (?:failed|showed it|announced it|were slow|were refused|had a Sunset header))?",
    claims: (found, at) => {
      const where = found.where === undefined ? undefined : readWhere(found.where);
      const began = readBetween(found.began!, at);
      const ended: Between =
        found.ended === undefined
          ? { after: readTime(found.time!, at), by: { fromMs: 0, untilMs: Number.POSITIVE_INFINITY } }
          : readBetween(found.ended, at);
      const span = { from: began.by, to: ended.after ?? ended.by };
      const counted = countClaim("checks")(found, at).map(
        (claim): Claim => ({ ...claim, where, span }) as Claim,
      );
      return [
        { kind: "since", began, where },
        { kind: "ended", ended, where },
        { kind: "duration", length: readLength(found.length!), began, ended, where },
        ...(found.bad === undefined ? [] : counted),
      ];
    },
  },
  {
    text: "(?:It|On {where} it) came and went {span}: {bad:n} of {total:n} checks? (?:failed|showed it|announced it|were slow|were refused|had a Sunset header)",
    claims: (found, at) => {
      const where = found.where === undefined ? undefined : readWhere(found.where);
      const { from, to } = readSpan(found.span!, at);
      return [
        { kind: "since", began: { by: from }, where },
        { kind: "ended", ended: { after: to, by: { fromMs: 0, untilMs: Number.POSITIVE_INFINITY } }, where },
        ...countClaim("checks")(found, at),
      ];
    },
  },
  {
    text: "An outage began {began:between} and ended {ended:between}",
    claims: (found, at) => [
      { kind: "instant", at: readBetween(found.began!, at).by, shows: "bad" },
      {
        kind: "instant",
        at: readBetween(found.ended!, at).after ?? readBetween(found.ended!, at).by,
        shows: "bad",
      },
    ],
  },
  {
    text: "Checks inside other incidents, and responses that are not V1's, are not counted",
    claims: () => [{ kind: "value", of: "left out", is: 1 }],
  },
  { text: "The other endpoints? keeps? (?:its|their) dates?", claims: nothing },
  { text: "It recurs {any}", claims: nothing },
  {
    text: "It comes and goes\\. v1watch resolves it once it has stayed away for 2 h or more",
    claims: nothing,
  },
  { text: "The next one is expected to begin {any}", claims: nothing },
  {
    text: "An outage was expected now: V1 has failed at this time before, and was back by {time}",
    claims: nothing,
  },
  { text: "V1 was up in the last two windows in which an outage was expected", claims: nothing },
  {
    text: "It began earlier on {where}: {began:between}",
    claims: ({ where, began }, at) => [
      { kind: "since", began: readBetween(began!, at), where: readWhere(where!), isEarlier: true },
    ],
  },
  {
    text: `Recovered: (?<each>${recoveredOne}(?:(?:, | and )${recoveredOne})*)`,
    claims: ({ each }, at) =>
      [...each!.matchAll(new RegExp(`(${names})(?: \\(since (${tokens.time})\\))?`, "g"))].flatMap(
        ([, name = "", since]): Claim[] => {
          const where = readWhere(name);
          const recovered: Claim = { kind: "value", of: "recovered", is: 1, where };
          if (since === undefined) return [recovered];
          return [recovered, { kind: "instant", at: readTime(since, at), shows: "good", where }];
        },
      ),
  },
  { text: "This alert replaces {ids}, which began earlier", claims: nothing },
  { text: "This also ends {ids}, which it had replaced", claims: nothing },
  {
    text: "{n} different sample records got the same kind of response, so this is not just one deleted record",
    claims: value("samples"),
  },
  {
    text: "The announced end(?: of {where})? (?:is|was) {time}(?:: (?:it is|they are) probably retired)?",
    claims: ({ time, where }, at) => [
      {
        kind: "date",
        date: readTime(time!, at),
        where: where === undefined ? undefined : readWhere(where),
      },
    ],
  },
  {
    text: "{got} on {where} for {length}; the announced end was {time}: probably retired",
    claims: (found, at) => [
      { kind: "status", got: readGot(found.got!), where: readWhere(found.where!) },
      { kind: "date", date: readTime(found.time!, at), where: readWhere(found.where!) },
    ],
  },
  { text: "The Sunset header names {time}(?: \\((?<list>.*)\\))?", claims: dates },
  {
    text: "Before, it named {time}",
    claims: ({ time }, at) => [{ kind: "date", date: readTime(time!, at), isFormer: true }],
  },
  {
    text: "The Sunset header (?:names|named) (?<list>.* for .*)",
    claims: ({ list: each }) =>
      [...each!.matchAll(new RegExp(`(${date}) for (${tokens.where})`, "g"))].map(
        ([, day, where]): Claim => ({ kind: "date", date: dayOf(day!), where: readWhere(where!) }),
      ),
  },
  {
    text: "V1 now ends on {day} on {where}, {n} days? (?:earlier|later) than announced",
    claims: ({ day, where }) => [{ kind: "date", date: dayOf(day!), where: readWhere(where!) }],
  },
  {
    text: "Before, the Sunset header named {day}",
    claims: ({ day }) => [{ kind: "date", date: dayOf(day!), isFormer: true }],
  },
  { text: "V1 is still up on {where} after that date", claims: nothing },
  {
    text: "The Sunset header(?: of {where})? (?:is not a date: {any}|changes from check to check, so v1watch trusts none of its dates)",
    claims: nothing,
  },
  {
    text: "The date in the Sunset header(?: of {where})? moves with every response and is always about {n} days? ahead: {any}",
    claims: (found) =>
      value("days ahead")(found, "").map((claim) =>
        found.where === undefined ? claim : { ...claim, where: readWhere(found.where) },
      ),
  },
  { text: "The date in the Sunset header(?: of {where})? is not confirmed yet", claims: nothing },
  { text: "\\[\\.\\.\\.\\] stands for words that v1watch does not store", claims: nothing },
  { text: "The date has passed, and V1 is still up", claims: nothing },
  {
    text: "V1 ends (?:today|tomorrow|in {n} days?) on {where}: at {time}, by its Sunset header",
    claims: (found, at) => [
      { kind: "date", date: readTime(found.time!, at), where: readWhere(found.where!), days: daysOf(found) },
    ],
  },
  {
    text: "The configuration names {day} as V1's last day, which is (?:today|tomorrow|in {n} days?)",
    claims: nothing,
  },
  { text: "The configured date {time} has passed; V1 served {bad:n} checks? since then", claims: nothing },
  { text: "By the response headers, {n} of {total:n} requests are used", claims: value("usage") },
  { text: "Its pagination says {n} records?", claims: value("total") },
  {
    text: "The slowest of the latest ones took {n} ms(?:; {usual:n} ms is usual)?",
    claims: value("latency"),
  },
  {
    text: "(?<path>[\\w.[\\]]+): {any} in {n} of {total:n} records?; {why:any}",
    claims: (found) => [
      { kind: "value", of: `path ${found.path}`, is: number(found.n!), among: number(found.total!) },
    ],
  },
  { text: "(?<path>[\\w.[\\]]+): null in {n} of {total:n} records?", claims: nothing },
  {
    text: "(?<path>[\\w.[\\]]*): {any}; {why:any}",
    claims: ({ path }) => [{ kind: "value", of: `path ${path}`, is: 1 }],
  },
  { text: "{n} further changes?", claims: nothing },
  { text: "{n} of {total:n} records? have the same score", claims: value("equal scores") },
  { text: "{n} records? (?:occurs|occur) more than once", claims: nothing },
  { text: "The last of these checks had {n} records? with such a date", claims: nothing },
  { text: "{n} sample [a-z]+ had [a-z]+ before", claims: nothing },
  {
    text: "The median score of the list's first page is about {n}; the day before it was about {former:n}",
    claims: value("median score"),
  },
  { text: "The list's total is {n}; it was {former:n} on {day}", claims: value("total") },
  {
    text: "{n} dates? of records moved from {time} to {to:time}; {changed:n} of them with another score",
    claims: instant("good"),
  },
  { text: "At least half of {n} dates? are younger than {length} in each of them", claims: nothing },
  {
    text: "{n} of {total:n} records? of the list's first page have not been recalculated since {day}, by the check at {time}",
    claims: (found, at) => [...value("records")(found, at), ...instant("good")(found, at)],
  },
  {
    text: "The newest (?:date of|\\w+ in) the list is {time}(?:; it was {former:time})?",
    claims: ({ time }, at) => [
      { kind: "value", of: "newest date", is: readTime(time!, at).fromMs, where: list },
    ],
  },
  { text: "It had jumped back from {time}", claims: nothing },
  { text: "At {time} it had not changed for {length}; the limit is {limit:length}", claims: instant("good") },
  { text: "Before that, it changed at least once every {length}", claims: nothing },
  {
    text: "V1's certificate expired on {time}, {length} before the last check",
    claims: ({ time }, at) => [{ kind: "value", of: "certificate", is: readTime(time!, at).fromMs }],
  },
  {
    text: "V1's certificate is valid until {time}: {n} days? left",
    claims: ({ time }, at) => [{ kind: "value", of: "certificate", is: readTime(time!, at).fromMs }],
  },
  { text: "{n} of {total:n} requests are left this month", claims: nothing },
  {
    text: "{bad:n} checks? of {where} {span} could not be made: the key's source holds no key",
    claims: countClaim("checks", "no-key"),
  },
  {
    text: "{bad:n} checks? of {where} {span} (?:was|were) not sent: baseUrl is {any}",
    claims: countClaim("checks", "address"),
  },
  {
    text: "{bad:n} checks? of {where} {span} (?:was|were) not sent through the proxy: {any}",
    claims: countClaim("checks", "proxy"),
  },
  { text: "{bad:n} checks? of {where} {span} had no sample", claims: countClaim("checks", "no-sample") },
  {
    text: "{bad:n} checks? of {where} {span} (?:was|were) due and not sent: {any}",
    claims: countClaim("checks", "not-checked"),
  },
  {
    text: "The last check of {where} was at {time}; one is expected within {length}",
    claims: instant("last check"),
  },
  { text: "This is a fault of v1watch, not of V1", claims: nothing },
  { text: "What failed, and with which error: {any}", claims: nothing },
];

// ------------------------------------------------------------------------------------------------ a whole message
const compile = <Row extends { text: string }>(rows: readonly Row[], end: string) =>
  rows.map((row) => ({ ...row, matcher: new RegExp(`^${pattern(row.text)}${end}`, "i") }));
const compiledTitles = compile(titles, "$");
/** A subject that was cut off ends with dots. */
const compiledCut = compile(
  titles.map((title) => ({ ...title, text: title.text.replace(/^(.*?\{where\}(?:\)\?)?).*$/, "$1") })),
  "",
);
const compiledSentences = compile(sentences, "\\.?$");

/** A number other than V1 and V2, an endpoint's name, an instant or a status. */
const looksLikeClaim = new RegExp(`(?<!\\b[Vv])\\d|${names}|\\bUTC\\b|endpoints`);
/** What V1 itself wrote is no claim of ours. */
const withoutQuotes = (text: string) => text.replace(/"[^"]*"/g, '""');

const splitSentences = (line: string): string[] =>
  line.split(/(?<=[.)\w]\.) (?=[A-Z\d])|(?<=\w\.) (?=[A-Z\d])/);

/** `some`: so many endpoints that it does not name. */
type Subject = Pick<Message, "fault" | "where"> & {
  some?: number | undefined;
  claims: Claim[];
  isUnderstood: boolean;
};

function readSubject({ subject, at, event }: Pick<Alert, "subject" | "at" | "event">): Subject {
  const isOver = event === "resolved";
  const claims: Claim[] = [];
  let text = withoutQuotes(subject.replace(/^\[v1watch\] \w+(?: \([a-z ]+\))?: /, ""));
  /** Takes a part from the end of the subject. */
  const take = (template: string, claimsOf: Claims): void => {
    const found = new RegExp(`${pattern(template)}$`).exec(text);
    if (!found) return;
    claims.push(...claimsOf({ ...found.groups }, at));
    text = text.slice(0, found.index);
  };
  const isCut = text.endsWith("...");
  if (isCut) text = text.slice(0, -3);
  take("; it (?:comes and goes|came and went)", nothing);
  take(
    "; {bad:n} of {total:n} checks? (?:failed|showed it|announced it|were slow|were refused|had a Sunset header)",
    countClaim("checks"),
  );
  take("; (?:the )?last (?:failure|401|other one|wrong one) (?:was )?at {time}", instant("last bad"));
  take("; last (?:failure|401|other one|wrong one) on .*", nothing);
  take("(?:,| ) ?since {since}", ({ since }) => [{ kind: "since", began: readSince(since!, at) }]);
  let within: string | undefined;
  take(", longest on {where}: {length}", ({ where, length }) => [
    ...longest({ where }, at),
    { kind: "duration", length: readLength(length!), where: readWhere(where!) },
  ]);
  take(", longest on {where}", longest);
  take(" in {length}", ({ length }) => {
    within = length;
    return [];
  });
  let got: Got[] = [];
  take(" \\({n} ms\\)", value("latency"));
  take(` \\((?:${causes})(?:, then (?:${causes}))+\\)`, nothing);
  take(" \\({got}\\)", (found) => {
    got = readGot(found.got!);
    return [];
  });
  if (isOver) take(" for {length}", ({ length }) => [{ kind: "duration", length: readLength(length!) }]);
  const row = (isCut ? compiledCut : compiledTitles).find(({ matcher }) => matcher.test(text));
  if (!row) return { claims, fault: "none", where: endpointIds, isUnderstood: !looksLikeClaim.test(text) };
  const match = row.matcher.exec(text)!;
  const found: Found = { ...match.groups, 0: match[0], length: within };
  const { who = "V1", where: named } = found;
  const where = named
    ? readWhere(named)
    : who.startsWith("V1's ")
      ? readWhere(who.slice(5))
      : (row.where ?? (row.fault === "data" ? list : endpointIds));
  if (found.got !== undefined) got = readGot(found.got);
  const isListedTwice = named?.startsWith("all ") && number(named.split(" ")[1]!) !== endpointIds.length;
  const [, some] = named?.match(/^(\d+) of \d+ endpoints$/) ?? [];
  return {
    fault: row.fault,
    where,
    some: some === undefined ? undefined : number(some),
    isUnderstood: !isListedTwice,
    claims: [
      { kind: "scope" },
      ...claims,
      ...(got.length > 0 ? [{ kind: "status", got } as const] : []),
      ...(row.isState ? [{ kind: "cause" } as const] : []),
      ...(isCut ? [] : (row.claims?.(found, at) ?? [])),
    ],
  };
}

const subsetsOf = (names: readonly EndpointId[], size: number): EndpointId[][] => {
  if (size === 0) return [[]];
  return names.flatMap((name, index) =>
    subsetsOf(names.slice(index + 1), size - 1).map((others) => [name, ...others]),
  );
};

/** All claims of the subject and of the first section. */
export function readMessage(alert: Pick<Alert, "subject" | "sections" | "at" | "event">): Message {
  const { subject, sections, at } = alert;
  const title = readSubject(alert);
  const message: Message = {
    claims: title.claims.map((claim) => ({ claim, sentence: subject })),
    fault: title.fault,
    where: title.where,
    anyOf: [title.where],
    notUnderstood: title.isUnderstood ? [] : [subject],
  };
  for (const sentence of (sections[0]?.lines ?? []).flatMap(splitSentences)) {
    const text = withoutQuotes(sentence);
    const row = compiledSentences.find(({ matcher }) => matcher.test(text));
    const match = row?.matcher.exec(text);
    if (row && match)
      for (const claim of row.claims({ ...match.groups, 0: match[0] }, at))
        message.claims.push({ claim, sentence });
    else if (looksLikeClaim.test(text)) message.notUnderstood.push(sentence);
  }
  const { some } = title;
  if (some !== undefined) {
    const isOfIt = (claim: Claim) => claim.kind !== "value" || claim.of !== "recovered";
    const named = message.claims.flatMap(({ claim }) => (isOfIt(claim) && claim.where ? [claim.where] : []));
    const together = endpointIds.filter((endpoint) => named.flat().includes(endpoint));
    const exact = [...named, together].filter(({ length }) => length === some);
    message.anyOf = exact.length > 0 ? exact : subsetsOf(endpointIds, some);
  }
  return message;
}

/** The simulated V1's data: a pure function of the story's seed and service settings, the record and the clock. */
import {
  DAY,
  HOUR,
  hash,
  type Json,
  type JsonObject,
  MINUTE,
  type Story,
  timePattern,
  unit,
  WEEKDAYS,
  type Weekday,
} from "./types.ts";

/** One recalculation job runs in each slot of three hours and covers one record in 37. */
const SLOT = 3 * HOUR;
const CYCLE = 37;
const PAGE_SIZE = 25;
const FIRST_NAMES =
  "Ada Amir Bea Chen Dana Emre Femi Gita Hugo Ines Jonas Kira Liam Mina Nils Olga Pablo Quinn Rosa Sven Tara Umar Vera Wen Yara Zoe".split(
    " ",
  );
const LAST_NAMES =
  "Almeida Baker Costa Dubois Eriksen Fischer Gupta Haddad Ito Jansen Kovacs Lima Mensah Novak Okafor Petrov Rossi Silva Tanaka Vogel".split(
    " ",
  );
const PLACES = ["Lisbon", "Berlin", "Lagos", "Bengaluru", "Toronto", "Sao Paulo", "Seoul", "Remote", ""];
const TAGS = ["developer", "designer", "founder", "solidity", "data", "research", "community", "writer"];
const SOURCES = ["lens", "farcaster", "github", "linkedin", "twitter", "basename"];
const CREDENTIAL_TYPES: [type: string, category: string, name: string, maxScore: number, value: string][] = [
  ["active_wallet", "Activity", "Wallet with transactions", 20, "#n transactions"],
  ["onchain_since", "Activity", "Onchain since", 16, "201#d"],
  ["human_check", "Identity", "Human check", 20, "Verified"],
  ["passport_humanity", "Identity", "Humanity score", 20, "Humanity Score: #n"],
  ["farcaster_account", "Identity", "Farcaster account", 10, "FID: #n"],
  ["ens_name", "Identity", "Name service", 6, "Verified"],
  ["github_repositories", "Skills", "Repositories", 24, "#n repositories"],
  ["hackathon", "Skills", "Hackathons", 30, "#d hackathons"],
  ["bootcamp", "Skills", "Bootcamp graduate", 12, "Verified"],
];

/** How the active behaviours change the data before it is rendered. */
export interface StoryData {
  /** The instants whose values and whose dates record `index` shows. */
  clocks(index: number): { values: number; dates: number };
  /** Start instants of recalculations of all records. */
  bulkAt: number[];
  isDeleted(index: number): boolean;
  /** The date that the record shows in place of its own, or null. */
  dateOverride(index: number): number | null;
}

export const ordinaryView = (clock: number): StoryData => ({
  clocks: () => ({ values: clock, dates: clock }),
  bulkAt: [],
  isDeleted: () => false,
  dateOverride: () => null,
});

export interface PassportRecord {
  index: number;
  passport: JsonObject & {
    passport_id: number;
    score: number;
    last_calculated_at: string;
    main_wallet: string;
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The weekday and the minute of the day in a time zone. */
export function localTime(instant: number, zone = "UTC"): { weekday: Weekday | undefined; minute: number } {
  if (zone === "UTC") {
    const date = new Date(instant);
    return { weekday: WEEKDAYS[date.getUTCDay()], minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
  }
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    formatters.set(zone, formatter);
  }
  const parts = Object.fromEntries(formatter.formatToParts(instant).map((part) => [part.type, part.value]));
  return {
    weekday: WEEKDAYS.find((name) => name === parts.weekday?.toLowerCase()),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

export function parseTimeOfDay(text: string): number {
  const match = timePattern.exec(text);
  if (!match) throw new Error(`"${text}" is not a time such as 03:30`);
  return Number(match[1]) * 60 + Number(match[2]);
}

/** Whether the service recalculates nothing at this instant. */
export function isAtRest(story: Story, instant: number): boolean {
  const rest = story.service?.rest;
  if (!rest) return false;
  const { weekday, minute } = localTime(instant, rest.zone);
  if (rest.weekends && (weekday === "sun" || weekday === "sat")) return true;
  if (!rest.nights) return false;
  const [from, to] = rest.nights.split("-").map(parseTimeOfDay) as [number, number];
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

type Traits = { baseScore: number; activity: number; identity: number; delay: number; phase: number };

export class World {
  readonly story: Story;
  readonly start: number;
  private readonly slotRuns = new Map<number, number | null>();
  private readonly constants = new Map<number, JsonObject>();
  private readonly traits = new Map<number, Traits>();
  private readonly ranks = new Map<number, number>();
  /** The slot of the cycle in which a record is recalculated; the first page covers two of three slots. */
  private readonly phases = new Map<number, number>();

  constructor(story: Story) {
    this.story = story;
    this.start = Date.parse(story.start);
    const count = story.service?.passports ?? 200;
    const byBase = Array.from({ length: count }, (_, index) => index).sort(
      (a, b) => this.traitsOf(b).baseScore - this.traitsOf(a).baseScore,
    );
    for (const [position, index] of byBase.entries()) this.phases.set(index, (position * 3) % CYCLE);
    for (const [position, record] of this.records(ordinaryView(this.start), this.start).entries())
      this.ranks.set(record.index, position + 1);
  }

  /** The numbers of a record that never change; every request needs those of all records. */
  private traitsOf(index: number): Traits {
    let traits = this.traits.get(index);
    if (!traits) {
      const { seed } = this.story;
      traits = {
        baseScore: 18 + Math.round(420 * unit(seed, "base", index) ** 2.4),
        activity: unit(seed, "activity", index),
        identity: unit(seed, "identity", index),
        delay: hash(seed, "delay", index) % (12 * MINUTE),
        phase: hash(seed, "phase", index) % CYCLE,
      };
      this.traits.set(index, traits);
    }
    return traits;
  }

  /** The record's rank in the list at the start of the story; 0 for a record that was added later. */
  rankAtStart(index: number): number {
    return this.ranks.get(index) ?? 0;
  }

  /** The same rank, looked up by passport id. */
  rankOfPassport(passportId: number): number {
    return this.rankAtStart(Math.floor((passportId - 10_000) / 53));
  }

  /** The instant of the slot's recalculation job, or null where the service was at rest. */
  private slotRun(slot: number): number | null {
    let run = this.slotRuns.get(slot);
    if (run === undefined) {
      run = slot * SLOT + (hash(this.story.seed, "run", slot) % (SLOT - 15 * MINUTE));
      if (isAtRest(this.story, run)) run = null;
      this.slotRuns.set(slot, run);
    }
    return run;
  }

  /** The last recalculation of a record at or before an instant, with a key that stands for the values it produced. */
  private lastCalculation(index: number, at: number, bulkAt: number[]): { date: number; key: string } {
    const seed = this.story.seed;
    const { delay, phase: ownPhase } = this.traitsOf(index);
    const phase = this.phases.get(index) ?? ownPhase;
    const current = Math.floor(at / SLOT);
    let slot = current - ((current + phase) % CYCLE);
    let found = { date: slot * SLOT - 30 * DAY, key: "old" };
    for (let tries = 0; tries < 8; tries++, slot -= CYCLE) {
      const run = this.slotRun(slot);
      if (run === null || run + delay > at) continue;
      found = { date: run + delay, key: `slot${slot}` };
      break;
    }
    for (const bulk of bulkAt) {
      const date = bulk + (hash(seed, "bulk", index) % (40 * MINUTE));
      if (date <= at && date > found.date) found = { date, key: `bulk${bulk}` };
    }
    return found;
  }

  /** The parts of a passport that never change. */
  private constant(index: number): JsonObject {
    let constant = this.constants.get(index);
    if (constant) return constant;
    const roll = (label: string, size: number): number => hash(this.story.seed, label, index) % size;
    const wallet = (n: number): string =>
      "0x" +
      [0, 1, 2, 3, 4]
        .map((i) => hash(this.story.seed, "wallet", index, n, i).toString(16).padStart(8, "0"))
        .join("");
    const name = `${FIRST_NAMES[roll("first", FIRST_NAMES.length)]} ${LAST_NAMES[roll("last", LAST_NAMES.length)]}`;
    constant = {
      connections_count: roll("connections", 120),
      human_checkmark: roll("human", 3) > 0,
      main_wallet: wallet(0),
      passport_id: 10_000 + index * 53 + roll("id", 50),
      passport_profile: {
        bio:
          roll("bio", 4) === 0
            ? ""
            : `${name.split(" ")[0]} builds things with ${TAGS[roll("bio-tag", TAGS.length)]}.`,
        display_name: name,
        location: PLACES[roll("place", PLACES.length)] ?? "",
        tags: TAGS.filter((_, i) => roll(`tag${i}`, 4) === 0),
      },
      verified_wallets: Array.from({ length: 1 + roll("wallets", 3) }, (_, n) => wallet(n)),
    };
    this.constants.set(index, constant);
    return constant;
  }

  private record(index: number, view: StoryData, clock: number): PassportRecord {
    const seed = this.story.seed;
    const clocks = view.clocks(index);
    const dated = this.lastCalculation(index, clocks.dates, view.bulkAt);
    const valued =
      clocks.values === clocks.dates ? dated : this.lastCalculation(index, clocks.values, view.bulkAt);
    const change = [0, 0, 1, 2, 3, 5, -1, -2][hash(seed, "change", index, valued.key) % 8] ?? 0;
    const traits = this.traitsOf(index);
    const score = traits.baseScore + change;
    const activity = Math.round(score * (0.25 + 0.2 * traits.activity));
    const identity = Math.round(score * (0.15 + 0.2 * traits.identity));
    const date = view.dateOverride(index) ?? dated.date;
    const passport = {
      activity_score: activity,
      identity_score: identity,
      skills_score: Math.max(0, score - activity - identity - 2),
      score,
      calculating_score: hash(seed, "calculating", index, Math.floor(clock / (10 * MINUTE))) % 400 === 0,
      ...this.constant(index),
      last_calculated_at: new Date(date).toISOString(),
    };
    return { index, passport: passport as unknown as PassportRecord["passport"] };
  }

  /** All passports at an instant, sorted by score in descending order. */
  records(view: StoryData, clock: number): PassportRecord[] {
    const service = this.story.service ?? {};
    const count =
      (service.passports ?? 200) +
      Math.floor(((service.growthPerDay ?? 0) * Math.max(0, clock - this.start)) / DAY);
    const records: PassportRecord[] = [];
    for (let index = 0; index < count; index++)
      if (!view.isDeleted(index)) records.push(this.record(index, view, clock));
    return records.sort((a, b) => b.passport.score - a.passport.score || a.index - b.index);
  }

  /** The record with this passport id or wallet address. */
  find(records: PassportRecord[], id: string): PassportRecord | undefined {
    const wanted = id.toLowerCase();
    return records.find(
      ({ passport }) =>
        String(passport.passport_id) === wanted ||
        passport.main_wallet === wanted ||
        (passport.verified_wallets as string[]).includes(wanted),
    );
  }

  singlePassport({ index, passport }: PassportRecord): JsonObject {
    const roll = (label: string, size: number): number => hash(this.story.seed, label, index) % size;
    const profile = passport.passport_profile as JsonObject;
    const handle = String(profile.display_name)
      .toLowerCase()
      .replace(/[^a-z]/g, "");
    const socials = SOURCES.filter((source) => roll(`social-${source}`, 2) === 0 || source === "lens").map(
      (source): JsonObject => ({
        follower_count: String(roll(`followers-${source}`, 5000)),
        following_count: String(roll(`following-${source}`, 900)),
        location: profile.location ?? "",
        profile_bio: profile.bio ?? "",
        profile_display_name: profile.display_name ?? "",
        profile_image_url: `https://images.example.com/${source}/${handle}.png`,
        profile_name: handle,
        profile_url: `https://${source}.example.com/${handle}`,
        source,
      }),
    );
    return { ...passport, merged: roll("merged", 12) === 0, passport_socials: socials };
  }

  credentials({ index, passport }: PassportRecord): JsonObject[] {
    const roll = (label: string, size: number): number => hash(this.story.seed, label, index) % size;
    return CREDENTIAL_TYPES.filter(([type], position) => position < 3 || roll(`has-${type}`, 2) === 0).map(
      ([type, category, name, maxScore, value]) => ({
        id: `${passport.passport_id}-${hash(this.story.seed, type, index).toString(16)}`,
        earned_at: new Date(
          Date.UTC(2023, roll(`month-${type}`, 20), 1 + roll(`day-${type}`, 27)),
        ).toISOString(),
        category,
        last_calculated_at: passport.last_calculated_at,
        max_score: maxScore,
        score: Math.min(maxScore, 1 + ((roll(`score-${type}`, maxScore) + passport.score) % maxScore)),
        name,
        type,
        value: value
          .replace("#n", String(1 + roll(`n-${type}`, 90)))
          .replace("#d", String(1 + roll(`d-${type}`, 9))),
      }),
    );
  }
}

/** One page of the list, filtered by name where a keyword is given. */
export function listPage(
  records: PassportRecord[],
  keyword: string | null,
  page: number,
): { passports: Json[]; pagination: JsonObject } {
  const wanted = (keyword ?? "").toLowerCase();
  const matching = records.filter(({ passport }) =>
    String((passport.passport_profile as JsonObject).display_name)
      .toLowerCase()
      .includes(wanted),
  );
  const lastPage = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
  const passports = matching.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ passport }) => passport);
  return { passports, pagination: { current_page: page, last_page: lastPage, total: matching.length } };
}

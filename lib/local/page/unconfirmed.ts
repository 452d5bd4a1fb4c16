// What the last look at V1 shows and no incident says yet: the same state that the incidents are judged from,
// before it is confirmed.

import { plural } from "../../assess/alerts/text.ts";
import { runsOf } from "../../assess/rules/availability.ts";
import { primaryVariant } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Cause, Incident } from "../../records/incident.ts";
import { emptyWords, type Fault, findFault, lifeWords, listKnown } from "./failure.ts";

/** Where nobody is served, nobody knows whether V1 lives. */
const unprovenWords: typeof lifeWords = {
  "access/quota-exhausted": "V1 refuses our key: its quota is used up",
  "access/key-revoked": "V1 refuses our key",
};

export function describeGrave(state: AssessState, { cause }: Incident): string {
  const list = state.data?.endpoints["passport-list"];
  if (cause === "data/stub-data" && list?.mark?.is === "empty") return emptyWords;
  return (isServing(state) ? undefined : unprovenWords[cause]) ?? lifeWords[cause]!;
}

/** The last look brought data, or one without a key did since the key is refused. */
function isServing(state: AssessState): boolean {
  const runs = Object.values(state.access ?? {});
  const deniedMs = runs.flatMap(({ authenticated }) =>
    authenticated?.responseClass === "denied" ? authenticated.sinceMs : [],
  );
  const sinceMs = Math.min(...deniedMs);
  return (
    listGood(state).length > 0 ||
    runs.some(
      ({ anonymous }) =>
        anonymous?.responseClass === "served" && anonymous.others === 0 && anonymous.lastMs >= sinceMs,
    )
  );
}

const listGood = (state: AssessState) =>
  listKnown(state).filter((endpoint) => findFault(state, endpoint) === undefined);

/** The gravest of them that is about V1 and not about some endpoints beside others. */
export function findGrave(state: AssessState, incidents: readonly Incident[]): Incident | undefined {
  const known = runsOf(state.availability);
  const good = listGood(state);
  const isWhole = ({ cause, endpoints }: Incident) => {
    const isBroad = endpoints.length !== 1 || known.length === 1;
    // One list speaks for everybody; one person's answer may be the sample's fault.
    if (cause.startsWith("data/")) return isBroad || endpoints[0] === "passport-list";
    const isSilence = cause === "down" || cause === "unsafe-response";
    return isBroad && !(isSilence && good.some((endpoint) => !endpoints.includes(endpoint)));
  };
  return (Object.keys(lifeWords) as Cause[])
    .map((cause) => incidents.find((one) => one.cause === cause && isWhole(one)))
    .find((found) => found !== undefined);
}

export type Unconfirmed = {
  /** "V1 does not answer (1 look, not confirmed yet)" */
  life: string;
  /** All of V1, and not some of its endpoints. */
  isWhole: boolean;
  /** Open incidents say all of it too. */
  isConfirmed: boolean;
};

/** `bare`: no cause will ever confirm it, so nobody waits for that. */
type Standing = "confirmed" | "pending" | "bare";

type Trouble = { endpoint: EndpointId; fault?: Fault | undefined; standing: Standing };

/** Undefined where the last look was good. Asked only where no open incident is grave. */
export function readUnconfirmed(state: AssessState, open: readonly Incident[]): Unconfirmed | undefined {
  const known = listKnown(state);
  const troubles = known.flatMap((endpoint) => findTrouble(state, open, endpoint));
  const faults = troubles.flatMap(({ fault }) => fault ?? []);
  const pending = findGrave(state, listPending(state));
  if (pending) {
    const looks = Math.max(pending.confirmations, countChecks(troubles));
    return {
      life: qualify(describeGrave(state, pending), "pending", looks),
      isWhole: true,
      isConfirmed: false,
    };
  }
  const isOfV2 = ({ fault }: Trouble) => fault?.is === "v2-shaped";
  const v2 = troubles.filter(isOfV2);
  const [list] = troubles.filter(({ endpoint }) => endpoint === "passport-list");
  if (known.length > 0 && faults.length === known.length) return unconfirmedAll(troubles);
  if (v2.length > 1 || (list && isOfV2(list))) return unconfirmedAll(v2);
  if (list?.fault?.is === "stub-data" || list?.fault?.is === "empty") return unconfirmedAll([list]);
  return troubles.length > 0 ? unconfirmedSome(troubles) : undefined;
}

function unconfirmedAll(troubles: readonly Trouble[]): Unconfirmed {
  const faults = troubles.flatMap(({ fault }) => fault ?? []);
  // What was not judged says nothing beside what was.
  const told = faults.some(({ is }) => is !== "unjudged")
    ? faults.filter(({ is }) => is !== "unjudged")
    : faults;
  const [words, ...others] = new Set(told.map(({ wholeWords }) => wholeWords));
  const standing = joinStandings(troubles.filter(({ fault }) => fault && told.includes(fault)));
  const life = words === undefined || others.length > 0 ? "V1 gives no usable answer" : words;
  return {
    life: qualify(life, standing, countChecks(troubles)),
    isWhole: true,
    isConfirmed: standing === "confirmed",
  };
}

/** "V1 is alive but for passport, and for passport-list (1 look, not confirmed yet)" */
function unconfirmedSome(troubles: readonly Trouble[]): Unconfirmed {
  const named = (standing: Standing) => troubles.filter((trouble) => trouble.standing === standing);
  const join = (some: readonly Trouble[]) => some.map(({ endpoint }) => endpoint).join(" and ");
  const pending = named("pending");
  const bare = Object.values(Object.groupBy(named("bare"), ({ fault }) => fault?.words ?? ""));
  const groups = [
    join(named("confirmed")),
    pending.length > 0 ? qualify(join(pending), "pending", countChecks(pending)) : "",
    ...bare.map(
      (some = []) => `${join(some)} (${some[0]?.fault?.words}, ${plural(countChecks(some), "look")})`,
    ),
  ];
  return {
    life: `V1 is alive but for ${groups.filter((words) => words !== "").join(", and for ")}`,
    isWhole: false,
    isConfirmed: joinStandings(troubles) === "confirmed",
  };
}

function qualify(words: string, standing: Standing, looks: number): string {
  if (standing === "confirmed") return words;
  return `${words} (${plural(looks, "look")}${standing === "pending" ? ", not confirmed yet" : ""})`;
}

const joinStandings = (troubles: readonly Trouble[]): Standing =>
  troubles.some(({ standing }) => standing === "pending")
    ? "pending"
    : troubles.every(({ standing }) => standing === "confirmed")
      ? "confirmed"
      : "bare";

function countChecks(troubles: readonly Trouble[]): number {
  const looks = troubles.flatMap(({ fault }) => fault?.looks ?? []);
  return looks.length > 0 ? Math.min(...looks) : 0;
}

/** Bad in the latest tick, and not often enough to be told; that V1 is gone is too much to say so early. */
const listPending = ({ incidents, tickMs }: AssessState) =>
  Object.values(incidents)
    .map(({ incident }) => incident)
    .filter(
      ({ state, cause, lastBadAt, inhibitedBy }) =>
        state === "pending" && cause !== "retirement/gone" && !inhibitedBy && Date.parse(lastBadAt) >= tickMs,
    );

/** An endpoint that an open incident names is in trouble until that is resolved, whatever it answers. */
function findTrouble(state: AssessState, open: readonly Incident[], endpoint: EndpointId): Trouble[] {
  const fault = findFault(state, endpoint);
  const isNamed = open.some(
    ({ cause, endpoints }) =>
      endpoints.includes(endpoint) &&
      isUnusable(cause, primaryVariant(state.availability.primary) === "anonymous"),
  );
  if (isNamed && fault?.is !== "unjudged") return [{ endpoint, fault, standing: "confirmed" }];
  return fault ? [{ endpoint, fault, standing: fault.isConfirmable ? "pending" : "bare" }] : [];
}

const isUnusable = (cause: Cause, isAnonymous: boolean) =>
  cause === "access/key-mandatory"
    ? isAnonymous
    : cause.startsWith("access/") || lifeWords[cause] !== undefined;

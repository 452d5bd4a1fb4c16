// What the last look at V1 shows and no incident says yet: the same state that the incidents are judged from,
// before it is confirmed.
import { runsOf } from "../assess/availability.ts";
import { sortEndpoints } from "../assess/phrases.ts";
import type { AssessState } from "../assess/state.ts";
import { plural } from "../assess/words.ts";
import type { EndpointId } from "../contract/endpoints.ts";
import type { Cause, Incident } from "../records/incident.ts";
import { leadingCase } from "./view-cards.ts";

export const lifeWords: Partial<Record<Cause, string>> = {
  "retirement/gone": "V1 is gone",
  "access/retired-by-401": "V1 answers 401 to everybody",
  down: "V1 does not answer",
  "access/quota-exhausted": "V1 is alive, but our key's quota is used up",
  "access/key-revoked": "V1 is alive, but refuses our key",
  hostile: "V1 answers what is not safe to read",
  "data/fall-forward": "V1 answers in the shape of V2",
  "data/zero-stub": "V1 answers, but every score is 0",
  "monitor/no-secret": "V1 is not asked: there is no key to ask with",
};

/** The gravest of them that is about V1 and not about one endpoint beside others. */
export function findGrave(state: AssessState, incidents: readonly Incident[]): Incident | undefined {
  const known = runsOf(state.availability).length;
  return (Object.keys(lifeWords) as Cause[])
    .map((cause) =>
      incidents.find((one) => one.cause === cause && (one.endpoints.length !== 1 || known === 1)),
    )
    .find((found) => found !== undefined);
}

export type Doubt = {
  /** "V1 does not answer (1 look, not confirmed yet)" */
  life: string;
  /** All of V1, and not some of its endpoints. */
  isWhole: boolean;
  /** An open incident says it too. */
  isConfirmed: boolean;
};

/** Undefined where the last look was good. Asked only where no open incident is grave. */
export function readDoubt(state: AssessState, open: readonly Incident[]): Doubt | undefined {
  const doubt = (words: string, looks: number, isWhole: boolean, isConfirmed = false): Doubt => ({
    life: isConfirmed ? words : `${words} (${plural(looks, "look")}, not confirmed yet)`,
    isWhole,
    isConfirmed,
  });
  const runs = runsOf(state.availability);
  const bad = runs.filter(({ face }) => face !== "ok");
  const looks = bad.length > 0 ? Math.min(...bad.map(({ times }) => times)) : 0;
  const pending = findGrave(state, listPending(state));
  if (pending) return doubt(lifeWords[pending.cause]!, Math.max(pending.confirmations, looks), true);
  const isConfirmed = bad.every(({ endpoint }) => open.some((incident) => isAbout(incident, endpoint)));
  if (bad.length > 0 && bad.length === runs.length)
    return doubt(describeAll(state, bad), looks, true, isConfirmed);
  const strange = findStrange(state);
  if (strange)
    return doubt(
      lifeWords[strange.cause]!,
      strange.times,
      true,
      open.some(({ cause }) => cause === strange.cause),
    );
  const down = open.find(({ cause }) => cause === "down")?.endpoints ?? [];
  const endpoints = sortEndpoints([...down, ...bad.map(({ endpoint }) => endpoint)]);
  if (endpoints.length === 0) return undefined;
  return doubt(`V1 is alive but for ${endpoints.join(" and ")}`, looks, false, isConfirmed);
}

/** Bad in the latest tick, and not often enough to be told; that V1 is gone is too much to say so early. */
const listPending = ({ cases, tickMs }: AssessState) =>
  Object.values(cases)
    .map(({ incident }) => incident)
    .filter(
      ({ state, cause, lastBadAt, inhibitedBy }) =>
        state === "pending" && cause !== "retirement/gone" && !inhibitedBy && Date.parse(lastBadAt) >= tickMs,
    );

const isAbout = ({ cause, endpoints }: Incident, endpoint: EndpointId) =>
  (cause === "down" || cause === "hostile" || cause.startsWith("access/")) && endpoints.includes(endpoint);

function describeAll(state: AssessState, bad: ReturnType<typeof runsOf>): string {
  const [name, ...others] = new Set(bad.map((run) => run.class));
  const isFace = (face: string) => bad.every((run) => run.face === face);
  if (isFace("failed")) return lifeWords.down!;
  if (isFace("unsafe")) return lifeWords.hostile!;
  if (others.length > 0) return "V1 gives no usable answer";
  if (name === "unauthorized")
    return `V1 answers 401 to ${leadingCase(state) === "keyed" ? "our key" : "requests without a key"}`;
  return name === "redirect" ? "V1 redirects every request" : `V1 answers ${name} to every request`;
}

/** A 200 that is not V1's: in the shape of V2, or a list of zeros. One person's score may well be 0. */
function findStrange({ data, availability }: AssessState): { cause: Cause; times: number } | undefined {
  const marks = runsOf(availability).flatMap(({ endpoint, face }) => {
    const mark = face === "ok" ? data?.endpoints[endpoint]?.mark : undefined;
    return mark ? [{ endpoint, ...mark }] : [];
  });
  const ofV2 = marks.find(({ is }) => is === "v2-shaped");
  if (ofV2) return { cause: "data/fall-forward", times: ofV2.times };
  const zeros = marks.find(({ is, endpoint }) => is === "zero-stub" && endpoint === "passport-list");
  return zeros && { cause: "data/zero-stub", times: zeros.times };
}

// Faults that the last check found and that no open incident reports yet. They are read from the same state as
// the incidents, before the number of checks that an incident needs for its confirmation.

import { plural } from "../../assess/alerts/text.ts";
import { runsOf } from "../../assess/rules/availability.ts";
import { primaryVariant } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Cause, Incident } from "../../records/incident.ts";
import {
  type EndpointFault,
  emptyListText,
  findFault,
  listCheckedEndpoints,
  outageTexts,
} from "./endpoint-fault.ts";

/** If no request is served, it is unknown whether V1 is up. */
const refusedKeyTexts: typeof outageTexts = {
  "access/quota-exhausted": "V1 refuses our API key: its quota is exhausted",
  "access/key-revoked": "V1 refuses our API key",
};

export function describeOutage(state: AssessState, { cause }: Incident): string {
  const list = state.data?.endpoints["passport-list"];
  if (cause === "data/stub-data" && list?.mark?.is === "empty") return emptyListText;
  return (isServing(state) ? undefined : refusedKeyTexts[cause]) ?? outageTexts[cause]!;
}

/** The last check returned data, or an anonymous check did after V1 began to refuse the key. */
function isServing(state: AssessState): boolean {
  const runs = Object.values(state.access ?? {});
  const deniedMs = runs.flatMap(({ authenticated }) =>
    authenticated?.responseClass === "denied" ? authenticated.sinceMs : [],
  );
  const sinceMs = Math.min(...deniedMs);
  return (
    listHealthyEndpoints(state).length > 0 ||
    runs.some(
      ({ anonymous }) =>
        anonymous?.responseClass === "served" && anonymous.others === 0 && anonymous.lastMs >= sinceMs,
    )
  );
}

const listHealthyEndpoints = (state: AssessState) =>
  listCheckedEndpoints(state).filter((endpoint) => findFault(state, endpoint) === undefined);

/** The most severe incident that affects V1 as a whole, as opposed to some of its endpoints. */
export function findOutage(state: AssessState, incidents: readonly Incident[]): Incident | undefined {
  const known = runsOf(state.availability);
  const healthy = listHealthyEndpoints(state);
  const affectsV1 = ({ cause, endpoints }: Incident) => {
    const isBroad = endpoints.length !== 1 || known.length === 1;
    // The list covers all passports; a fault of a single passport may be caused by the sample.
    if (cause.startsWith("data/")) return isBroad || endpoints[0] === "passport-list";
    const isUnavailable = cause === "down" || cause === "unsafe-response";
    return isBroad && !(isUnavailable && healthy.some((endpoint) => !endpoints.includes(endpoint)));
  };
  return (Object.keys(outageTexts) as Cause[])
    .map((cause) => incidents.find((incident) => incident.cause === cause && affectsV1(incident)))
    .find((found) => found !== undefined);
}

export type Unconfirmed = {
  /** "V1 is down (1 check, not confirmed yet)" */
  text: string;
  /** True for V1 as a whole, false for some of its endpoints. */
  affectsV1: boolean;
  /** Open incidents report all of it. */
  isConfirmed: boolean;
};

/** `unconfirmable`: no cause covers the fault, so the text does not announce a confirmation. */
type Confirmation = "confirmed" | "pending" | "unconfirmable";

type FaultyEndpoint = {
  endpoint: EndpointId;
  fault?: EndpointFault | undefined;
  confirmation: Confirmation;
};

/** Undefined if the last check found no fault. Called only if no open incident affects V1 as a whole. */
export function readUnconfirmed(state: AssessState, open: readonly Incident[]): Unconfirmed | undefined {
  const checked = listCheckedEndpoints(state);
  const faulty = checked.flatMap((endpoint) => findFaultyEndpoint(state, open, endpoint));
  const faults = faulty.flatMap(({ fault }) => fault ?? []);
  const pending = findOutage(state, listPendingIncidents(state));
  if (pending) {
    const checkCount = Math.max(pending.confirmations, countChecks(faulty));
    return {
      text: qualify(describeOutage(state, pending), "pending", checkCount),
      affectsV1: true,
      isConfirmed: false,
    };
  }
  const isV2Shaped = ({ fault }: FaultyEndpoint) => fault?.kind === "v2-shaped";
  const v2Shaped = faulty.filter(isV2Shaped);
  const [list] = faulty.filter(({ endpoint }) => endpoint === "passport-list");
  if (checked.length > 0 && faults.length === checked.length) return describeAllOfV1(faulty);
  if (v2Shaped.length > 1 || (list && isV2Shaped(list))) return describeAllOfV1(v2Shaped);
  if (list?.fault?.kind === "stub-data" || list?.fault?.kind === "empty") return describeAllOfV1([list]);
  return faulty.length > 0 ? describeSomeEndpoints(faulty) : undefined;
}

function describeAllOfV1(faulty: readonly FaultyEndpoint[]): Unconfirmed {
  const faults = faulty.flatMap(({ fault }) => fault ?? []);
  // Endpoints that could not be judged are left out if at least one could be judged.
  const judged = faults.some(({ kind }) => kind !== "unjudged")
    ? faults.filter(({ kind }) => kind !== "unjudged")
    : faults;
  const [text, ...others] = new Set(judged.map(({ textForV1 }) => textForV1));
  const confirmation = combineConfirmations(faulty.filter(({ fault }) => fault && judged.includes(fault)));
  const common = text === undefined || others.length > 0 ? "V1 returns no usable response" : text;
  return {
    text: qualify(common, confirmation, countChecks(faulty)),
    affectsV1: true,
    isConfirmed: confirmation === "confirmed",
  };
}

/** "V1 is up except passport, and except passport-list (1 check, not confirmed yet)" */
function describeSomeEndpoints(faulty: readonly FaultyEndpoint[]): Unconfirmed {
  const withConfirmation = (confirmation: Confirmation) =>
    faulty.filter((endpoint) => endpoint.confirmation === confirmation);
  const join = (some: readonly FaultyEndpoint[]) => some.map(({ endpoint }) => endpoint).join(" and ");
  const pending = withConfirmation("pending");
  const unconfirmable = Object.values(
    Object.groupBy(withConfirmation("unconfirmable"), ({ fault }) => fault?.text ?? ""),
  );
  const groups = [
    join(withConfirmation("confirmed")),
    pending.length > 0 ? qualify(join(pending), "pending", countChecks(pending)) : "",
    ...unconfirmable.map(
      (some = []) => `${join(some)} (${some[0]?.fault?.text}, ${plural(countChecks(some), "check")})`,
    ),
  ];
  return {
    text: `V1 is up except ${groups.filter((group) => group !== "").join(", and except ")}`,
    affectsV1: false,
    isConfirmed: combineConfirmations(faulty) === "confirmed",
  };
}

function qualify(text: string, confirmation: Confirmation, checkCount: number): string {
  if (confirmation === "confirmed") return text;
  return `${text} (${plural(checkCount, "check")}${confirmation === "pending" ? ", not confirmed yet" : ""})`;
}

const combineConfirmations = (faulty: readonly FaultyEndpoint[]): Confirmation =>
  faulty.some(({ confirmation }) => confirmation === "pending")
    ? "pending"
    : faulty.every(({ confirmation }) => confirmation === "confirmed")
      ? "confirmed"
      : "unconfirmable";

function countChecks(faulty: readonly FaultyEndpoint[]): number {
  const counts = faulty.flatMap(({ fault }) => fault?.checkCount ?? []);
  return counts.length > 0 ? Math.min(...counts) : 0;
}

/** Incidents that the latest tick supports but that are not confirmed yet. A retirement is reported only once confirmed. */
const listPendingIncidents = ({ incidents, tickMs }: AssessState) =>
  Object.values(incidents)
    .map(({ incident }) => incident)
    .filter(
      ({ state, cause, lastBadAt, inhibitedBy }) =>
        state === "pending" && cause !== "retirement/gone" && !inhibitedBy && Date.parse(lastBadAt) >= tickMs,
    );

/** An endpoint of an open incident counts as faulty until the incident is resolved, whatever it returns. */
function findFaultyEndpoint(
  state: AssessState,
  open: readonly Incident[],
  endpoint: EndpointId,
): FaultyEndpoint[] {
  const fault = findFault(state, endpoint);
  const isInIncident = open.some(
    ({ cause, endpoints }) =>
      endpoints.includes(endpoint) &&
      makesUnusable(cause, primaryVariant(state.availability.primary) === "anonymous"),
  );
  if (isInIncident && fault?.kind !== "unjudged") return [{ endpoint, fault, confirmation: "confirmed" }];
  return fault ? [{ endpoint, fault, confirmation: fault.isConfirmable ? "pending" : "unconfirmable" }] : [];
}

const makesUnusable = (cause: Cause, isAnonymous: boolean) =>
  cause === "access/key-mandatory"
    ? isAnonymous
    : cause.startsWith("access/") || outageTexts[cause] !== undefined;

// The records that are requested as samples: configured, or chosen from the list. Their ids may be people's, so
// they stay in the probe state and are never exported, shown or logged.

import type { Config } from "../config/config.ts";
import { api, endpoints, sampleSource } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { maxSamples, type ProbeState, type Sample } from "../records/probe-state.ts";
import { dayMs } from "../time.ts";
import { isJsonObject, nameInRecord, recordsOf, valueAt } from "./validate/field-values.ts";

/** Fewer would not tell a deleted record from a withdrawn path. */
const wantedSamples = 3;

/** A sample that is gone is tried again after this time. */
const goneForMs = 7 * dayMs;

const { idForm, otherId } = api.sample;
const source = endpoints[sampleSource];

/** The id of a record of the list; undefined where it has none that can be requested. */
function idOf(record: Record<string, unknown>): string | undefined {
  const id = valueAt(record, nameInRecord(sampleSource, source.recordId));
  const isPlain = isIdInteger ? Number.isSafeInteger(id) : typeof id === "string";
  return isPlain && idForm.test(String(id)) ? String(id) : undefined;
}

/** What the record says that the API accepts in place of its id. */
function otherIdOf(record: Record<string, unknown>): string | undefined {
  const found = otherId?.fields
    .flatMap((name) => record[name])
    .find((value) => typeof value === "string" && otherId.form.test(value));
  return typeof found === "string" ? found : undefined;
}

const configuredIds = ({ samples }: Config) => (samples.ids === "auto" ? [] : samples.ids.map(String));

/** All samples of an installation: the configured ones, and where they are fewer than three, chosen ones. */
export function listSamples(config: Config, known: readonly Sample[]): Sample[] {
  const ids = configuredIds(config);
  const configured = ids.map((id) => known.find((sample) => sample.id === id) ?? { id });
  if (configured.length >= wantedSamples) return configured;
  return [...configured, ...known.filter(({ id }) => !ids.includes(id))];
}

const isLive = ({ goneAtMs }: Sample, nowMs: number) =>
  goneAtMs === undefined || Math.abs(nowMs - goneAtMs) > goneForMs;

/** The sample whose turn it is; a sample that is gone has none unless all are gone. */
export function pickSample(
  samples: readonly Sample[],
  turn: number,
  nowMs: number,
  except?: string,
): Sample | undefined {
  const others = samples.filter(({ id }) => id !== except);
  const live = others.filter((sample) => isLive(sample, nowMs));
  const choice = live.length > 0 ? live : others;
  return choice[turn % choice.length];
}

export function pickOtherId(
  { samples }: Config,
  sample: Sample | undefined,
  turn: number,
): string | undefined {
  return samples.otherIds === "auto" ? sample?.otherId : samples.otherIds[turn % samples.otherIds.length];
}

/** The records of a list body that can be requested. */
function usableRecords(listBody: unknown): { id: string; record: Record<string, unknown> }[] {
  return recordsOf(sampleSource, listBody).flatMap((record) => {
    const id = isJsonObject(record) ? idOf(record) : undefined;
    return id === undefined ? [] : [{ id, record: record as Record<string, unknown> }];
  });
}

export const findListed = (listBody: unknown, id: string) =>
  usableRecords(listBody).find((one) => one.id === id)?.record;

/** Fills up what is missing to three, from all over the page. A record with values comes first: 0 looks like a stub. */
export function chooseSamples(
  listBody: unknown,
  config: Config,
  known: readonly Sample[],
  nowMs: number,
): Sample[] {
  const missing = wantedSamples - known.filter((sample) => isLive(sample, nowMs)).length;
  if (configuredIds(config).length >= wantedSamples || missing <= 0) return [...known];
  const records = usableRecords(listBody).filter(({ id }) => !known.some((one) => one.id === id));
  const rank = source.values[0];
  const ranked = records.filter(({ record }) => {
    const value = rank === undefined ? undefined : valueAt(record, nameInRecord(sampleSource, rank));
    return typeof value === "number" && value > 0;
  });
  const offered = ranked.length >= missing ? ranked : records;
  const count = Math.min(missing, offered.length);
  const chosen = Array.from({ length: count }, (_, index) => {
    const { id, record } = offered[Math.floor((index * offered.length) / count)]!;
    return { id, otherId: otherIdOf(record) };
  });
  return [...known, ...chosen].slice(-maxSamples);
}

/** Those that have to be remembered: neither configured nor known. */
export function newSamples(config: Config, samples: readonly Sample[], known: readonly Sample[]): Sample[] {
  const ids = new Set([...configuredIds(config), ...known.map(({ id }) => id)]);
  return samples.filter(({ id }) => !ids.has(id));
}

/** A word of a name on the list, for the keyword; it lives for one tick. */
export function findKeyword(listBody: unknown): string | undefined {
  const filter = source.parameters.find(({ filters }) => filters)?.filters;
  if (filter === undefined) return undefined;
  return usableRecords(listBody)
    .map(({ record }) => valueAt(record, nameInRecord(sampleSource, filter)))
    .filter((name) => typeof name === "string")
    .flatMap((name) => name.slice(0, 200).split(/\s+/))
    .find((part) => /^\p{L}{3,20}$/u.test(part));
}

export type SampleChanges = {
  /** Chosen from the list in this tick. */
  chosen: readonly Sample[];
  /** Ids that got a 404 while another sample was served. */
  gone: readonly string[];
};

/** Another writer may have chosen meanwhile: three are enough, whoever chose them. */
export function applySamples(
  probeState: ProbeState,
  config: Config,
  { chosen, gone }: SampleChanges,
  nowMs: number,
): ProbeState {
  let { samples } = probeState;
  for (const id of gone) {
    const marked = { ...samples.find((one) => one.id === id), id, goneAtMs: nowMs };
    samples = [...samples.filter((one) => one.id !== id), marked];
  }
  for (const one of chosen) {
    const live = listSamples(config, samples).filter((sample) => isLive(sample, nowMs));
    if (live.length >= wantedSamples) break;
    if (!samples.some(({ id }) => id === one.id)) samples = [...samples, one];
  }
  return samples === probeState.samples ? probeState : { ...probeState, samples: samples.slice(-maxSamples) };
}

// The passports that are requested as samples: configured, or chosen from the list. Their ids are people's, so
// they stay in the probe state and are never exported, shown or logged.

import type { Config } from "../config/config.ts";
import { sampleSource } from "../contract/endpoints.ts";
import { maxSamples, type ProbeState, type Sample } from "../records/probe-state.ts";
import { dayMs } from "../time.ts";
import { isJsonObject, recordsOf } from "./validate/field-values.ts";

/** Fewer would not tell a deleted passport from a withdrawn path. */
export const wantedSamples = 3;

/** A sample that is gone is tried again after this time. */
const goneForMs = 7 * dayMs;

const isWallet = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);

const configuredIds = ({ samples }: Config) =>
  samples.passports === "auto" ? [] : samples.passports.map(String);

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

export function pickWallet(
  { samples }: Config,
  sample: Sample | undefined,
  turn: number,
): string | undefined {
  return samples.wallets === "auto" ? sample?.wallet : samples.wallets[turn % samples.wallets.length];
}

/** The records of a list body that can be requested. */
function usableRecords(listBody: unknown): Record<string, unknown>[] {
  return recordsOf(sampleSource, listBody).filter(
    (one): one is Record<string, unknown> =>
      isJsonObject(one) && Number.isSafeInteger(one.passport_id) && (one.passport_id as number) >= 0,
  );
}

export const findListed = (listBody: unknown, id: string) =>
  usableRecords(listBody).find(({ passport_id }) => String(passport_id) === id);

/** Fills up what is missing to three, from all over the page. A person with a score comes first: 0 looks like a stub. */
export function chooseSamples(
  listBody: unknown,
  config: Config,
  known: readonly Sample[],
  nowMs: number,
): Sample[] {
  const missing = wantedSamples - known.filter((sample) => isLive(sample, nowMs)).length;
  if (configuredIds(config).length >= wantedSamples || missing <= 0) return [...known];
  const records = usableRecords(listBody).filter(
    ({ passport_id }) => !known.some(({ id }) => id === String(passport_id)),
  );
  const scored = records.filter(({ score }) => typeof score === "number" && score > 0);
  const offered = scored.length >= missing ? scored : records;
  const count = Math.min(missing, offered.length);
  const chosen = Array.from({ length: count }, (_, index) => {
    const record = offered[Math.floor((index * offered.length) / count)];
    const wallet = record?.main_wallet;
    return { id: String(record?.passport_id), wallet: isWallet(wallet) ? wallet : undefined };
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
  return usableRecords(listBody)
    .map(({ passport_profile: profile }) => (isJsonObject(profile) ? profile.display_name : undefined))
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

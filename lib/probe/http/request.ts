// Builds the URL and the key of a planned request. Samples are kept in memory only.
import type { Config } from "../../config/config.ts";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import type { Variant } from "../../records/observation.ts";

/**
 * The values that a list response offers for the next requests. They are personal data, so they are never
 * stored or shown.
 */
export type Samples = {
  passportId?: string;
  wallet?: string;
  keyword?: string;
  /** The passport as it appears in the list, to compare with the single-passport response. */
  listed?: Record<string, unknown>;
};

/** An id that no passport is known to have, for gap 4.4-unknown-id. */
const unknownId = "999999999";
/**
 * The id that is requested when no sample is known. Its 404 is inconclusive, but its 401, 410 or 503 is
 * conclusive.
 */
const fallbackId = "1";
const badKey = "v1watch-invalid-api-key";
const dayMs = 86_400_000;

const rotate = <T>(items: readonly T[], tickMs: number): T | undefined =>
  items[Math.floor(tickMs / dayMs) % items.length];

/** Rotates the configured samples once a day. A new sample in each tick could look like drift. */
export function configuredSamples(config: Config, tickMs: number): Samples {
  const { passports, wallets, keyword } = config.samples;
  const passportId = passports === "auto" ? undefined : rotate(passports, tickMs);
  const wallet = wallets === "auto" ? undefined : rotate(wallets, tickMs);
  return {
    ...(passportId !== undefined && { passportId: String(passportId) }),
    ...(wallet !== undefined && { wallet }),
    ...(keyword !== "auto" && { keyword }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Takes the samples that are configured as `auto` from a list body. The passport of the previous tick is kept
 * while the list still contains it. A passport that was removed would return 404 and look like a retirement.
 */
export function sampleList(
  body: unknown,
  configured: Samples,
  tickMs: number,
  previous: Samples = {},
): Samples {
  const list = isRecord(body) && Array.isArray(body.passports) ? body.passports.filter(isRecord) : [];
  const usable = list.filter(({ passport_id: id }) => Number.isSafeInteger(id) && (id as number) >= 0);
  const find = (wanted: string | undefined) => usable.find(({ passport_id: id }) => String(id) === wanted);
  const listed =
    configured.passportId === undefined
      ? (find(previous.passportId) ?? rotate(usable, tickMs))
      : find(configured.passportId);
  const samples: Samples = { ...configured };
  if (listed) {
    samples.listed = listed;
    samples.passportId = String(listed.passport_id);
  }
  const wallet = listed?.main_wallet;
  if (samples.wallet === undefined && typeof wallet === "string" && /^0x[0-9a-fA-F]{40}$/.test(wallet)) {
    samples.wallet = wallet;
  }
  if (samples.keyword === undefined) {
    const names = list.map(({ passport_profile: profile }) =>
      isRecord(profile) ? profile.display_name : undefined,
    );
    const keyword = names
      .filter((name) => typeof name === "string")
      .flatMap((name) => name.slice(0, 200).split(/\s+/))
      .find((part) => /^\p{L}{3,20}$/u.test(part));
    if (keyword) samples.keyword = keyword;
  }
  return samples;
}

export type BuiltRequest = {
  url: URL;
  apiKey?: string;
  /** False when no sample passport is known, so that a 404 is inconclusive. */
  isSampled: boolean;
  keyword?: string;
  /** The requested passport as it appears in this tick's list, if it does. */
  listed?: Record<string, unknown>;
};

/** Whether the listed passport is the requested one, by its id or by its wallet address. */
function isSamePassport(listed: Record<string, unknown>, id: string, byWallet: boolean): boolean {
  if (!byWallet) return listed.passport_id === Number(id);
  const { main_wallet: wallet } = listed;
  return typeof wallet === "string" && wallet.toLowerCase() === id.toLowerCase();
}

/** Returns undefined when the request has no sample, such as a keyword when no name is known. */
export function buildRequest(
  config: Config,
  endpoint: EndpointId,
  variant: Variant,
  samples: Samples,
  key: string | undefined,
): BuiltRequest | undefined {
  const byWallet = variant === "by-wallet";
  const sample = byWallet ? samples.wallet : samples.passportId;
  if (byWallet && sample === undefined) return undefined;
  if (variant === "keyword" && samples.keyword === undefined) return undefined;
  const id = variant === "unknown-id" ? unknownId : (sample ?? fallbackId);

  const url = new URL(config.baseUrl + endpoints[endpoint].path.replace("{id}", encodeURIComponent(id)));
  if (endpoint === "passport-credentials") url.searchParams.set("passport_id", id);
  if (variant === "keyword") url.searchParams.set("keyword", samples.keyword!);
  if (variant === "second-page") url.searchParams.set("page", "2");

  const apiKey = variant === "anonymous" ? undefined : variant === "bad-key" ? badKey : key;
  const { listed } = samples;
  const isListed = endpoint === "passport" && listed && isSamePassport(listed, id, byWallet);
  return {
    url,
    ...(apiKey !== undefined && { apiKey }),
    ...(isListed && { listed }),
    isSampled: endpoint === "passport-list" || sample !== undefined,
    ...(variant === "keyword" && { keyword: samples.keyword! }),
  };
}

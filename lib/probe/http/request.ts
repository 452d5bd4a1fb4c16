// A planned request → a URL and the key to send. Samples live for one cycle, in memory only.
import type { Config } from "../../config/config.ts";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import type { Variant } from "../../records/observation.ts";

/** What one list response offers to ask for next; people's data, so it is never stored or shown. */
export type Samples = {
  passportId?: string;
  wallet?: string;
  keyword?: string;
  /** The passport as the list shows it, to compare with the single one. */
  listed?: Record<string, unknown>;
};

/** No passport has it, so far as anyone knows: an honest question for gap 4.4-unknown-id. */
const unknownId = "999999999";
/** Asked for where no sample is known: its 404 says nothing, its 401, 410 or 503 says all. */
const fallbackId = "1";
const badKey = "v1watch-asks-with-a-key-that-nobody-has";
const dayMs = 86_400_000;

const rotate = <T>(items: readonly T[], tickMs: number): T | undefined =>
  items[Math.floor(tickMs / dayMs) % items.length];

/** Configured samples in turn, one a day: a new one each tick would look like drift. */
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
 * Fills what the configuration leaves to `auto` from a list body. The passport of the cycle before is
 * kept while the list still shows it; one that is gone would answer 404, and look like a retirement.
 */
export function sampleList(
  body: unknown,
  configured: Samples,
  tickMs: number,
  before: Samples = {},
): Samples {
  const list = isRecord(body) && Array.isArray(body.passports) ? body.passports.filter(isRecord) : [];
  const usable = list.filter(({ passport_id: id }) => Number.isSafeInteger(id) && (id as number) >= 0);
  const find = (wanted: string | undefined) => usable.find(({ passport_id: id }) => String(id) === wanted);
  const listed =
    configured.passportId === undefined
      ? (find(before.passportId) ?? rotate(usable, tickMs))
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
    const word = names
      .filter((name) => typeof name === "string")
      .flatMap((name) => name.slice(0, 200).split(/\s+/))
      .find((part) => /^\p{L}{3,20}$/u.test(part));
    if (word) samples.keyword = word;
  }
  return samples;
}

export type Asked = {
  url: URL;
  apiKey?: string;
  /** False where nobody knows a passport to ask for, so that a 404 says nothing. */
  isSampled: boolean;
  /** The id or the wallet that is requested; hashed before it is kept. */
  sample?: string;
  keyword?: string;
  /** The asked passport as the list showed it in this cycle, where it did. */
  listed?: Record<string, unknown>;
};

/** Whether the list showed the very passport that is asked for, by its id or by its wallet. */
function isSamePassport(listed: Record<string, unknown>, id: string, byWallet: boolean): boolean {
  if (!byWallet) return listed.passport_id === Number(id);
  const { main_wallet: wallet } = listed;
  return typeof wallet === "string" && wallet.toLowerCase() === id.toLowerCase();
}

/** Undefined where there is nothing sensible to ask, such as a keyword without any name known. */
export function buildRequest(
  config: Config,
  endpoint: EndpointId,
  name: Variant,
  samples: Samples,
  key: string | undefined,
): Asked | undefined {
  const byWallet = name === "by-wallet";
  const sample = byWallet ? samples.wallet : samples.passportId;
  if (byWallet && sample === undefined) return undefined;
  if (name === "keyword" && samples.keyword === undefined) return undefined;
  const id = name === "unknown-id" ? unknownId : (sample ?? fallbackId);

  const url = new URL(config.baseUrl + endpoints[endpoint].path.replace("{id}", encodeURIComponent(id)));
  if (endpoint === "passport-credentials") url.searchParams.set("passport_id", id);
  if (name === "keyword") url.searchParams.set("keyword", samples.keyword!);
  if (name === "second-page") url.searchParams.set("page", "2");

  const apiKey = name === "anonymous" ? undefined : name === "bad-key" ? badKey : key;
  const { listed } = samples;
  const isListed = endpoint === "passport" && listed && isSamePassport(listed, id, byWallet);
  return {
    url,
    ...(apiKey !== undefined && { apiKey }),
    ...(isListed && { listed }),
    isSampled: endpoint === "passport-list" || sample !== undefined,
    ...(endpoint !== "passport-list" && name !== "unknown-id" && sample !== undefined && { sample }),
    ...(name === "keyword" && { keyword: samples.keyword! }),
  };
}

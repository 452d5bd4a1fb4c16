// A planned request → a URL and the key to send.
import type { Config } from "../../config/config.ts";
import { type EndpointId, endpoints, pathFor } from "../../contract/endpoints.ts";
import type { Variant } from "../../records/observation.ts";

/** The samples that a request names; personal data, so it is never shown or logged. */
export type Samples = {
  passportId?: string | undefined;
  wallet?: string | undefined;
  keyword?: string | undefined;
  /** The passport as the list shows it, to compare with the single one. */
  listed?: Record<string, unknown> | undefined;
};

/** As far as is known no passport has this id: it is the request for gap 4.4-unknown-id. */
const unknownId = "999999999";
/** Used where no sample is known: its 404 says nothing, its 401, 410 or 503 says all. */
const fallbackId = "1";
const badKey = "v1watch-deliberately-wrong-key";
export type BuiltRequest = {
  url: URL;
  apiKey?: string | undefined;
  /** False where no sample is known, so that a 404 says nothing. */
  isSampled: boolean;
  keyword?: string | undefined;
  /** The requested passport as the list of this cycle has it. */
  listed?: Record<string, unknown> | undefined;
};

/** Whether the list showed the requested passport, by its id or by its wallet. */
function isSamePassport(listed: Record<string, unknown>, id: string, byWallet: boolean): boolean {
  if (!byWallet) return listed.passport_id === Number(id);
  const { main_wallet: wallet } = listed;
  return typeof wallet === "string" && wallet.toLowerCase() === id.toLowerCase();
}

/** Undefined where there is nothing to request, such as a keyword where no name is known. */
export function buildRequest({
  config,
  endpoint,
  variant,
  samples,
  key,
}: {
  config: Config;
  endpoint: EndpointId;
  variant: Variant;
  samples: Samples;
  /** V1's key; which requests send it depends on the variant. */
  key: string | undefined;
}): BuiltRequest | undefined {
  const byWallet = variant === "by-wallet";
  const sample = byWallet ? samples.wallet : samples.passportId;
  if (byWallet && sample === undefined) return undefined;
  if (variant === "keyword" && samples.keyword === undefined) return undefined;
  const id = variant === "unknown-id" ? unknownId : (sample ?? fallbackId);

  const { role } = endpoints[endpoint];
  const url = new URL(config.baseUrl + pathFor(endpoints[endpoint], encodeURIComponent(id)));
  if (variant === "keyword") url.searchParams.set("keyword", samples.keyword!);
  if (variant === "second-page") url.searchParams.set("page", "2");

  const apiKey = variant === "anonymous" ? undefined : variant === "bad-key" ? badKey : key;
  const { listed } = samples;
  const isListed = role === "single" && listed && isSamePassport(listed, id, byWallet);
  return {
    url,
    apiKey,
    listed: isListed ? listed : undefined,
    isSampled: role === "list" || sample !== undefined,
    keyword: variant === "keyword" ? samples.keyword! : undefined,
  };
}

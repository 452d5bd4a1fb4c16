// A planned request → a URL and the key to send.
import type { Config } from "../../config/config.ts";
import {
  api,
  type EndpointId,
  endpoints,
  nameInRecord,
  pathFor,
  sampleSource,
} from "../../contract/endpoints.ts";
import { isIdInteger } from "../../contract/fields.ts";
import type { Variant } from "../../records/observation.ts";

/** The samples that a request names; personal data, so it is never shown or logged. */
export type Samples = {
  id?: string | undefined;
  /** What the API accepts in place of the id. */
  otherId?: string | undefined;
  keyword?: string | undefined;
  /** The record as the list shows it, to compare with the single one. */
  listed?: Record<string, unknown> | undefined;
};

const badKey = "v1watch-deliberately-wrong-key";
export type BuiltRequest = {
  url: URL;
  apiKey?: string | undefined;
  /** False where no sample is known, so that a 404 says nothing. */
  isSampled: boolean;
  keyword?: string | undefined;
  /** The requested record as the list of this cycle has it. */
  listed?: Record<string, unknown> | undefined;
};

/** Whether the list showed the requested record, by its id or by what is accepted in its place. */
function isSameRecord(listed: Record<string, unknown>, id: string, byOtherId: boolean): boolean {
  const { recordId } = endpoints[sampleSource];
  const name = byOtherId ? api.sample.otherId?.fields[0] : nameInRecord(endpoints[sampleSource], recordId);
  const shown = name === undefined ? undefined : listed[name];
  if (!byOtherId && isIdInteger) return shown === Number(id);
  return typeof shown === "string" && shown.toLowerCase() === id.toLowerCase();
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
  const byOtherId = variant === "by-other-id";
  const sample = byOtherId ? samples.otherId : samples.id;
  if (byOtherId && sample === undefined) return undefined;
  if (variant === "keyword" && samples.keyword === undefined) return undefined;
  const id = variant === "unknown-id" ? api.sample.unknownId : (sample ?? api.sample.fallbackId);

  const { role, parameters, pagination } = endpoints[endpoint];
  const url = new URL(config.baseUrl + pathFor(endpoints[endpoint], encodeURIComponent(id)));
  const filter = parameters.find(({ filters }) => filters);
  if (variant === "keyword" && filter) url.searchParams.set(filter.name, samples.keyword!);
  if (variant === "second-page" && pagination) url.searchParams.set(pagination.parameter, "2");

  const apiKey = variant === "anonymous" ? undefined : variant === "bad-key" ? badKey : key;
  const { listed } = samples;
  const isListed = role === "single" && listed && isSameRecord(listed, id, byOtherId);
  return {
    url,
    apiKey,
    listed: isListed ? listed : undefined,
    isSampled: role === "list" || sample !== undefined,
    keyword: variant === "keyword" ? samples.keyword! : undefined,
  };
}

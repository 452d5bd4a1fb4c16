export * from "./trust";
export { BorderClient as TravelDocuments } from "./border";

import { TrustClient } from "./trust";

let shared: TrustClient | undefined;

export function trust(): TrustClient {
  shared ??= new TrustClient(process.env.TRUST_KEY ?? "");
  return shared;
}

export interface Verdict {
  score: number;
  human_checkmark: boolean;
}

export const accept = (v: Verdict) => v.human_checkmark && v.score > 20;

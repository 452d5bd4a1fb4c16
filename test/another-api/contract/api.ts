// The made-up Harbour API: GET, JSON, one key header, one id.
import type { Api } from "../../../lib/contract/columns.ts";

export const api: Api = {
  title: "Harbour API, second edition",
  description: "Berths of a harbour and the depth that was surveyed at them.",
  version: "2",
  keyHeader: "Harbour-Token",
  sample: {
    nouns: { one: "berth", many: "berths" },
    idName: "berth_code",
    idForm: /^[A-Z]{2}-[a-z]{4}$/,
    idHint: "two capitals, a hyphen and four letters",
    unknownId: "ZZ-none",
    fallbackId: "AA-demo",
  },
};

export const statuses = [
  { status: 200, meaning: "JSON" },
  { status: 401, meaning: "no valid token" },
] as const;

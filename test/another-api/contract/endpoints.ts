import type { EndpointColumns } from "../../../lib/contract/columns.ts";
import { berth, berthList } from "./schemas.ts";

export const endpointTable = [
  {
    id: "berth-list",
    role: "list",
    section: "3.1",
    title: "List berths",
    nouns: { one: "berth", many: "berths" },
    method: "GET",
    path: "/harbour/2/berths",
    parameters: [],
    rareVariants: ["bad-key"],
    offersSamples: true,
    body: berthList,
    records: "[]",
    recordId: "[].code",
    timestamps: ["[].surveyed_at"],
    values: ["[].draught_cm"],
  },
  {
    id: "berth",
    role: "single",
    section: "3.2",
    title: "Get a berth by its code",
    nouns: { one: "berth", many: "berths" },
    method: "GET",
    path: "/harbour/2/berths/{code}",
    parameters: [
      {
        name: "code",
        in: "path",
        type: "string",
        required: true,
        meaning: "code of the berth",
        isSample: true,
      },
    ],
    rareVariants: ["unknown-id"],
    body: berth,
    records: "",
    recordId: "code",
    timestamps: ["surveyed_at"],
    values: ["draught_cm"],
    constants: ["code", "harbour_name", "is_tidal"],
  },
] as const satisfies readonly EndpointColumns[];

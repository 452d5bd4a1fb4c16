import type { BehaviourColumns, Successor } from "../../../lib/contract/columns.ts";

export const successor: Successor = {
  source: "the harbour master's announcement",
  endpoints: { mooring: { path: "/harbour/3/moorings/{berth_code}" } },
  fields: {
    code: { decision: "renamed", endpoint: "mooring", path: "mooring_code" },
    draught_cm: { decision: "renamed", endpoint: "mooring", path: "depth.centimetres" },
    vessels_moored: "drop",
  },
  rootKeys: ["mooring_code", "depth"],
  rootObjects: [],
  recordKeys: ["mooring_code", "depth"],
};

export const behaviours = [
  {
    id: "token",
    v1: "the token is optional",
    becomes: "the token becomes required",
    of: ["list", "single"],
    note: "Announced for the third edition.",
  },
] as const satisfies readonly BehaviourColumns[];

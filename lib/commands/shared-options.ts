// Options that several commands have.
import { rehearsalFileName } from "../records/rehearsal.ts";
import {
  flag,
  integer,
  mandatoryText,
  type OptionSpec,
  parsed,
  text,
  UsageError,
  type Values,
} from "./command.ts";

export const config = text(
  "<FILE>",
  "configuration file (default v1watch.config.yaml or .json; environment: V1WATCH_CONFIG)",
);
export const store = text("<FILE>", "store file (default .v1watch/watch.db; environment: V1WATCH_STORE)");
export const json = flag("print JSON");
export const baseUrl = text(
  "<URL>",
  "base URL of V1 (environment: V1WATCH_BASE_URL; the key: V1WATCH_API_KEY)",
);
export const allowLoopback = flag("allow a V1 on this machine");
export const timeout = text("<MS>", "deadline of one request in milliseconds");
export const reason = mandatoryText("<TEXT>", "the reason, shown with the incident (at most 200 characters)");
export const mapping = text("<FILE>", "mapping file (default v1watch.mapping.json)");
export const inventory = text("<FILE>", "inventory file (default v1watch.inventory.json)");
export const sarif = (what: string) => text("<FILE>", `also write SARIF 2.1, ${what}; - is standard output`);
export const v2Schema = (what: string) =>
  text("<FILE>", `V2's OpenAPI 3 document or JSON Schema, in JSON; ${what}`);
export const port = <Fallback extends number | undefined>(
  description: string,
  fallback: Fallback,
): OptionSpec<number | Fallback> => integer("<N>", description, { min: 0, max: 65_535, fallback });

/** The watch whose data a command reads. */
export const watchOptions = {
  store,
  table: {
    ...text("<NAME>", "table of a watch in AWS, the stack output TableName (environment: V1WATCH_TABLE)"),
    conflictsWith: "store",
  },
  config,
};
export type WatchValues = Partial<Values<typeof watchOptions>>;

/** The instant by which `ready` and `report` judge. */
export const at = parsed("<INSTANT>", "judge as of this instant, such as 2026-11-15T12:00Z (default: now)", {
  parse(given, name): number | undefined {
    const atMs = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(given)
      ? Date.parse(given)
      : Number.NaN;
    if (Number.isNaN(atMs))
      throw new UsageError(
        `${name} must be an instant with its time zone, such as 2026-11-15T12:00Z, not "${given}"`,
      );
    return atMs;
  },
  fallback: undefined,
});

/** The files that a team keeps next to its code. */
export const teamOptions = {
  mapping,
  inventory,
  parity: text(
    "<FILE>",
    "file of `v1watch parity --resume FILE`, or output of its --json (default parity.state.json)",
  ),
  rehearsal: text("<FILE>", `result of rehearse (default ${rehearsalFileName})`),
};
export type TeamValues = Partial<Values<typeof teamOptions>>;

// Consumers and used V1 fields, derived from the inventory.

import type { EndpointId } from "../../contract/endpoints.ts";
import { v1Fields } from "../../mapping/fields.ts";
import {
  type Inventory,
  type InventoryUse,
  isContradicted,
  isReadAsText,
  isRemaining,
  type UseStatus,
} from "../../records/inventory.ts";
import { bodyPath } from "../../records/observation.ts";
import { listSome, packageName, plural } from "../../text.ts";
import { dayMs, dayText } from "../../time.ts";
import type { Consumer, ConsumerUse, Doubt, Facts, Scanned, SourceLocation } from "../facts.ts";

function statusOf(remaining: readonly InventoryUse[]): UseStatus {
  if (remaining.length === 0) return "v2";
  return remaining.every(({ status }) => status === "dual") ? "dual" : "v1";
}

/** Whatever was written into the file, a line is a positive number. */
const withLine = <At extends { line: number }>(at: At): At => ({ ...at, line: Math.max(1, at.line) });

/** What somebody has checked by hand replaces what the scan found. */
function toConsumerUse(use: InventoryUse): ConsumerUse {
  const found = use.checkedFields?.map((path) => ({ path, line: use.line })) ?? use.fields;
  return {
    ...withLine(use),
    fields: found.map(withLine),
    hazards: use.hazards.map(withLine),
    isReadAsText: isReadAsText(use) && use.checkedFields === undefined,
    passedOn: use.checkedFields ? [] : (use.passedOn ?? []),
  };
}

const maxExceptionDays = 366;

/** What an exception is on a UTC day such as 2027-03-31: it is still valid on its last day, which is within a year. */
export function judgeException(
  { expires }: { expires: string },
  today: string,
): "valid" | "expired" | "too long" {
  if (expires < today) return "expired";
  return expires <= dayText(Date.parse(today) + maxExceptionDays * dayMs) ? "valid" : "too long";
}

/** `today` is a UTC day such as 2027-03-31. */
export function groupConsumers({ uses }: Inventory, today: string): Consumer[] {
  const sure = uses.filter(({ confidence }) => confidence !== "low");
  const packages = Map.groupBy(sure, (use) => use.package);
  return [...packages].map(([name, packageUses]): Consumer => {
    const remaining = packageUses.filter(isRemaining);
    const v1Only = remaining.filter(({ status }) => status !== "dual");
    const ownersOf = ({ owner, codeOwners }: InventoryUse) => (owner === undefined ? codeOwners : [owner]);
    return {
      name: packageName(name),
      owners: [...new Set((remaining.length > 0 ? remaining : packageUses).flatMap(ownersOf))],
      status: statusOf(remaining),
      isExcepted:
        v1Only.length > 0 &&
        v1Only.every(({ exception }) => exception && judgeException(exception, today) === "valid"),
      contradictions: remaining
        .filter(isContradicted)
        .flatMap(({ file, calls }) => calls.map((line) => withLine({ file, line }))),
      exceptions: remaining.flatMap(({ exception }) => exception ?? []),
      uses: remaining.map(toConsumerUse),
    };
  });
}

export type UsedField = {
  path: string;
  endpoint: EndpointId;
  consumers: string[];
  owners: string[];
  places: SourceLocation[];
  /** Declared types that a response is decoded into: decoding fails when the field changes. */
  decoders: SourceLocation[];
};

type Place = SourceLocation & { isRequired: boolean };

/** Whether a path equals another path or is nested in it. */
export const isWithin = (path: string, outer: string) =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`);

/** Whether a difference is on the field, on an object around it, on a part of it, or on the whole body. */
export const isAffected = (
  { path, endpoint }: Pick<UsedField, "path" | "endpoint">,
  difference: Pick<UsedField, "path" | "endpoint">,
) =>
  endpoint === difference.endpoint &&
  (difference.path === bodyPath || isWithin(path, difference.path) || isWithin(difference.path, path));

/**
 * Whether a use may read any field: its file is read as text, its response goes out of sight, or it calls V1 and nobody was seen
 * to read a field of that response. `read` has the calls whose responses are read somewhere.
 */
function mayReadAll(
  { file, calls, fields, isReadAsText: isText, passedOn }: ConsumerUse,
  read: ReadonlySet<string>,
): boolean {
  if (isText || passedOn.length > 0) return true;
  return calls.length > 0 && fields.length === 0 && !calls.some((line) => read.has(`${file}:${line}`));
}

/** An object on the way to a part of it, which the same function reads: only the part is used. */
const isOnTheWay = ({ fields }: ConsumerUse, path: string): boolean =>
  fields.some((field) => field.path !== path && isWithin(field.path, path));

/** Used fields in the document's order. What a use reads is known for that use: another one's reads say nothing about it. */
export function findUsedFields(consumers: readonly Consumer[]): UsedField[] {
  const read = new Set(
    consumers.flatMap(({ uses }) => uses.flatMap(({ fields }) => fields.flatMap(({ from }) => from ?? []))),
  );
  return v1Fields.flatMap(({ path, endpoint }) => {
    const readers = consumers.flatMap((consumer) => {
      const places = consumer.uses.flatMap((use): Place[] => {
        if (use.endpoint !== endpoint) return [];
        const { file, line } = use;
        const found = use.fields
          .filter((field) => isWithin(path, field.path) && !isOnTheWay(use, field.path))
          .map((field) => ({ file, line: field.line, isRequired: field.isRequired ?? false }));
        return found.length === 0 && mayReadAll(use, read) ? [{ file, line, isRequired: false }] : found;
      });
      return places.length > 0 ? [{ consumer, places }] : [];
    });
    if (readers.length === 0) return [];
    const places = readers.flatMap((reader) => reader.places);
    const locate = ({ file, line }: SourceLocation) => ({ file, line });
    return [
      {
        path,
        endpoint,
        consumers: readers.map(({ consumer }) => consumer.name),
        owners: [...new Set(readers.flatMap(({ consumer }) => consumer.owners))],
        places: places.map(locate),
        decoders: places.filter(({ isRequired }) => isRequired).map(locate),
      },
    ];
  });
}

const endpointsOf = (uses: readonly ConsumerUse[]) =>
  listSome([...new Set(uses.map(({ endpoint }) => endpoint))]);

/** What the fields gate says about uses of which every field counts as used; nothing where there are none. */
export function describeWholeUses({ consumers = [] }: Facts): string[] {
  const uses = consumers.flatMap((consumer) => consumer.uses);
  const asText = uses.filter((use) => use.isReadAsText);
  const handed = uses.filter((use) => !use.isReadAsText && use.passedOn.length > 0);
  const files = [...new Set(asText.map(({ file }) => file))];
  const places = [...new Set(handed.flatMap(({ passedOn }) => passedOn))];
  return [
    ...(files.length === 0
      ? []
      : [
          `${plural(files.length, "file is", "files are")} read as text (${listSome(files)}): every field of ${endpointsOf(asText)} counts as used there until the inventory has \`checkedFields\`, and hazards were not looked for`,
        ]),
    ...(places.length === 0
      ? []
      : [
          `whole responses go to code that the scan does not see (${listSome(places)}): every field of ${endpointsOf(handed)} counts as used there until the inventory has \`checkedFields\``,
        ]),
  ];
}

export const usedEndpoints = (consumers: readonly Consumer[]): ReadonlySet<EndpointId> =>
  new Set(consumers.flatMap(({ uses }) => uses.map(({ endpoint }) => endpoint)));

/** The files that a team keeps next to its code: mapping, inventory and comparison. */
export type TeamFiles = {
  mapping?: Facts["mapping"];
  inventory?: Inventory | undefined;
  /** By scanned folder: how many of its files differ at least from those that were read. */
  changes?: ReadonlyMap<string, number> | undefined;
  parity?: Facts["parity"];
  rehearsal?: Facts["rehearsal"];
};

/** Uses that were found by text search alone: questions, not blockers. A status v2 is an answer of before `reviewed`. */
const listDoubts = ({ uses }: Inventory): Doubt[] =>
  uses
    .filter(({ confidence, reviewed }) => confidence === "low" && reviewed === undefined)
    .filter((use) => isRemaining(use) && use.exception === undefined)
    .map(({ file, line }) => ({ file, line, reason: "low-confidence" }));

/** Groups the inventory for the given instant, because exceptions expire. */
export const readTeamFacts = (
  { mapping, inventory, parity, rehearsal, changes }: TeamFiles,
  nowMs: number,
) => ({
  mapping,
  parity,
  rehearsal,
  consumers: inventory && groupConsumers(inventory, dayText(nowMs)),
  scanned: inventory?.folders.map((folder): Scanned => {
    const { name, files, scannedOn, skipped, commit } = folder;
    return { name, files, scannedOn, skipped, commit, changed: changes?.get(name) };
  }),
  addresses: inventory?.addresses,
  scanDays: inventory?.maxAgeDays,
  unsure: inventory && [...inventory.unsure.filter(({ reviewed }) => !reviewed), ...listDoubts(inventory)],
});

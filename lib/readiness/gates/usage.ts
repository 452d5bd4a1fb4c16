// Consumers and used V1 fields, derived from the inventory.

import type { EndpointId } from "../../contract/endpoints.ts";
import { v1Fields } from "../../mapping/fields.ts";
import { type Inventory, type InventoryUse, isReadAsText, type UseStatus } from "../../records/inventory.ts";
import { bodyPath } from "../../records/observation.ts";
import { listSome, packageName, plural } from "../../text.ts";
import { dayText } from "../../time.ts";
import type { Consumer, ConsumerUse, Doubt, Facts, SourceLocation } from "../facts.ts";

/** What is left to migrate. */
export const isRemaining = ({ gone, status }: InventoryUse) => gone === undefined && status !== "v2";

function statusOf(remaining: readonly InventoryUse[]): UseStatus {
  if (remaining.length === 0) return "v2";
  return remaining.some(({ status }) => status === "v1") ? "v1" : "dual";
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
  };
}

/** `today` is a UTC day such as 2027-03-31. An exception is still valid on its expiry day. */
export function groupConsumers({ uses }: Inventory, today: string): Consumer[] {
  const sure = uses.filter(({ confidence }) => confidence !== "low");
  const packages = Map.groupBy(sure, (use) => use.package);
  return [...packages].map(([name, packageUses]): Consumer => {
    const remaining = packageUses.filter(isRemaining);
    const v1Only = remaining.filter(({ status }) => status === "v1");
    const ownersOf = ({ owner, codeOwners }: InventoryUse) => (owner === undefined ? codeOwners : [owner]);
    return {
      name: packageName(name),
      owners: [...new Set((remaining.length > 0 ? remaining : packageUses).flatMap(ownersOf))],
      status: statusOf(remaining),
      isExcepted:
        v1Only.length > 0 && v1Only.every(({ exception }) => exception && exception.expires >= today),
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
 * Used fields in the document's order. A call without a detected field read counts as a use of the whole body,
 * unless field reads of the same endpoint were detected elsewhere. A file that is read as text may read any field.
 */
export function findUsedFields(consumers: readonly Consumer[]): UsedField[] {
  const endpointsWithReads = new Set(
    consumers.flatMap(({ uses }) =>
      uses.flatMap(({ endpoint, fields }) => (fields.length > 0 ? endpoint : [])),
    ),
  );
  return v1Fields.flatMap(({ path, endpoint }) => {
    const readers = consumers.flatMap((consumer) => {
      const places = consumer.uses.flatMap((use): Place[] => {
        if (use.endpoint !== endpoint) return [];
        const { file, line } = use;
        const found = use.fields
          .filter((field) => isWithin(path, field.path))
          .map((field) => ({ file, line: field.line, isRequired: field.isRequired ?? false }));
        const isWhole = use.isReadAsText || (use.fields.length === 0 && !endpointsWithReads.has(endpoint));
        return found.length === 0 && isWhole ? [{ file, line, isRequired: false }] : found;
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

/** What the fields gate says about files in languages that are not parsed; nothing where there are none. */
export function describeTextReads({ consumers = [] }: Facts): string[] {
  const uses = consumers.flatMap((consumer) => consumer.uses.filter((use) => use.isReadAsText));
  if (uses.length === 0) return [];
  const files = [...new Set(uses.map(({ file }) => file))];
  const endpoints = [...new Set(uses.map(({ endpoint }) => endpoint))];
  return [
    `${plural(files.length, "file is", "files are")} read as text (${listSome(files)}): every field of ${listSome(endpoints)} counts as used there until the inventory has \`checkedFields\`, and hazards were not looked for`,
  ];
}

export const usedEndpoints = (consumers: readonly Consumer[]): ReadonlySet<EndpointId> =>
  new Set(consumers.flatMap(({ uses }) => uses.map(({ endpoint }) => endpoint)));

/** The files that a team keeps next to its code: mapping, inventory and comparison. */
export type TeamFiles = {
  mapping?: Facts["mapping"];
  inventory?: Inventory | undefined;
  parity?: Facts["parity"];
  rehearsal?: Facts["rehearsal"];
};

/** Uses that were found by text search alone: questions, not blockers. */
const listDoubts = ({ uses }: Inventory): Doubt[] =>
  uses
    .filter((use) => use.confidence === "low" && isRemaining(use) && use.exception === undefined)
    .map(({ file, line }) => ({ file, line, reason: "low-confidence" }));

/** Groups the inventory for the given instant, because exceptions expire. */
export const readTeamFacts = ({ mapping, inventory, parity, rehearsal }: TeamFiles, nowMs: number) => ({
  mapping,
  parity,
  rehearsal,
  consumers: inventory && groupConsumers(inventory, dayText(nowMs)),
  scanned: inventory?.folders,
  unsure: inventory && [...inventory.unsure.filter(({ reviewed }) => !reviewed), ...listDoubts(inventory)],
});

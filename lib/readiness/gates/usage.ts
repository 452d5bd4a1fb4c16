import type { EndpointId } from "../../contract/endpoints.ts";
import { v1Fields } from "../../mapping/fields.ts";
import type { Inventory, InventoryUse, UseStatus } from "../../records/inventory.ts";
import type { Consumer, Place } from "../facts.ts";
import { dayText, type Facts } from "../facts.ts";

const isLeft = ({ gone, status }: InventoryUse) => gone === undefined && status !== "v2";

function statusOf(left: readonly InventoryUse[]): UseStatus {
  if (left.length === 0) return "v2";
  return left.some(({ status }) => status === "v1") ? "v1" : "dual";
}

/** `today` as 2027-03-31; an exception's last day still counts. */
export function groupConsumers({ uses }: Inventory, today: string): Consumer[] {
  const files = Map.groupBy(uses, ({ file }) => file);
  return [...files].map(([file, all]): Consumer => {
    const left = all.filter(isLeft);
    const alone = left.filter(({ status }) => status === "v1");
    const places = left.map((use) => ({ ...use, line: Math.max(1, use.line) }));
    return {
      name: file,
      owners: [...new Set((left.length > 0 ? left : all).flatMap(({ owner }) => owner ?? []))],
      status: statusOf(left),
      isExcepted: alone.length > 0 && alone.every(({ exception }) => exception && exception.expires >= today),
      exceptions: left.flatMap(({ exception }) => exception ?? []),
      uses: places.map(({ line, endpoint, fields }) => ({ file, line, endpoint, fields })),
      hazards: left.flatMap(({ hazards }) =>
        hazards.map(({ rule, line }) => ({ file, line: Math.max(1, line), rule })),
      ),
    };
  });
}

export type UsedField = {
  path: string;
  endpoint: EndpointId;
  consumers: string[];
  owners: string[];
  places: Place[];
};

/** Whether one path is the other, or is in it. */
export const isWithin = (path: string, outer: string) =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`);

/**
 * In the document's order. A call of which no read is seen stands for the whole body, unless reads of that
 * endpoint are seen elsewhere: then its values are most likely those.
 */
export function findUsedFields(consumers: readonly Consumer[]): UsedField[] {
  const read = new Set(
    consumers.flatMap(({ uses }) =>
      uses.flatMap(({ endpoint, fields }) => (fields.length > 0 ? endpoint : [])),
    ),
  );
  return v1Fields.flatMap(({ path, endpoint }) => {
    const readers = consumers.flatMap((consumer) => {
      const places = consumer.uses.filter((use) => {
        if (use.endpoint !== endpoint) return false;
        return use.fields.length === 0
          ? !read.has(endpoint)
          : use.fields.some((field) => isWithin(path, field));
      });
      return places.length > 0 ? [{ consumer, places }] : [];
    });
    if (readers.length === 0) return [];
    return [
      {
        ...{ path, endpoint },
        consumers: readers.map(({ consumer }) => consumer.name),
        owners: [...new Set(readers.flatMap(({ consumer }) => consumer.owners))],
        places: readers.flatMap(({ places }) => places.map(({ file, line }) => ({ file, line }))),
      },
    ];
  });
}

export const usedEndpoints = (consumers: readonly Consumer[]): ReadonlySet<EndpointId> =>
  new Set(consumers.flatMap(({ uses }) => uses.map(({ endpoint }) => endpoint)));

// What a team keeps beside its code: mapping, inventory and comparison, as they are on any day.
export type TeamFiles = {
  mapping?: Facts["mapping"];
  inventory?: Inventory | undefined;
  parity?: Facts["parity"];
};

/** Work for each consumer that still calls V1, unless somebody knows better. */
export const usualDaysPerConsumer = 2;

/** An exception ends on its day, so the inventory is judged anew each time. */
export const readTeamFacts = ({ mapping, inventory, parity }: TeamFiles, nowMs: number) => ({
  ...{ mapping, parity },
  consumers: inventory && groupConsumers(inventory, dayText(nowMs)),
});

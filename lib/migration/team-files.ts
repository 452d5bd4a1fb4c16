// What a team keeps beside its code: mapping, inventory and comparison, as they are on any day.
import type { Inventory } from "../records/inventory.ts";
import { groupConsumers } from "./gates-usage.ts";
import { dayText, type Facts } from "./readiness-facts.ts";

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

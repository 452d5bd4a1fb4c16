// The public interface of the scan. Other modules import only this file.

export { EndlessScan, scanGuarded } from "./guard.ts";
export { isInFolder, type MergedInventory, mergeInventory } from "./inventory.ts";
export type { Addresses } from "./names/addresses.ts";
export type { SuccessorNames } from "./names/successor.ts";
export {
  countChanged,
  type Folder,
  MissingParser,
  type Question,
  type Scan,
  type ScanProgress,
  scanConsumers,
} from "./scan.ts";
export { type Mention, type Rule, type RuleId, ruleOf, rules, type Use } from "./uses.ts";

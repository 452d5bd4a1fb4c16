// The scan's only entry: no other module imports a file inside this folder.
export { isIn, type Merged, mergeInventory } from "./inventory.ts";
export { type Folder, type Scan, type ScanProgress, scanConsumers } from "./scan.ts";
export { type FieldRead, type Hazard, type Rule, type RuleId, ruleOf, rules, type Use } from "./uses.ts";

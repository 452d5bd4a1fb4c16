// The comparison of a fixture project, as if it had been made just now with its mapping and the V1 of the shipped settings.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeVersions } from "../../../lib/parity/cohort.ts";
import { shippedSettings } from "../../config/shipped.ts";

export function parityTextOf(project: string): string {
  const read = (name: string) => JSON.parse(readFileSync(join(project, name), "utf8"));
  const mapping = read("v1watch.mapping.json");
  const at = new Date().toISOString();
  const compared = describeVersions(shippedSettings.baseUrl ?? "", mapping.v2.baseUrl, mapping);
  return JSON.stringify({ ...read("parity.state.json"), startedAt: at, at, compared });
}

// Which fields a comparison looked at by less than their value: of these it does not say that values agree.
import type { Depth, Migration } from "../records/migration.ts";
import { isPlaced } from "./mapping-fields.ts";
import { listSome } from "./readiness-facts.ts";

export type Shallow = { path: string; compare: Exclude<Depth, "value"> };

export function findShallow(paths: Iterable<string>, { fields }: Migration): Shallow[] {
  return [...new Set(paths)].flatMap((path) => {
    const row = fields[path];
    const { compare = "value" } = row && isPlaced(row) ? row : {};
    return compare === "value" ? [] : [{ path, compare }];
  });
}

/** "; passport.score by type alone", to follow what is said of all fields; nothing where there is none. */
export function describeShallow(shallow: readonly Shallow[]): string {
  const say = (depth: Shallow["compare"]) => {
    const paths = shallow.filter(({ compare }) => compare === depth).map(({ path }) => path);
    return paths.length === 0 ? "" : `; ${listSome(paths)} by ${depth} alone`;
  };
  return `${say("type")}${say("presence")}`;
}

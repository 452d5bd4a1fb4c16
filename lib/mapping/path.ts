// A path into a JSON body: `score.points`, `socials[].name`, `accounts[source=wallet].identifier`.

export type Segment = {
  name: string;
  isList: boolean;
  /** A filter: keeps only the list items whose member `name` equals `value`. */
  where?: { name: string; value: string };
};

export function parsePath(path: string): Segment[] {
  return path.split(".").map((part) => {
    const [, name = "", bracket, key, value] = /^([^[]*)(\[(?:([^=\]]*)=([^\]]*))?\])?$/.exec(part) ?? [];
    return {
      name,
      isList: bracket !== undefined,
      ...(key !== undefined && value !== undefined && { where: { name: key, value } }),
    };
  });
}

export const countLists = (path: string) => path.split("[").length - 1;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The nested own property at the given names; undefined if any step is missing. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** A path split at its first list: the names that lead to the list, its filter, and the names within an item. */
export type ListPath = { list: string[]; where?: Segment["where"]; item: string[] };

/** Undefined for a path without a list. A second list in the path is not split. */
export function splitAtList(path: string): ListPath | undefined {
  const segments = parsePath(path);
  const at = segments.findIndex(({ isList }) => isList);
  const found = segments[at];
  if (!found) return undefined;
  return {
    list: segments.slice(0, at + 1).map(({ name }) => name),
    ...(found.where && { where: found.where }),
    item: segments.slice(at + 1).map(({ name }) => name),
  };
}

/** The list's items after its filter; undefined if the body has no array at that path. */
export function itemsAt(body: unknown, { list, where }: ListPath): unknown[] | undefined {
  const found = memberAt(body, list);
  if (!Array.isArray(found)) return undefined;
  return where ? found.filter((item) => memberAt(item, [where.name]) === where.value) : found;
}

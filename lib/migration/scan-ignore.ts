// .gitignore, as git reads it: the last pattern that matches decides, and a folder's file governs what is in it.

export type IgnoreRule = { matches: RegExp; isNegated: boolean; foldersOnly: boolean };

/** A pattern as a regular expression over the path from the .gitignore's folder. Linear: no nested repeats. */
function compile(pattern: string): RegExp | undefined {
  const isAnchored = pattern.slice(0, -1).includes("/");
  const body = pattern.replace(/^\/|\/$/g, "");
  let source = "";
  for (let index = 0; index < body.length; index++) {
    const char = body[index]!;
    if (body.startsWith("**/", index)) {
      source += "(?:.*/)?";
      index += 2;
    } else if (body.startsWith("**", index)) {
      source += ".*";
      index += 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const end = body.indexOf("]", index + 2);
      if (end < 0) source += "\\[";
      else {
        source += `[${body
          .slice(index + 1, end)
          .replace(/^!/, "^")
          .replace(/\\/g, "\\\\")}]`;
        index = end;
      }
    } else if (char === "\\") {
      index += 1;
      source += (body[index] ?? "\\").replace(/[^\w\s]/g, "\\$&");
    } else source += char.replace(/[^\w\s]/g, "\\$&");
  }
  try {
    return new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${source}$`);
  } catch {
    return undefined;
  }
}

export function readIgnoreRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((raw) => {
    const line = raw.startsWith("#") ? "" : raw.replace(/(?<!\\)\s+$/, "");
    const isNegated = line.startsWith("!");
    const pattern = isNegated ? line.slice(1) : line;
    const matches = pattern === "" || pattern.length > 500 ? undefined : compile(pattern);
    return matches ? [{ matches, isNegated, foldersOnly: pattern.endsWith("/") }] : [];
  });
}

/** The rules of one folder. `below` leads from it down to the scanned folder, where it lies above that. */
export type IgnoreLayer = { folder: string; below: string; rules: readonly IgnoreRule[] };

export function isIgnored(path: string, isFolder: boolean, layers: readonly IgnoreLayer[]): boolean {
  let ignored = false;
  for (const { folder, below, rules } of layers) {
    const relative = below ? `${below}/${path}` : folder === "" ? path : path.slice(folder.length + 1);
    for (const { matches, isNegated, foldersOnly } of rules) {
      if ((!foldersOnly || isFolder) && matches.test(relative)) ignored = !isNegated;
    }
  }
  return ignored;
}

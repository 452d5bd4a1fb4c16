// The mapping that `migrate init` writes, from what is known of V2. None of it was observed on a live V2, so every row is
// unverified until a person confirms it.
import { behaviours, successor } from "../contract/v1/successor.ts";
import type { BehaviourRow, FieldRow, Mapping } from "../records/mapping.ts";
import { dayMs } from "../time.ts";
import { v1Fields } from "./fields.ts";

/** Placeholder owner of a dropped field. A drop with this owner counts as undecided. */
export const unassignedOwner = "unassigned";
/** How long a starter drop is valid: enough time to find an owner. */
const dropDays = 90;

/** `$schema` is the address of the mapping's schema for editors. */
export function createStarter(nowMs: number, $schema?: string): Mapping {
  const expires = new Date(nowMs + dropDays * dayMs).toISOString().slice(0, 10);
  const drop = {
    decision: "dropped",
    owner: unassignedOwner,
    reason: "No counterpart found in V2.",
    expires,
  } as const;
  const unverified = { status: "unverified", source: successor.source } as const;
  const undecided = { decision: "undecided", note: "No public information found." } as const;
  const fields = v1Fields.map(({ path }) => {
    const known = successor.fields[path] ?? undecided;
    return [path, { ...(known === "drop" ? drop : known), ...unverified } as FieldRow] as const;
  });
  return {
    $schema,
    schema: "v1watch/mapping/1",
    v2: {
      baseUrl: "https://v2.example.com",
      key: { env: "V1WATCH_V2_API_KEY" },
      endpoints: { ...successor.endpoints },
    },
    fields: Object.fromEntries(fields),
    behaviours: Object.fromEntries(
      behaviours.map(({ id, note }) => [id, { decision: "undecided", note, ...unverified } as BehaviourRow]),
    ),
  };
}

/** Formats one row per line, so that a diff shows each decision as one changed line. */
export function mappingText(mapping: Mapping): string {
  const rows = (section: object) =>
    Object.entries(section)
      .map(([name, row]) => `    ${JSON.stringify(name)}: ${formatRow(row)}`)
      .join(",\n");
  const head = Object.entries({ $schema: mapping.$schema, schema: mapping.schema, v2: mapping.v2 })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${indent(JSON.stringify(value, null, 2))},`);
  return [
    "{",
    ...head,
    `  "fields": {\n${rows(mapping.fields)}\n  },`,
    `  "behaviours": {\n${rows(mapping.behaviours)}\n  }`,
    "}",
    "",
  ].join("\n");
}

const indent = (text: string) => text.replaceAll("\n", "\n  ");

/** JSON on one line, with spaces inside braces and after commas and colons. */
function formatRow(row: object): string {
  const members = Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${formatValue(value)}`);
  return `{ ${members.join(", ")} }`;
}

const formatValue = (value: unknown) =>
  typeof value === "object" && value !== null ? formatRow(value) : JSON.stringify(value);

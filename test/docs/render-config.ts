// docs/use/config.md: every setting with its description, its values and its default, from the schema, and a full example.
import { configJsonSchema } from "../../lib/config/schema.ts";

type Node = {
  title?: string;
  description?: string;
  type?: string;
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Node[];
  oneOf?: Node[];
  minimum?: number;
  maximum?: number;
  /** What the values are where no keyword of JSON Schema says it. */
  $comment?: string;
};

const example = `# v1watch.config.yaml; the same settings may be written as JSON in v1watch.config.json.
baseUrl: https://api.example.com
key: { env: V1WATCH_API_KEY }
samples:
  ids: [1, 2, 3]
cadence:
  calm: 36m
budget:
  monthlyRequests: 5000
retirement:
  date: 2026-12-31
alerts:
  pageAfter: 5m
channels:
  - type: slack
    name: team
    url: { env: SLACK_WEBHOOK_URL }
  - type: pagerduty
    name: on-call
    routingKey: { file: /run/secrets/pagerduty-routing-key }
    severities: [page]
  - type: email
    name: archive
    host: smtp.example.com
    user: v1watch
    password: { env: SMTP_PASSWORD }
    from: v1watch@example.com
    to: [team@example.com]
maintenance:
  - days: [sat]
    from: "22:00"
    to: "02:00"
    timeZone: Europe/Berlin
  - start: 2026-12-01T22:00:00Z
    end: 2026-12-02T04:00:00Z
publicUrl: https://v1watch.example.com
runbookUrl: https://wiki.example.com/v1watch-runbook
aws:
  region: eu-west-1
  subscriptions:
    - email: team@example.com
`;

export { example as configExample };

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The types of sections that have tables of their own; undefined for other values. */
function typesOf(items: Node | undefined): string | undefined {
  const types = (items?.oneOf ?? []).map(({ properties }) => properties?.type?.const);
  return types.length > 0 && types.every((type) => type !== undefined)
    ? `sections, by type: ${types.join(", ")}`
    : undefined;
}

/** What a setting may be, as far as its description does not say it. */
function valuesOf(node: Node): string {
  const options = node.oneOf ?? node.anyOf;
  if (node.$comment !== undefined) return node.$comment;
  if (node.enum) return node.enum.map(code).join(", ");
  if (node.const !== undefined) return code(node.const);
  if (options) return [...new Set(options.map(valuesOf))].join(" or ");
  if (node.type === "array") return `list of ${typesOf(node.items) ?? valuesOf(node.items ?? {})}`;
  if (node.type === "object")
    return node.properties ? `{ ${Object.keys(node.properties).join(", ")} }` : "object";
  if (node.minimum !== undefined && node.maximum !== undefined && node.maximum < Number.MAX_SAFE_INTEGER)
    return `${node.minimum.toLocaleString("en")} to ${node.maximum.toLocaleString("en")}`;
  return node.type ?? "";
}

const isSection = (node: Node) => node.type === "object" && node.properties !== undefined;

function renderRows(properties: Record<string, Node>, required: readonly string[], prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = `${prefix}${name}`;
    if (isSection(node)) return renderRows(node.properties ?? {}, node.required ?? [], `${path}.`);
    const fallback =
      node.default !== undefined ? code(node.default) : required.includes(name) ? "required" : "";
    return [
      `| \`${path}\` | ${cell(node.description ?? "")} | ${cell(valuesOf(node))} | ${cell(fallback)} |`,
    ];
  });
}

const head = ["| setting | meaning | values | default |", "|---|---|---|---|"];

function renderTable(title: string, description: string | undefined, rows: readonly string[]): string[] {
  const table = rows.length === 0 ? [] : [...head, ...rows, ""];
  return [`## ${title}`, "", ...(description === undefined ? [] : [description, ""]), ...table];
}

/** The channels and the windows are lists of sections: each has a table of its own. What most of them have stands once. */
function renderLists(properties: Record<string, Node>): string[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const variants = (node.items?.oneOf ?? node.items?.anyOf ?? []).filter(isSection);
    const tables = variants.map((variant) => {
      const { type, ...settings } = variant.properties ?? {};
      const title = `${name}: ${String(type?.const ?? variant.title)}`;
      return {
        title,
        description: variant.description,
        rows: renderRows(settings, variant.required ?? [], ""),
      };
    });
    const all = tables.flatMap(({ rows }) => rows);
    const isShared = (row: string) => all.filter((one) => one === row).length > variants.length / 2;
    const shared = variants.length > 2 ? [...new Set(all.filter(isShared))] : [];
    return [
      ...(shared.length > 0 ? renderTable(`${name}: every type`, undefined, shared) : []),
      ...tables.flatMap(({ title, description, rows }) =>
        renderTable(
          title,
          description,
          rows.filter((row) => !shared.includes(row)),
        ),
      ),
    ];
  });
}

export function renderConfigDocs(): string {
  const { properties = {}, required = [] } = configJsonSchema() as Node;
  const { $schema: _, ...settings } = properties;
  const single = Object.entries(settings).filter(([, node]) => !isSection(node));
  const sections = Object.entries(settings).filter(([, node]) => isSection(node));
  return [
    "# Configuration",
    "",
    "v1watch reads `v1watch.config.json` (JSON, comments allowed), `v1watch.config.yaml` or `v1watch.config.yml` in the working",
    "folder, or the file that `--config` or `V1WATCH_CONFIG` names. It refuses a setting that is given twice. `v1watch init` writes",
    "a first configuration; `v1watch config` shows what is in effect.",
    "",
    "A duration is a whole number and its unit, s, m, h or d: `90s`, `36m`, `8h`, `3d`.",
    "",
    "## Example",
    "",
    "```yaml",
    example.trimEnd(),
    "```",
    "",
    "## Settings",
    "",
    ...head,
    ...renderRows(Object.fromEntries(single), required, ""),
    "",
    ...sections.flatMap(([name, node]) => [
      ...renderTable(
        name,
        node.description,
        renderRows(node.properties ?? {}, node.required ?? [], `${name}.`),
      ),
    ]),
    ...renderLists(Object.fromEntries(single)),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

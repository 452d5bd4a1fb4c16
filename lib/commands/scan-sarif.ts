// A scan as SARIF 2.1.0, which code hosts show at the lines themselves.
import { type RuleId, rules } from "../migration/consumer-rules.ts";
import type { Scan, Use } from "../migration/consumers.ts";

const fingerprint = (use: Use, rule: RuleId, extra = "") => ({
  "v1watchUse/v1": [use.id, rule, extra].filter(Boolean).join(" "),
});

const encode = (file: string) => file.split("/").map(encodeURIComponent).join("/");

type Spot = { rule: RuleId; line: number; text: string; extra?: string };

function spotsOf({ endpoint, calls, fields, hazards, confidence }: Use): Spot[] {
  const said = confidence === "high" ? "" : ` (confidence: ${confidence})`;
  return [
    ...calls.map((line) => ({ rule: "v1-call" as const, line, text: `Calls V1's ${endpoint}${said}.` })),
    ...fields.map(({ path, line }) => ({
      rule: "v1-field" as const,
      line,
      text: `Reads V1's ${path}${said}.`,
      extra: path,
    })),
    ...hazards.map(({ rule, line }) => {
      const row = rules.find(({ id }) => id === rule)!;
      return { rule, line, text: `In a use of V1's ${endpoint}, ${row.title}. ${row.meaning}` };
    }),
  ];
}

export function renderSarif({ uses }: Scan, version: string) {
  const results = uses.flatMap((use) =>
    spotsOf(use).map(({ rule, line, text, extra }) => ({
      ruleId: rule,
      ruleIndex: rules.findIndex(({ id }) => id === rule),
      level: rules.find(({ id }) => id === rule)!.level,
      message: { text },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encode(use.file), uriBaseId: "%SRCROOT%" },
            region: { startLine: line },
          },
        },
      ],
      partialFingerprints: fingerprint(use, rule, extra),
    })),
  );
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "v1watch",
            semanticVersion: version,
            rules: rules.map(({ id, level, title, meaning }) => ({
              id,
              shortDescription: { text: `${title[0]!.toUpperCase()}${title.slice(1)}.` },
              fullDescription: { text: meaning },
              defaultConfiguration: { level },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
}

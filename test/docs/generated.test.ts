// What is generated from the code: the published schemas, docs/use/config.md, and the numbers in the other documents.
// `npm run generate` writes them.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Config, loadConfig, requestsPerMonth } from "../../lib/config/config.ts";
import { configJsonSchema } from "../../lib/config/schema.ts";
import { mappingJsonSchema } from "../../lib/mapping/mapping.ts";
import { alertJsonSchema } from "../../lib/records/alert.ts";
import { inventoryJsonSchema } from "../../lib/records/inventory.ts";
import { outputSchemas } from "../../lib/records/outputs.ts";
import { parityJsonSchema } from "../../lib/records/parity.ts";
import { rehearsalJsonSchema } from "../../lib/records/rehearsal.ts";
import { reportJsonSchema } from "../../lib/records/report.ts";
import { type Cost, estimateCost, usd } from "../../lib/stack/cost.ts";
import { costTable, every5Minutes } from "../../lib/stack/cost-text.ts";
import { formatCount, percent } from "../../lib/text.ts";
import { renderConfigDocs } from "./render-config.ts";
import { renderRunbook } from "./render-runbook.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

const schemas: Record<string, () => unknown> = {
  ...outputSchemas,
  alert: alertJsonSchema,
  configuration: configJsonSchema,
  inventory: inventoryJsonSchema,
  mapping: mappingJsonSchema,
  parity: parityJsonSchema,
  rehearsal: rehearsalJsonSchema,
  report: reportJsonSchema,
};

function readExample(): Config {
  const example = loadConfig({ fileText: read("docs/aws/deploy.example.json"), env: {}, flags: {} });
  if (!example.ok) throw new Error("docs/aws/deploy.example.json is not valid");
  return example.config;
}

/** The figures of the text around the table, each between two comments: `<!-- all -->$18.30<!-- -->`. */
function readAmounts(config: Config): Record<string, string> {
  const [whole, always] = [config, { ...config, aws: { ...config.aws, alarms: { notify: "always" } } }].map(
    (one) => estimateCost(one as Config),
  ) as [Cost, Cost];
  const lineOf = ({ lines }: Cost, name: string) => lines.find(({ line }) => line === name)!;
  const [unhealthy, key] = [lineOf(always, "composite alarms"), lineOf(whole, "encryption key")];
  const least = always.usd - key.usd;
  const ofMonitor =
    lineOf(always, "custom metrics").usd + lineOf(always, "metric alarms").usd + unhealthy.usd;
  return {
    unhealthy: usd(unhealthy.usd),
    fallbacks: usd(lineOf(whole, "composite alarms").usd - unhealthy.usd),
    key: usd(key.usd),
    least: usd(least),
    share: percent(ofMonitor / least),
    requests: formatCount(Math.round(requestsPerMonth(every5Minutes(config)).total / 1_000) * 1_000),
    all: usd(whole.usd),
    leastFree: usd(always.freeTierUsd - key.freeTierUsd),
  };
}

function renderDeploy(text: string): string {
  const config = readExample();
  const [before, rest] = text.split("<!-- cost -->");
  const after = rest?.split("<!-- -->").slice(1).join("<!-- -->");
  if (!after) throw new Error("docs/aws/deploy.md has no place for the cost table");
  const amounts = readAmounts(config);
  const rendered = after.replace(/<!-- (\w+) -->[^<]*<!-- -->/g, (_, name: string) => {
    if (!amounts[name]) throw new Error(`docs/aws/deploy.md has an amount that is not known: ${name}`);
    return `<!-- ${name} -->${amounts[name]}<!-- -->`;
  });
  return `${before}<!-- cost -->\n\n${costTable(config).trim()}\n\n<!-- -->${rendered}`;
}

/** "about $18 a month" in another document. */
function renderPrice(file: string): string {
  const price = /about \$\d+ a month/g;
  if (!price.test(read(file))) throw new Error(`${file} has no price`);
  return read(file).replace(price, `about $${Math.round(estimateCost(readExample()).usd)} a month`);
}

/** The types of channels, each with its description. */
function renderChannels(text: string): string {
  const { properties } = configJsonSchema() as {
    properties: { channels: { items: { oneOf: { description: string; properties: Described }[] } } };
  };
  const rows = properties.channels.items.oneOf.map(({ description, properties: { type } }) => {
    const link = `[${type.const}](config.md#channels-${type.const})`;
    return `| ${link} | ${description} |`;
  });
  const [before, rest] = text.split("<!-- channels -->");
  const after = rest?.split("<!-- -->")[1];
  if (after === undefined) throw new Error("docs/use/channels.md has no place for the types");
  const table = ["| type | what it does |", "|---|---|", ...rows].join("\n");
  return `${before}<!-- channels -->\n\n${table}\n\n<!-- -->${after}`;
}
type Described = { type: { const: string } };

const generated: Record<string, () => string> = {
  ...Object.fromEntries(
    Object.entries(schemas).map(([name, build]) => [
      `schemas/${name}.schema.json`,
      () => `${JSON.stringify(build(), null, 2)}\n`,
    ]),
  ),
  "docs/use/config.md": renderConfigDocs,
  "docs/use/channels.md": () => renderChannels(read("docs/use/channels.md")),
  "docs/use/runbook.md": () => renderRunbook(read("docs/use/runbook.md")),
  "docs/aws/deploy.md": () => renderDeploy(read("docs/aws/deploy.md")),
  "docs/use/comparison.md": () => renderPrice("docs/use/comparison.md"),
  "README.md": () => renderPrice("README.md"),
};

test.each(Object.entries(generated))(
  "The file %s is current: npm run generate writes it",
  async (file, render) => {
    await expect(render()).toMatchFileSnapshot(join(root, file));
  },
);

test("Every published schema is generated", () => {
  const published = globSync("schemas/*", { cwd: root });
  expect(published.filter((file) => !(file in generated))).toEqual([]);
});

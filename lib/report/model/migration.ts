// Builds the report's data about usage, mapping, parity and consumers.

import { type Coverage, computeCoverage } from "../../mapping/coverage.ts";
import { buildPlan } from "../../mapping/plan.ts";
import { judgeParity } from "../../parity/judge.ts";
import { type Consumer, type Facts, findOutdatedReason, findShallow } from "../../readiness/facts.ts";
import { affectsUsedField } from "../../readiness/gates/parity.ts";
import type { UsedField } from "../../readiness/gates/usage.ts";
import { maxPlanLines, type Report } from "../../records/report.ts";
import { dayText } from "../../time.ts";

type UsageRows = NonNullable<Report["usage"]>;
type MappingSection = NonNullable<Report["mapping"]>;
type ParitySection = NonNullable<Report["parity"]>;
type ConsumerRow = NonNullable<Report["consumers"]>[number];

export const computeFactsCoverage = ({ mapping, nowMs }: Facts): Coverage | undefined =>
  mapping && computeCoverage(mapping.parsed, dayText(nowMs));

type CoveredField = Coverage["fields"][number];

const targetOf = ({ decision, standing, to }: CoveredField) => ({
  decision,
  standing,
  to: to ? `${to.endpoint}: ${to.path}` : undefined,
});

export function buildUsageRows(used: readonly UsedField[], coverage: Coverage | undefined): UsageRows {
  const rows = new Map(coverage?.fields.map((row) => [row.path, row]));
  return used.map(({ endpoint, path, consumers }) => {
    const row = rows.get(path);
    return { endpoint, path, consumers, target: row ? targetOf(row) : undefined };
  });
}

export function buildMappingSection(
  { mapping }: Facts,
  coverage: Coverage | undefined,
  used: readonly UsedField[],
): MappingSection | null {
  if (!mapping || !coverage) return null;
  const inUse = new Set(used.map(({ path }) => path));
  const { fields, behaviours } = mapping.parsed;
  const { counts } = coverage;
  return {
    decided: counts.decided + counts.unverified,
    rows: coverage.fields.map((row) => {
      const mappingRow = fields[row.path];
      return {
        path: row.path,
        ...targetOf(row),
        owner:
          mappingRow?.decision === "dropped" && row.standing !== "unowned" ? mappingRow.owner : undefined,
        note: row.note,
        isUsed: inUse.has(row.path),
      };
    }),
    behaviours: coverage.behaviours.map(({ id, v1, decision, standing, note }) => {
      const mappingRow = behaviours[id];
      return {
        id,
        v1,
        decision,
        standing,
        becomes: mappingRow?.decision === "transformed" ? mappingRow.becomes : undefined,
        note,
      };
    }),
  };
}

export function buildParitySection(facts: Facts, used: readonly UsedField[]): ParitySection | null {
  const { parity, mapping } = facts;
  if (!parity) return null;
  const outdatedReason = findOutdatedReason(facts);
  const judged = judgeParity(parity.aggregate);
  const { verdict, pairs, fields, differences, insufficient, shape } = judged;
  const others = (["unsure", "gone", "varying"] as const).flatMap((standing) =>
    judged[standing].map(({ path, kind, raw, compared }) => ({ path, kind, raw, compared, standing })),
  );
  const skipped = Object.values(parity.aggregate.skipped).reduce((sum, times) => sum + times, 0);
  const { aggregate } = parity;
  const shallow = mapping ? findShallow(Object.keys(aggregate.fields), mapping.parsed, aggregate) : [];
  return {
    verdict,
    pairs,
    fields,
    skipped,
    insufficient: insufficient.length,
    shallow: shallow.length > 0 ? shallow : undefined,
    requests: parity.aggregate.requests,
    differences: differences.map(({ path, kind, rawRate, noiseRate }) => ({
      path,
      kind,
      rawRate,
      noiseRate,
      isUsed: mapping !== undefined && affectsUsedField(path, used, mapping.parsed),
    })),
    others: others.length > 0 ? others : undefined,
    shape,
    doubt: outdatedReason,
  };
}

export function buildConsumerRows(consumers: readonly Consumer[], used: readonly UsedField[]): ConsumerRow[] {
  const order = { v1: 0, dual: 1, v2: 2 };
  return consumers
    .map(
      ({ name, owners, status, isExcepted, exceptions, uses }): ConsumerRow => ({
        name,
        owners: [...owners],
        status,
        isExcepted,
        endpoints: [...new Set(uses.map(({ endpoint }) => endpoint))].sort(),
        fields: used.filter(({ consumers: readers }) => readers.includes(name)).length,
        hazards: uses.flatMap(({ hazards }) => hazards).length,
        filesReadAsText: new Set(uses.flatMap(({ isReadAsText, file }) => (isReadAsText ? file : []))).size,
        exceptions: exceptions.map(({ reason, expires }) => ({ reason, expires })),
        places: uses.slice(0, 5).map(({ file, line }) => ({ file, line })),
      }),
    )
    .sort((a, b) => order[a.status] - order[b.status] || b.fields - a.fields || (a.name < b.name ? -1 : 1));
}

/** The lines that use V1 and what they become, the surest first. */
export function buildPlanSection({ consumers, mapping, nowMs, addresses }: Facts): Report["plan"] {
  if (!consumers || !mapping) return null;
  const uses = consumers.flatMap((consumer) => consumer.uses);
  const { linesToChange, lines } = buildPlan(uses, mapping.parsed, {
    isStarter: false,
    today: dayText(nowMs),
    addresses,
  });
  return { linesToChange, lines: lines.slice(0, maxPlanLines) };
}

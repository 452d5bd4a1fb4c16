// The bytes of a 200 → a judgement on them: not JSON at all, or an analysis against the contract.
import type { EndpointId } from "../contract/endpoints.ts";
import type { Outcome } from "../records/observation.ts";
import { type Analysis, type AnalysisContext, analyseBody } from "./analysis.ts";
import { parseBody } from "./body.ts";
import { createFinding, sortFindings } from "./drift.ts";
import { findDuplicateKeys } from "./duplicate-keys.ts";

export type Reading = { outcome: Outcome; analysis?: Analysis; value?: unknown };

const jsonTypePattern = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json(?:\s*;|$)/i;

/** Our own name for a content type; the header itself is a stranger's. */
function nameContentType(header: string): string {
  const type =
    /^(text\/html|text\/plain|text\/csv|application\/xml|text\/xml|application\/octet-stream)\b/i.exec(
      header,
    );
  return type ? type[1]!.toLowerCase() : header === "" ? "none" : "another type";
}

export function readBody(
  endpoint: EndpointId,
  bytes: Uint8Array,
  contentType: string | undefined,
  context: AnalysisContext,
): Reading {
  const parsed = parseBody(bytes);
  if (parsed.kind !== "json") return { outcome: { kind: parsed.kind, detail: parsed.detail } };
  const analysis = analyseBody(endpoint, parsed.value, context);
  const added = [];
  if (contentType !== undefined && !jsonTypePattern.test(contentType)) {
    const observed = nameContentType(contentType);
    added.push(createFinding(endpoint, "(body)", "content-type", "application/json", observed, 1, 1));
  }
  // Fewer keys met than written: one came twice, or an unlisted object was not walked; the slow search tells.
  if (analysis.keys < parsed.keys) {
    for (const { path, count } of findDuplicateKeys(bytes)) {
      added.push(createFinding(endpoint, path, "duplicate-key", "one", "repeated", count, count));
    }
  }
  if (added.length > 0) analysis.findings = sortFindings([...analysis.findings, ...added]);
  return { outcome: { kind: "ok" }, analysis, value: parsed.value };
}

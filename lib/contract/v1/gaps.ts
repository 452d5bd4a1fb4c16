// The gaps of V1's document: everything that it marks as "not shown", and its one contradiction. Observations
// are recorded as evidence for a gap and never become part of the contract.
import type { EvidenceKind, GapColumns } from "../columns.ts";

export const gapIds = [
  "2.6-range",
  "2.6-source",
  "2.6-category",
  "2.6-type",
  "2.6-earned-at",
  "2.6-null",
  "3-states",
  "4.2-id",
  "4.4-page",
  "4.4-sort",
  "4.4-unknown-id",
  "5-issuance",
  "5-anonymous",
  "6-events",
  "7-error-body",
  "7-codes",
  "8-rate",
  "8-page-size",
  "9-removal",
] as const;

const gap = (id: (typeof gapIds)[number], evidence: EvidenceKind, question: string) => ({
  id,
  section: id.slice(0, id.indexOf("-")),
  question,
  evidence,
});

export const gaps = [
  gap("2.6-range", "numbers", "Which precision and range do the score fields have?"),
  gap("2.6-source", "values", "Which values may source have?"),
  gap("2.6-category", "values", "Which values may category have?"),
  gap("2.6-type", "values", "Which values may type have?"),
  gap("2.6-earned-at", "format", "Which date format does earned_at have?"),
  gap("2.6-null", "nulls", "Which fields can be null?"),
  gap("3-states", "transitions", "When does calculating_score change its state?"),
  gap(
    "4.2-id",
    "id-form",
    "Is the id of a passport an integer, as typed, or also a wallet address, as described?",
  ),
  gap("4.4-page", "page-parameter", "Which request parameter chooses the page of the list?"),
  gap("4.4-sort", "order", "In which direction is the list sorted by score?"),
  gap("4.4-unknown-id", "unknown-id", "What is the response to an unknown id or another error?"),
  gap("5-issuance", "none", "How is an API key issued?"),
  gap("5-anonymous", "access", "What happens when the key is omitted?"),
  gap("6-events", "none", "Which events does the service send?"),
  gap("7-error-body", "error-shape", "What shape does an error body have?"),
  gap("7-codes", "codes", "Which error codes other than 401 occur?"),
  gap("8-rate", "limits", "What are the rate limits?"),
  gap("8-page-size", "page-size", "How many records does a page of the list hold?"),
  gap("9-removal", "notices", "When will V1 be removed?"),
] satisfies readonly GapColumns[];

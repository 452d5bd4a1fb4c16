// The columns of the contract: what has to be known about an API to watch it. The folder v1 fills them in for V1; for another API of
// the same kind it is replaced as a whole (docs/develop/another-api.md).
import type * as z from "zod";

/** How an endpoint is requested: with the key, without it, and the rare variants that answer gaps. */
export const variants = [
  "authenticated",
  "anonymous",
  "by-other-id",
  "unknown-id",
  "keyword",
  "second-page",
  "bad-key",
] as const;
export type Variant = (typeof variants)[number];

/** What something is called in messages. */
type Nouns = { one: string; many: string };

/** The API as a whole. */
export type Api = {
  title: string;
  description: string;
  /** The segment of its paths, and of those that a redirect leads to: `v1`. */
  version: string;
  /** The header that holds the key. */
  keyHeader: string;
  /** What is requested by an id: one record of the list that offers samples. */
  sample: {
    nouns: Nouns;
    /** In the templates of the mapping, and as the title of a column in a file of ids. */
    idName: string;
    /** What an id looks like. An id that is a whole number is known by the type of its field. */
    idForm: RegExp;
    /** The same in words: "a whole number". */
    idHint: string;
    /** No record has this id, as far as is known. */
    unknownId: string;
    /** Requested where no id is known: its 404 says nothing, its 401, 410 or 503 says all. */
    fallbackId: string;
    /** What is accepted in place of the id, where there is such a thing. */
    otherId?:
      | { name: string; nouns: Nouns; form: RegExp; hint: string; fields: readonly string[] }
      | undefined;
  };
};

type Parameter = {
  name: string;
  in: "path" | "query";
  type: "string" | "integer";
  required: boolean;
  meaning: string;
  /** Its value is the id of the sample that is requested. */
  isSample?: true;
  /** The path of the texts that it filters by. */
  filters?: string;
  /** The gap that the parameter's values give evidence for. */
  gap?: string;
};

/** The paths of the numbers by which a list tells where a page of it stands, and the query parameter that chooses the page. */
type Pagination = {
  currentPage: string;
  lastPage: string;
  total: string;
  parameter: string;
};

export type EndpointColumns = {
  /** In records, commands and messages, and the value of the metrics' dimension `Endpoint`. */
  id: string;
  /** `list` needs no sample; `single` and `sublist`, a list that belongs to one record, are requested for one. */
  role: "list" | "single" | "sublist";
  /** Of the API's document. */
  section: string;
  title: string;
  /** What its records are called. */
  nouns: Nouns;
  method: "GET";
  path: string;
  parameters: readonly Parameter[];
  /** The variants that are requested beside `authenticated` and `anonymous`. */
  rareVariants: readonly Variant[];
  /** The records of this list are the samples that other endpoints are requested for. One endpoint has it. */
  offersSamples?: true;
  /** The schema of its 200 body. */
  body: z.ZodObject | z.ZodArray;
  /**
   * The path of the records in a 200 body: `passports[]` for a list, `passport` for one record; `[]` where the body is the
   * list itself, and "" where it is the record.
   */
  records: string;
  /** The path of the field that identifies a record. */
  recordId: string;
  /** The paths of the timestamps that staleness is computed from; the first one dates a record. */
  timestamps: readonly string[];
  /** The paths of the numbers that change only together with the timestamps, the most important one first. All of them 0 is no data. */
  values: readonly string[];
  /** The paths of the fields that are the same in the list and in the response for one record. */
  constants?: readonly string[];
  /** The number field by which the records are sorted according to the document. */
  sortedBy?: string;
  pagination?: Pagination;
};

/** The kind of evidence that can answer a gap. `none`: a read-only client cannot observe it. */
export type EvidenceKind =
  | "nulls"
  | "values"
  | "numbers"
  | "format"
  | "transitions"
  | "order"
  | "page-parameter"
  | "page-size"
  | "id-form"
  | "unknown-id"
  | "codes"
  | "error-shape"
  | "access"
  | "limits"
  | "notices"
  | "none";

/**
 * A question that the API's document leaves open. One of them has the evidence `nulls`, also where the document says which fields may
 * be null: its facts are how the assessment knows which objects a response held.
 */
export type GapColumns = { id: string; section: string; question: string; evidence: EvidenceKind };

/** Where a field goes in the successor, as far as is known before a person has confirmed it. */
export type StarterField =
  | "drop"
  | { decision: "undecided"; endpoint?: string; path?: string; note: string }
  | {
      decision: "same" | "renamed" | "moved";
      endpoint: string;
      path: string;
      compare?: "value" | "type" | "presence" | undefined;
      note?: string | undefined;
    }
  | {
      decision: "transformed";
      endpoint: string;
      path: string;
      transform: "string-to-number" | "number-to-string";
    };

/** What the API does beyond its fields, and what may become of it. */
export type BehaviourColumns = {
  id: string;
  /** What the API does: "the key is optional". */
  v1: string;
  /** The change to expect: "the key becomes required". */
  becomes: string;
  /** The endpoints that it concerns. */
  of: readonly EndpointColumns["role"][];
  /** What is known of the successor. */
  note: string;
};

/** What is known of the successor from public material. */
export type Successor = {
  /** Where it is known from. */
  source: string;
  /** By name: the path, and the query with the id in braces. */
  endpoints: Readonly<Record<string, { path: string; query?: Record<string, string> }>>;
  /** By path in the API's bodies. A path that is not named is undecided. */
  fields: Readonly<Record<string, StarterField>>;
  /** Keys at the root of its bodies that the API's own bodies do not have. */
  rootKeys: readonly string[];
  /** Keys at the root of its bodies that are the name of a plain field of the API, and hold an object. */
  rootObjects: readonly string[];
  /** Keys that its records have together, and those of the API have not. */
  recordKeys: readonly string[];
};

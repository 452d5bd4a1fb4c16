// The truth table of 401s. One row is one way in which V1 refuses; the first that fits counts.
//
//  keyed            keyless             wrong key  → cause                 how sure
//  ---------------  ------------------  ---------    --------------------  --------
//  all 401, usage says exhausted        –            quota-exhausted       sure
//  all 401          200 since then      –            key-revoked           sure
//  all 401          401 since then      200          key-revoked           likely
//  all 401          401 since then      –            retired-by-401        sure
//  all 401          200, known before   –            key-revoked           likely
//  all 401          401 long before     –            key-revoked           guess
//  all 401          not known           200          key-revoked           likely
//  all 401          not known           –            key-revoked           guess
//  one 401          200 since then      –            key-revoked           likely   (for this endpoint)
//  one 401          401 since then      –            endpoint-withdrawn    sure
//  one 401          other or not known  –            endpoint-withdrawn    likely
//  one 404/410/3xx  –                   –            endpoint-withdrawn    sure     (see access.ts)
//  200              401, once was 200   –            key-mandatory         sure
//  no key in use    all 401, once 200   –            key-mandatory         guess    (or a retirement: nobody can tell)
//  no key in use    one 401             –            endpoint-withdrawn    likely
import type { Cause } from "../../../records/incident.ts";

export type AccessCause = Extract<Cause, `access/${string}`>;
export type Certainty = "sure" | "likely" | "guess";

/** How requests with the key fare. */
export type KeyedWord = "all-quota" | "all-denied" | "one-denied" | "one-gone" | "served" | "absent";

/** How requests without a key fare; `-since` was seen after the keyed requests began to fail. */
export type KeylessWord =
  | "served-since"
  | "served-before"
  | "denied-since"
  | "denied-before"
  | "lost"
  | "all-lost"
  | "unknown";

export type WrongKeyWord = "served" | "denied" | "unknown";

export type AccessRow = {
  keyed: KeyedWord;
  /** Left out: whatever it is. */
  keyless?: readonly KeylessWord[];
  wrongKey?: WrongKeyWord;
  cause: AccessCause;
  certainty: Certainty;
};

export const accessTable: readonly AccessRow[] = [
  { keyed: "all-quota", cause: "access/quota-exhausted", certainty: "sure" },
  { keyed: "all-denied", keyless: ["served-since"], cause: "access/key-revoked", certainty: "sure" },
  {
    keyed: "all-denied",
    keyless: ["denied-since"],
    wrongKey: "served",
    cause: "access/key-revoked",
    certainty: "likely",
  },
  { keyed: "all-denied", keyless: ["denied-since"], cause: "access/retired-by-401", certainty: "sure" },
  { keyed: "all-denied", keyless: ["served-before"], cause: "access/key-revoked", certainty: "likely" },
  { keyed: "all-denied", keyless: ["denied-before"], cause: "access/key-revoked", certainty: "guess" },
  { keyed: "all-denied", wrongKey: "served", cause: "access/key-revoked", certainty: "likely" },
  { keyed: "all-denied", cause: "access/key-revoked", certainty: "guess" },
  { keyed: "one-denied", keyless: ["served-since"], cause: "access/key-revoked", certainty: "likely" },
  { keyed: "one-denied", keyless: ["denied-since"], cause: "access/endpoint-withdrawn", certainty: "sure" },
  { keyed: "one-denied", cause: "access/endpoint-withdrawn", certainty: "likely" },
  { keyed: "one-gone", cause: "access/endpoint-withdrawn", certainty: "sure" },
  { keyed: "served", keyless: ["lost", "all-lost"], cause: "access/key-mandatory", certainty: "sure" },
  { keyed: "absent", keyless: ["all-lost"], cause: "access/key-mandatory", certainty: "guess" },
  { keyed: "absent", keyless: ["lost"], cause: "access/endpoint-withdrawn", certainty: "likely" },
];

export const findAccessRow = (keyed: KeyedWord, keyless: KeylessWord, wrongKey: WrongKeyWord) =>
  accessTable.find(
    (row) =>
      row.keyed === keyed &&
      (row.keyless === undefined || row.keyless.includes(keyless)) &&
      (row.wrongKey === undefined || row.wrongKey === wrongKey),
  );

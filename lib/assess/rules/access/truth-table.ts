// The truth table of 401s. One row is one way in which V1 refuses; the first that fits counts.
//
//  authenticated            anonymous             wrong key  → cause                 how sure
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
export type AuthenticatedClass = "all-quota" | "all-denied" | "one-denied" | "one-gone" | "served" | "absent";

/** How requests without a key fare; `-since` was seen after the authenticated requests began to fail. */
export type AnonymousClass =
  | "served-since"
  | "served-before"
  | "denied-since"
  | "denied-before"
  | "lost"
  | "all-lost"
  | "unknown";

export type BadKeyClass = "served" | "denied" | "unknown";

export type AccessRow = {
  authenticated: AuthenticatedClass;
  /** Left out: whatever it is. */
  anonymous?: readonly AnonymousClass[];
  wrongKey?: BadKeyClass;
  cause: AccessCause;
  certainty: Certainty;
};

export const accessTable: readonly AccessRow[] = [
  { authenticated: "all-quota", cause: "access/quota-exhausted", certainty: "sure" },
  {
    authenticated: "all-denied",
    anonymous: ["served-since"],
    cause: "access/key-revoked",
    certainty: "sure",
  },
  {
    authenticated: "all-denied",
    anonymous: ["denied-since"],
    wrongKey: "served",
    cause: "access/key-revoked",
    certainty: "likely",
  },
  {
    authenticated: "all-denied",
    anonymous: ["denied-since"],
    cause: "access/retired-by-401",
    certainty: "sure",
  },
  {
    authenticated: "all-denied",
    anonymous: ["served-before"],
    cause: "access/key-revoked",
    certainty: "likely",
  },
  {
    authenticated: "all-denied",
    anonymous: ["denied-before"],
    cause: "access/key-revoked",
    certainty: "guess",
  },
  { authenticated: "all-denied", wrongKey: "served", cause: "access/key-revoked", certainty: "likely" },
  { authenticated: "all-denied", cause: "access/key-revoked", certainty: "guess" },
  {
    authenticated: "one-denied",
    anonymous: ["served-since"],
    cause: "access/key-revoked",
    certainty: "likely",
  },
  {
    authenticated: "one-denied",
    anonymous: ["denied-since"],
    cause: "access/endpoint-withdrawn",
    certainty: "sure",
  },
  { authenticated: "one-denied", cause: "access/endpoint-withdrawn", certainty: "likely" },
  { authenticated: "one-gone", cause: "access/endpoint-withdrawn", certainty: "sure" },
  {
    authenticated: "served",
    anonymous: ["lost", "all-lost"],
    cause: "access/key-mandatory",
    certainty: "sure",
  },
  { authenticated: "absent", anonymous: ["all-lost"], cause: "access/key-mandatory", certainty: "guess" },
  { authenticated: "absent", anonymous: ["lost"], cause: "access/endpoint-withdrawn", certainty: "likely" },
];

export const findAccessRow = (
  authenticated: AuthenticatedClass,
  anonymous: AnonymousClass,
  wrongKey: BadKeyClass,
) =>
  accessTable.find(
    (row) =>
      row.authenticated === authenticated &&
      (row.anonymous === undefined || row.anonymous.includes(anonymous)) &&
      (row.wrongKey === undefined || row.wrongKey === wrongKey),
  );

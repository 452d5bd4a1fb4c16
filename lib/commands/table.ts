// A watch in AWS from here: its table, with the credentials of whoever asks.
import type { Proof } from "../aws/outbox.ts";
import { type Config, printable } from "../config.ts";
import type { Ledger, Outbox } from "../ports.ts";
import { withRemedy } from "./aws-remedy.ts";
import type { Io } from "./command.ts";

export type Table = { ledger: Ledger; outbox: Outbox; proof(): Promise<Proof | "none"> };

export async function openTable(tableName: string, { aws }: Config, env: Io["env"]): Promise<Table> {
  // Only here: it brings the SDK.
  const [{ createLedger }, { createOutbox, readProof }, { findAccess }] = await Promise.all([
    import("../aws/ledger.ts"),
    import("../aws/outbox.ts"),
    import("../aws/person-access.ts"),
  ]);
  const options = { tableName, retentionDays: aws.retentionDays, access: findAccess(env, aws.region) };
  return {
    ledger: createLedger(options),
    outbox: createOutbox(options),
    proof: () => readProof(options),
  };
}

/** What AWS refuses is told as a mistake of usage, with its remedy. */
export const readTable = <T>(tableName: string, work: () => Promise<T>): Promise<T> =>
  withRemedy(
    `the table ${printable(tableName)} cannot be used`,
    {
      allow: "dynamodb:GetItem and dynamodb:Query on it and its indexes, and to write for dynamodb:PutItem",
      missing: "it is not in this account and region. Its name is the output TableName of the stack.",
    },
    work,
  );

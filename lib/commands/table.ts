// A watch in AWS from here: its table, with the credentials of whoever asks.
import type { Proof } from "../aws/outbox.ts";
import { type Config, printable } from "../config.ts";
import type { Ledger, Outbox } from "../ports.ts";
import { type Io, UsageError } from "./command.ts";
import { accountRemedies } from "./key-remedy.ts";

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
export async function readTable<T>(tableName: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    const remedy = explain(name === "Error" && code ? code : name);
    if (!remedy) throw error;
    throw new UsageError(`the table ${printable(tableName)} cannot be used: ${remedy}`);
  }
}

/** By the name that AWS, its SDK or Node has for it; undefined where it is a fault of our own. */
function explain(name: string): string | undefined {
  switch (name) {
    case "CredentialsProviderError":
      return accountRemedies["no-credentials"];
    case "RegionMissing":
      return accountRemedies["no-region"];
    case "ResourceNotFoundException":
      return "it is not in this account and region. Its name is the output TableName of the stack.";
    case "AccessDeniedException":
      return "AWS does not allow it. Ask for dynamodb:GetItem and dynamodb:Query on it and its indexes, and to write for dynamodb:PutItem.";
    case "ExpiredTokenException":
    case "InvalidSignatureException":
    case "UnrecognizedClientException":
      return `AWS refuses the credentials (${name}). Log in again, or set AWS_PROFILE.`;
    default:
      return /^(?:E[A-Z]{4,}|TimeoutError|Http\d+|\w+Exception)$/.test(name)
        ? `${name}. Look at the network, the region and the profile.`
        : undefined;
  }
}

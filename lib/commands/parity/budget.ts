// How much a comparison may ask of V1: said before it begins, and refused where it cannot be enough.

import type { Config, Origin } from "../../config/config.ts";
import { openStore } from "../../local/store/store.ts";
import { createSharedBudget, type SharedBudget } from "../../probe/schedule/shared-budget.ts";
import { type Io, UsageError, type Values } from "../command.ts";
import { explainClosed, nameTable, openTable, readTable } from "../open-watch.ts";
import type { Need } from "./options.ts";

export type Budget = {
  need: Need;
  perPair: { v1: number; v2: number };
  /** From --requests, or its default. */
  bound: number;
  /** What a watch can spare; undefined where nobody keeps the books. */
  spare: Spare | undefined;
};

const digits = (number: number) => number.toLocaleString("en");
const counted = (count: number, one: string) => `${digits(count)} ${count === 1 ? one : `${one}s`}`;

export const dayName = (atMs: number) =>
  new Date(atMs).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

const requestsFor = ({ need, perPair }: Budget) => need.passports * perPair.v1 + need.lookups;
const limitOf = ({ bound, spare }: Budget) => Math.min(bound, spare?.spare ?? bound);
const fittingIn = ({ need, perPair }: Budget, limit: number) =>
  Math.min(need.passports, Math.max(0, Math.floor((limit - need.lookups) / perPair.v1)));

/** Before anything is asked; a run that can go on another day is never refused. */
export function checkBudget(budget: Budget): void {
  const { need, bound, spare } = budget;
  const [needed, limit] = [requestsFor(budget), limitOf(budget)];
  if (needed <= limit || need.isResumable) return;
  const isWatch = spare !== undefined && spare.spare < bound;
  const fitting = fittingIn(budget, limit);
  const what = `${counted(need.passports, "passport")} need ${counted(needed, "request")} to V1`;
  const why = isWatch
    ? `the watch can spare ${digits(limit)} until ${dayName(spare.monthEndMs)} and keeps ${digits(spare.kept)} for itself`
    : `${digits(limit)} are allowed`;
  const remedies = [
    ...(fitting > 0 ? [`--sample ${fitting}`] : []),
    ...(need.isFile ? ["--resume FILE to go on another day"] : []),
  ];
  const last = isWatch
    ? "wait for the new month, or raise budget.monthlyRequests if V1's key allows more"
    : "or raise --requests";
  const use = remedies.length > 0 ? `Use ${remedies.join(", ")}, ` : "";
  const text = `${use}${last}.`;
  throw new UsageError(`${what}, ${why}. ${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

export function announceBudget(budget: Budget, storePath: string): string {
  const { perPair, spare, need } = budget;
  const limit = Math.min(requestsFor(budget), limitOf(budget));
  const passports = fittingIn(budget, limit);
  const found = need.lookups > 0 ? `, ${digits(need.lookups)} of them to find ids` : "";
  const may =
    passports === 0
      ? "This run may ask nothing of V1."
      : `This run may make up to ${counted(limit, "request")} to V1${found}, and ${digits(passports * perPair.v2)} to V2: about ${counted(passports, "passport")}.`;
  const books = spare
    ? `The watch can spare ${digits(spare.spare)} and keeps ${digits(spare.kept)} for itself until ${dayName(spare.monthEndMs)}.`
    : `No watch has a store at ${storePath}, so nobody keeps the books: V1's key pays for this run, and no budget knows of it. Name a watch with --store, or --table in AWS.`;
  return `${may}\n${books}\n`;
}

// Whose books a comparison's requests to V1 go into: a watch's on this machine, one's in AWS, or nobody's.
export type Spare = Awaited<ReturnType<SharedBudget["remaining"]>>;
export type Books = { sharedBudget: SharedBudget; spare: Spare; close(): void };

type Given = {
  config: Config;
  origins: Readonly<Record<string, Origin>>;
  isLocal: boolean;
  env: Io["env"];
};

/** Undefined where no watch has a store. A V1 on this machine has no quota, unless its watch is named. */
export async function openBooks(
  values: Values,
  { config, origins, isLocal, env }: Given,
): Promise<Books | undefined> {
  const { store: path } = config;
  const tableName = nameTable(values, env);
  if (tableName !== undefined) return bookInTable(tableName, config, env);
  const isNamed = origins.store === "flag" || origins.store === "environment";
  if (isLocal && !isNamed) return undefined;
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "absent" && origins.store !== "flag") return undefined;
  if (opened.kind !== "open")
    throw new UsageError(`the watch's books in ${path} cannot be kept: ${explainClosed(opened)}`);
  const { store } = opened;
  const sharedBudget = createSharedBudget({
    ledger: store.ledger,
    config,
    nowMs: Date.now,
  });
  return { sharedBudget, spare: await sharedBudget.remaining(), close: () => store.close() };
}

async function bookInTable(tableName: string, config: Config, env: Io["env"]): Promise<Books> {
  const { ledger } = await openTable(tableName, config, env);
  const sharedBudget = createSharedBudget({ ledger, config, nowMs: Date.now });
  return { sharedBudget, spare: await readTable(tableName, sharedBudget.remaining), close: () => {} };
}

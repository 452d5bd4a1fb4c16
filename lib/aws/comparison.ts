// A comparison in AWS: the run as one item of the table, its counters, its chunks and results in S3, and the state
// machine. A result under the name of its chunk is the record that the chunk is done.
import { DeleteObjectsCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { omitUndefined } from "../omit-undefined.ts";
import {
  type ComparisonRun,
  type ComparisonSettings,
  type ComparisonState,
  comparisonSettings,
  type ParityAggregate,
  type ParityState,
  parityAggregate,
  parityState,
} from "../records/parity.ts";
import { callTimeout, clientOptions } from "./clients.ts";
import { createS3, getObject, putObject } from "./reports.ts";
import { forEach, type Item, openTable, type TableAddress } from "./table.ts";
import { type Key, text } from "./table-shape.ts";

const runKey: Key = { pk: "comparison", sk: "current" };
const folder = "comparisons";
const latestKey = `${folder}/latest.json`;
const ended: readonly ComparisonState[] = ["finished", "cancelled"];
const leaseSeconds = 3_600;

/** `run`: the run that a change is meant for, because another one may have been started since. */
type RunId = Pick<ComparisonSettings, "run">;

export const hasEnded = ({ state }: Pick<ComparisonRun, "state">) => ended.includes(state);

export const chunkName = (number: number) => String(number).padStart(6, "0");

export type Comparison = ReturnType<typeof openComparison>;

export const openComparison = ({ bucket, ...address }: TableAddress & { bucket: string }) => ({
  ...openRun(address),
  ...openCounters(address),
  ...openChunks(createS3(address.region), bucket),
  ...openResult(createS3(address.region), bucket),
});

/** The item of the latest run. Whatever changes it is refused where another run has been started since. */
function openRun(address: TableAddress) {
  const table = openTable(address);
  const tableWithoutRetries = openTable({ ...address, maxAttempts: 1 });
  const update = ({ run }: RunId, change: string, values: object, condition = "") =>
    table.update(runKey, change, { if: `run = :run${condition}`, values: { ":run": run, ...values } });

  return {
    /** The latest run. */
    async read(): Promise<ComparisonRun | undefined> {
      const item = await table.get(runKey);
      // One of an older version is none: its result would not say what was compared.
      const settings = item && comparisonSettings.safeParse(JSON.parse(text(item, "settings"))).data;
      if (!item || !settings) return undefined;
      const number = (name: string) => (item[name] === undefined ? undefined : Number(item[name]));
      return {
        ...settings,
        state: text(item, "runState") as ComparisonState,
        spent: { v1: number("spentV1") ?? 0, v2: number("spentV2") ?? 0 },
        resumeAtMs: number("resumeAtMs"),
        why: text(item, "why") || undefined,
        remaining: number("remaining"),
        stalledRounds: number("stalledRounds") ?? 0,
        executionArn: text(item, "executionArn") || undefined,
      };
    },
    /** False while another run has not ended. */
    create: (settings: ComparisonSettings) =>
      table.put(
        {
          ...runKey,
          run: settings.run,
          settings: JSON.stringify(settings),
          runState: "running",
          spentV1: 0,
          spentV2: 0,
          stalledRounds: 0,
        },
        {
          if: "attribute_not_exists(pk) OR runState IN (:a, :b)",
          values: { ":a": ended[0], ":b": ended[1] },
        },
      ),
    /** False where it has ended meanwhile. A run that is resumed waits for nothing. */
    setState: (run: RunId, state: ComparisonState, why = "") =>
      update(
        run,
        `SET runState = :state, why = :why${state === "running" ? ", stalledRounds = :zero REMOVE resumeAtMs, remaining" : ""}`,
        // DynamoDB refuses a value that is not used.
        omitUndefined<Item>({
          ":state": state,
          ":why": why,
          ":a": ended[0],
          ":b": ended[1],
          ":zero": state === "running" ? 0 : undefined,
        }),
        " AND NOT runState IN (:a, :b)",
      ),
    setExecution: (run: RunId, arn: string) => update(run, "SET executionArn = :arn", { ":arn": arn }),
    setRound: (run: RunId, remaining: number, stalledRounds: number) =>
      update(run, "SET remaining = :remaining, stalledRounds = :stalled", {
        ":remaining": remaining,
        ":stalled": stalledRounds,
      }),
    /** Stops the requests of all workers until an instant; an earlier one than is set already changes nothing. */
    pauseUntil: (run: RunId, untilMs: number, why: string) =>
      update(
        run,
        "SET resumeAtMs = :until, why = :why",
        { ":until": Math.ceil(untilMs), ":why": why },
        " AND (attribute_not_exists(resumeAtMs) OR resumeAtMs < :until)",
      ),
    /** Before requests are sent: false where the limit of the run leaves too few, or it does not run. */
    spend: ({ run, limits }: ComparisonSettings, v1: number, v2: number) =>
      update(
        { run },
        "ADD spentV1 :v1, spentV2 :v2",
        {
          ":v1": v1,
          ":v2": v2,
          ":running": "running",
          ":most1": limits.v1.requests - v1,
          ":most2": limits.v2.requests - v2,
        },
        " AND runState = :running AND spentV1 <= :most1 AND spentV2 <= :most2",
      ),
    /** Once at most: a repeated call would count too few requests. One that fails leaves too many counted. */
    giveBack: ({ run }: RunId, v1: number, v2: number) =>
      tableWithoutRetries
        .update(runKey, "ADD spentV1 :v1, spentV2 :v2", {
          if: "run = :run",
          values: { ":run": run, ":v1": -v1, ":v2": -v2 },
        })
        .catch(() => false),
  };
}

/** Counters of requests that all workers share. */
function openCounters(address: TableAddress) {
  const table = openTable(address);
  return {
    /** Takes tokens of a counter; false where fewer are left. */
    takeTokens: (
      counters: string,
      { slice, shard, tokens, quota }: { slice: number; shard: number; tokens: number; quota: number },
    ) =>
      table.update(
        // Each counter has its own partition key, because DynamoDB limits the writes of a partition.
        { pk: `lease#${counters}#${slice}#${shard}`, sk: "lease" },
        "ADD used :tokens SET expiresAt = :expires",
        {
          if: "attribute_not_exists(used) OR used <= :most",
          values: {
            ":tokens": tokens,
            ":most": quota - tokens,
            ":expires": Math.ceil(Date.now() / 1_000) + leaseSeconds,
          },
        },
      ),
  };
}

type S3 = ReturnType<typeof createS3>;
type Kind = "chunks" | "results";

/** The ids of a run in chunks, V2's schema beside them, and a result for each chunk that is done. */
function openChunks(s3: S3, bucket: string) {
  const keyOf = ({ run }: RunId, kind: Kind, chunk: string) => `${folder}/${run}/${kind}/${chunk}.json`;

  async function* list({ run }: RunId, kind: Kind): AsyncGenerator<string> {
    const Prefix = `${folder}/${run}/${kind}/`;
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix }))
      for (const { Key = "" } of Contents) yield Key.slice(Prefix.length, -".json".length);
  }

  return {
    putChunk: (run: RunId, chunk: string, ids: readonly string[]) =>
      putObject(s3, bucket, { key: keyOf(run, "chunks", chunk), body: JSON.stringify(ids) }),
    async readChunk(run: RunId, chunk: string): Promise<string[]> {
      const body = await getObject(s3, bucket, keyOf(run, "chunks", chunk));
      if (body === undefined) throw new Error(`chunk ${chunk} does not exist`);
      return JSON.parse(body) as string[];
    },
    /** Beside the chunks, and deleted with them. */
    putV2Schema: (run: RunId, document: string) =>
      putObject(s3, bucket, { key: keyOf(run, "chunks", "v2-schema"), body: document }),
    async readV2Schema(run: RunId): Promise<unknown> {
      const body = await getObject(s3, bucket, keyOf(run, "chunks", "v2-schema"));
      if (body === undefined) throw new Error("V2's schema does not exist");
      return JSON.parse(body);
    },
    putResult: (run: RunId, chunk: string, aggregate: ParityAggregate) =>
      putObject(s3, bucket, { key: keyOf(run, "results", chunk), body: JSON.stringify(aggregate) }),
    async readResult(run: RunId, chunk: string): Promise<ParityAggregate | undefined> {
      const body = await getObject(s3, bucket, keyOf(run, "results", chunk));
      return body === undefined ? undefined : parityAggregate.parse(JSON.parse(body));
    },
    async listResults(run: RunId): Promise<Set<string>> {
      const done = new Set<string>();
      for await (const chunk of list(run, "results")) done.add(chunk);
      return done;
    },
    /** What the state machine maps over; returns its key. */
    async putIndex({ run }: RunId, chunks: readonly string[]): Promise<string> {
      const key = `${folder}/${run}/index.json`;
      await putObject(s3, bucket, { key, body: JSON.stringify(chunks.map((chunk) => ({ run, chunk }))) });
      return key;
    },
    /** The ids are not kept for longer than they are needed. */
    async removeChunks(run: RunId): Promise<void> {
      let Objects: { Key: string }[] = [];
      const remove = async () => {
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
        const { Errors: [refused] = [] } = await s3.send(command);
        if (refused) throw new Error(`the ids of a chunk cannot be deleted: ${refused.Code}`);
      };
      for await (const chunk of list(run, "chunks")) {
        Objects.push({ Key: keyOf(run, "chunks", chunk) });
        if (Objects.length < 1_000) continue;
        await remove();
        Objects = [];
      }
      if (Objects.length > 0) await remove();
    },
  };
}

/** The result of the latest finished run. */
function openResult(s3: S3, bucket: string) {
  return {
    putLatest: (state: ParityState) =>
      putObject(s3, bucket, { key: latestKey, body: `${JSON.stringify(state)}\n` }),
    /** As `v1watch ready --parity FILE` reads it. */
    async readLatest(): Promise<ParityState | undefined> {
      const body = await getObject(s3, bucket, latestKey);
      return body === undefined ? undefined : parityState.safeParse(JSON.parse(body)).data;
    },
  };
}

/** Puts many chunks at a time. */
export async function putChunks(
  comparison: Comparison,
  run: RunId,
  chunks: Iterable<string[]>,
): Promise<number> {
  const group = 64;
  let count = 0;
  let waiting: { chunk: string; ids: string[] }[] = [];
  const flush = async () => {
    await forEach(waiting, ({ chunk, ids }) => comparison.putChunk(run, chunk, ids));
    waiting = [];
  };
  for (const ids of chunks) {
    waiting.push({ chunk: chunkName(count++), ids });
    if (waiting.length === group) await flush();
  }
  await flush();
  return count;
}

const callTimeoutMs = 15_000;

/** The state machine of the stack. */
export function openStateMachine(stateMachineArn: string) {
  const [, , , region] = stateMachineArn.split(":");
  const client = new SFNClient(clientOptions({ region }));
  return {
    async start({ run }: RunId): Promise<string> {
      const name = `${run}-${Date.now().toString(36)}`;
      const command = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify({ run }) });
      return (await client.send(command, callTimeout(callTimeoutMs))).executionArn ?? "";
    },
    async stop(executionArn: string): Promise<void> {
      await client.send(new StopExecutionCommand({ executionArn }), callTimeout(callTimeoutMs));
    },
    /** RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED. */
    async status(executionArn: string): Promise<string> {
      const { status = "" } = await client.send(
        new DescribeExecutionCommand({ executionArn }),
        callTimeout(callTimeoutMs),
      );
      return status;
    },
  };
}

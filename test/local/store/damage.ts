// Random damage to a store's files and to the text of its rows, and what must hold afterwards: the store opens or says why
// not, every row that can still be read is there, what is missing is reported, and observations and alerts go on.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { deliverPending } from "../../../lib/delivery/outbox.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Decision } from "../../../lib/records/incident.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { createChance } from "../../random.ts";
import { acceptAlerts } from "../receivers.ts";
import { alertMessage, collect, minuteMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { assess } from "../small-assessment.ts";

const files = ["", "-wal", "-shm", ".owner"];
const observationCount = 240;
const nowMs = startMs + observationCount * 10 * minuteMs;

export const textTables = [
  "observation",
  "checkpoint",
  "probe_state",
  "decision",
  "outbox_message",
  "sent_alert",
] as const;
const textOf = (table: string) => (table === "checkpoint" ? "state" : "body");

const open = (path: string) => openStore(path, { mode: "own", nowMs: () => nowMs });

export function expectOpen(path: string): Store {
  const opened = open(path);
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  return opened.store;
}

const sampleDecision = (number: number): Decision => ({
  schema: "v1watch/decision/1",
  kind: "mute",
  subject: `finding-${number}`,
  reason: "known",
  at: new Date(startMs + number * minuteMs).toISOString(),
});

/** A store with rows in every table. `hasLog`: copied while it is in use, so that rows are in the write-ahead log. */
export async function createSampleStore(path: string, hasLog = false): Promise<void> {
  const working = hasLog ? `${path}.working` : path;
  const store = expectOpen(working);
  await store.outbox.subscribe([acceptAlerts()]);
  for (let number = 0; number < observationCount; number += 1) {
    await store.ledger.append(sampleObservation(number));
    if (number === observationCount / 2) await assess(store.ledger);
  }
  await store.ledger.writeProbeState({ ...emptyProbeState, spent: { "2026-11": observationCount } }, 0);
  for (let number = 0; number < 8; number += 1) {
    await store.ledger.decide(sampleDecision(number));
    await store.outbox.put([alertMessage(number)]);
    store.history.saveSentAlert(sampleAlert(number));
  }
  if (hasLog) for (const suffix of files.slice(0, 2)) cpSync(working + suffix, path + suffix);
  store.close();
  if (!hasLog) return;
  cpSync(`${working}.owner`, `${path}.owner`);
  for (const suffix of files) rmSync(working + suffix, { force: true });
}

type Chance = ReturnType<typeof createChance>;

const writeAt = (path: string, at: number, bytes: Uint8Array) => {
  const content = readFileSync(path);
  content.set(bytes.subarray(0, Math.max(0, content.length - at)), at);
  writeFileSync(path, content);
};

const randomBytes = (chance: Chance, length: number) =>
  Uint8Array.from({ length }, () => Math.floor(chance() * 256));

const anywhere = (path: string, chance: Chance) => Math.floor(chance() * statSync(path).size);
const pageBytes = 8_192;

/** Damage to the structure: to the bytes of the file or of its write-ahead log. */
export const fileDamages: Record<string, (path: string, chance: Chance) => void> = {
  "one byte": (path, chance) => writeAt(path, anywhere(path, chance), randomBytes(chance, 1)),
  "some bytes": (path, chance) =>
    writeAt(path, anywhere(path, chance), randomBytes(chance, 1 + Math.floor(chance() * 600))),
  "a page of zeros": (path, chance) =>
    writeAt(path, Math.floor(anywhere(path, chance) / pageBytes) * pageBytes, new Uint8Array(pageBytes)),
  "a page of another place": (path, chance) => {
    const content = readFileSync(path);
    const [from, to] = [0, 1].map(() => Math.floor(anywhere(path, chance) / pageBytes) * pageBytes);
    writeAt(path, to ?? 0, content.subarray(from, (from ?? 0) + pageBytes));
  },
  "three pages": (path, chance) => {
    for (let page = 0; page < 3; page += 1) fileDamages["a page of zeros"]?.(path, chance);
  },
  "the end is missing": (path, chance) =>
    writeFileSync(path, readFileSync(path).subarray(0, anywhere(path, chance))),
  "the log is missing": (path) => rmSync(`${path}-wal`, { force: true }),
  "the log is damaged": (path, chance) =>
    writeAt(`${path}-wal`, anywhere(`${path}-wal`, chance), randomBytes(chance, 40)),
};

/** Damage to the text of one row. */
export const textDamages: Record<string, (text: Buffer, chance: Chance) => Buffer> = {
  "one byte": (text, chance) => {
    const damaged = Buffer.from(text);
    const at = Math.floor(chance() * damaged.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(chance() * 255));
    return damaged;
  },
  "the end is missing": (text, chance) => text.subarray(0, Math.floor(chance() * text.length)),
  "nothing is left": () => Buffer.alloc(0),
  "other JSON": (_text, chance) =>
    Buffer.from(
      ["null", "{}", "[]", "7", '{"schema":"v1watch/observation/2"}'][Math.floor(chance() * 5)] ?? "",
    ),
  "bytes that are no text": (text, chance) => Buffer.from(randomBytes(chance, Math.min(200, text.length))),
};

export function damageText(
  path: string,
  table: string,
  rowNumber: number,
  damaged: (text: Buffer) => Buffer,
): void {
  const db = new DatabaseSync(path);
  const column = textOf(table);
  const row = db
    .prepare(`SELECT rowid AS rowNumber, CAST(${column} AS BLOB) AS text FROM ${table} LIMIT 1 OFFSET ?`)
    .get(rowNumber) as { rowNumber: number; text: Uint8Array };
  const value = table === "checkpoint" ? "?" : "CAST(? AS TEXT)";
  db.prepare(`UPDATE ${table} SET ${column} = ${value} WHERE rowid = ?`).run(
    ...[damaged(Buffer.from(row.text)), row.rowNumber],
  );
  db.close();
}

function prepareOnce(db: DatabaseSync, statements: Map<string, StatementSync>, table: string): StatementSync {
  const known = statements.get(table) ?? db.prepare(`SELECT * FROM ${table} WHERE rowid = ?`);
  statements.set(table, known);
  return known;
}

/** Of each table the rows before the first that cannot be read, and those after the last: the others may be lost. */
function outsideOfDamage(readable: ReadonlySet<string>, originals: ReadonlyMap<string, string>): Set<string> {
  const tables = Map.groupBy(originals.keys(), (name) => name.split("/")[0]).values();
  return new Set(
    [...tables].flatMap((names) => {
      const isLost = (name: string) => !readable.has(name);
      const first = names.findIndex(isLost);
      return first < 0 ? names : [...names.slice(0, first), ...names.slice(names.findLastIndex(isLost) + 1)];
    }),
  );
}

/** The rows of a file whose text is still the original one, each found by its row number alone. */
function findReadable(path: string, originals: ReadonlyMap<string, string>): Set<string> {
  const readable = new Set<string>();
  const statements = new Map<string, StatementSync>();
  // Reading through a copy leaves the files of the test as they are.
  const copy = `${path}.copy`;
  for (const suffix of files.slice(0, 2))
    if (statSync(path + suffix, { throwIfNoEntry: false })) cpSync(path + suffix, copy + suffix);
  const db = new DatabaseSync(copy, { defensive: false });
  // Otherwise SQLite reads nothing of a file that is shorter than its header says.
  db.exec("PRAGMA writable_schema = ON");
  for (const name of originals.keys()) {
    const [table = "", rowNumber = ""] = name.split("/");
    try {
      const row = prepareOnce(db, statements, table).get(Number(rowNumber));
      if (row && JSON.stringify(row) === originals.get(name)) readable.add(name);
    } catch {
      // SQLite cannot read this row.
    }
  }
  db.close();
  for (const suffix of files) rmSync(copy + suffix, { force: true });
  return readable;
}

function readOriginals(path: string): Map<string, string> {
  const db = new DatabaseSync(path);
  const rows = ["observation", "decision", "sent_alert"].flatMap((table) =>
    db
      .prepare(`SELECT rowid AS rowNumber, * FROM ${table}`)
      .all()
      .map(({ rowNumber, ...row }) => [`${table}/${rowNumber}`, JSON.stringify(row)] as const),
  );
  db.close();
  return new Map(rows);
}

export type DamageResult = {
  damages: number;
  /** The store was refused with a reason, and its file was left as it was. */
  refused: number;
  /** A new store was made of the rows that could be read. */
  recovered: number;
  /** Rows were set aside one by one. */
  setAside: number;
  /** The processor time of the slowest case, whatever else the machine does: a recovery must not take long. */
  slowestCpuMs: number;
  faults: string[];
};

export async function damageStores(count: number, seed: number): Promise<DamageResult> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-damage-"));
  const chance = createChance(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(chance() * items.length)] as T;
  const result: DamageResult = {
    damages: count,
    refused: 0,
    recovered: 0,
    setAside: 0,
    slowestCpuMs: 0,
    faults: [],
  };
  try {
    const templates = await Promise.all(
      [false, true].map(async (hasLog) => {
        mkdirSync(join(folder, String(hasLog)));
        const path = join(folder, String(hasLog), "watch.db");
        await createSampleStore(path, hasLog);
        // Opening the copy would move its log into the file.
        const copy = join(folder, String(hasLog), "read.db");
        for (const suffix of files.slice(0, 2))
          if (statSync(path + suffix, { throwIfNoEntry: false })) cpSync(path + suffix, copy + suffix);
        return { path, originals: readOriginals(copy) };
      }),
    );
    for (let number = 0; number < count; number += 1) {
      const isText = chance() < 0.4;
      const kind = isText ? pick(Object.keys(textDamages)) : pick(Object.keys(fileDamages));
      const template = templates[kind.startsWith("the log") || chance() < 0.3 ? 1 : 0]!;
      const path = join(folder, `${number}.db`);
      for (const suffix of files)
        if (statSync(template.path + suffix, { throwIfNoEntry: false }))
          cpSync(template.path + suffix, path + suffix);
      const name = `damage ${number} of seed ${seed} (${isText ? "text" : "file"}, ${kind})`;
      if (isText) {
        const table = pick(textTables);
        const rows =
          table === "observation"
            ? observationCount
            : table === "probe_state" || table === "checkpoint"
              ? 1
              : 8;
        damageText(path, table, Math.floor(chance() * rows), (text) => textDamages[kind]!(text, chance));
      } else fileDamages[kind]!(path, chance);
      const intact = findReadable(path, template.originals);
      const readable = isText ? intact : outsideOfDamage(intact, template.originals);
      const cpuBefore = process.cpuUsage();
      try {
        for (const fault of await checkDamaged(
          path,
          readable,
          template.originals,
          result,
          kind.startsWith("the log"),
        ))
          result.faults.push(`${name}: ${fault}`);
      } catch (error) {
        result.faults.push(`${name}: ${(error as Error).stack}`);
      }
      const { user, system } = process.cpuUsage(cpuBefore);
      result.slowestCpuMs = Math.max(result.slowestCpuMs, (user + system) / 1_000);
      // The long run of the soak test shows how far it is.
      if (count > 200 && number % 100 === 0)
        console.error(`${number} of ${count} damages, the slowest ${Math.round(result.slowestCpuMs)} ms`);
      for (const file of [path, ...findCorruptFiles(path)])
        for (const suffix of files) rmSync(file + suffix, { force: true });
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const findCorruptFiles = (path: string) => [
  `${path}.corrupt-${new Date(nowMs).toISOString().replace(/[-:.]/g, "")}`,
];

async function checkDamaged(
  path: string,
  readable: ReadonlySet<string>,
  originals: ReadonlyMap<string, string>,
  result: DamageResult,
  isOfLog: boolean,
): Promise<string[]> {
  const before = readFileSync(path);
  const opened = open(path);
  if (opened.kind !== "open") {
    result.refused += 1;
    const isExplained = opened.kind === "unusable";
    return isExplained && readFileSync(path).equals(before) ? [] : [`refused as ${JSON.stringify(opened)}`];
  }
  const { store } = opened;
  try {
    const faults = await checkStore(store);
    const stored = {
      observation: new Set((await collect(store.ledger.observations(0, 1e15))).map(({ id }) => id)),
      decision: new Set((await store.ledger.decisions()).map(({ subject }) => subject)),
      sent_alert: new Set(store.history.sentAlerts(100).map(({ alert }) => alert.id)),
    };
    const isStored = (name: string) => {
      const table = name.split("/")[0] as keyof typeof stored;
      const row = JSON.parse(originals.get(name) ?? "{}") as { id?: string; subject?: string };
      return stored[table].has(String(table === "decision" ? row.subject : row.id));
    };
    const missing = [...originals.keys()].filter((name) => !isStored(name));
    const lost = missing.filter((name) => readable.has(name));
    if (lost.length > 0) faults.push(`${lost.length} readable rows are missing, such as ${lost[0]}`);
    const { count } = store.unreadable();
    // Without its log the file is an older state of itself, which nothing can tell.
    const isTold = missing.length === 0 || isOfLog || opened.corrupt !== undefined || count > 0;
    if (!isTold) faults.push(`${missing.length} missing rows are not reported`);
    if (opened.corrupt) result.recovered += 1;
    else if (count > 0) result.setAside += 1;
    return faults;
  } finally {
    store.close();
  }
}

/** What must go on after any damage: observations, assessments and alerts. */
async function checkStore(store: Store): Promise<string[]> {
  const faults: string[] = [];
  const number = observationCount + 3;
  const appended = await store.ledger.append(sampleObservation(number));
  if (appended.kind !== "new") faults.push(`a new observation is ${JSON.stringify(appended)}`);
  if (!(await assess(store.ledger))) faults.push("the assessment cannot be committed");
  if (!(await assess(store.ledger))) faults.push("the next assessment cannot be committed");
  const left = (await store.ledger.backlog()).unassessed.length;
  if (left > 0) faults.push(`${left} observations are never assessed`);
  await store.outbox.put([alertMessage(100)]);
  const sent: string[] = [];
  await deliverPending(store.outbox, [acceptAlerts(({ id }) => sent.push(id))], () => nowMs);
  if (!sent.includes(alertMessage(100).id)) faults.push("a new alert is not delivered");
  const probeState = await store.ledger.readProbeState();
  const written = await store.ledger.writeProbeState(
    probeState?.value ?? emptyProbeState,
    probeState?.version ?? 0,
  );
  if (written.kind !== "written") faults.push(`the probe state is ${JSON.stringify(written)}`);
  store.history.observationRows({ limit: 100 });
  store.outbox.lastProof();
  return faults;
}

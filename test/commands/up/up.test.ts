// `up`, with real processes and signals where they matter, and what is done with its store.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../../../lib/local/store/store.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "../terminal.ts";

const folder = makeFolder();
const store = join(folder, ".v1watch/simulator.db");
const program = join(import.meta.dirname, "../../../bin/v1watch.ts");
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

type Process = {
  child: ChildProcess;
  out(): string;
  waitFor(text: string): Promise<void>;
  exited: Promise<number | null>;
};

function start(args: readonly string[], env: Record<string, string> = {}): Process {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  started.push(child);
  let out = "";
  const append = (part: Buffer) => {
    out += part;
  };
  child.stdout?.on("data", append);
  child.stderr?.on("data", append);
  const exited = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  const waitFor = async (text: string) => {
    while (!out.includes(text)) {
      const hasExited = await Promise.race([
        exited.then(() => true),
        new Promise((resolve) => setTimeout(resolve, 30, false)),
      ]);
      if (hasExited && !out.includes(text))
        throw new Error(`the process exited without printing "${text}":\n${out}`);
    }
  };
  return { child, out: () => out, waitFor, exited };
}

describe("up", () => {
  test("v1watch up starts the simulator without a configuration, is copied by store backup while it runs, and exits 0 on SIGINT", async () => {
    const up = start(["up", "--port", "0"]);
    await up.waitFor("s documented.");
    expect(up.out()).toContain("v1watch starts its simulator");
    expect(up.out()).toMatch(/^dashboard http:\/\/127\.0\.0\.1:\d+\/$/m);
    // The output is no terminal: the token is in a file that only its owner can read, and is gone afterwards.
    const file = join(folder, ".v1watch/simulator.db.token");
    const token = readFileSync(file, "utf8").trim();
    expect(token).toMatch(/^[\w-]{24}$/);
    expect(up.out()).toContain("The token for changes is in .v1watch/simulator.db.token.");
    expect(up.out()).not.toContain(token);
    for (const name of [
      ".v1watch",
      ".v1watch/simulator.db",
      ".v1watch/simulator.db.owner",
      ".v1watch/simulator.db-wal",
      file,
    ])
      expect(statSync(resolve(folder, name)).mode & 0o077, name).toBe(0);
    const copy = join(folder, "copy.db");
    expect((await run(["store", "backup", copy, "--store", store])).code).toBe(0);
    up.child.kill("SIGINT");
    expect(await up.exited).toBe(0);
    expect(up.out()).toMatch(/^Stopped\. All \d+ observations of this run are stored\.$/m);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(folder, ".v1watch/watch.db"))).toBe(false);
    // A command without --store prints the path of the simulator's store.
    const command = start(["status"]);
    expect(await command.exited).toBe(2);
    expect(command.out()).toMatch(/^v1watch: [^\n]* add --store \.v1watch\/simulator\.db\. [^\n]*\n$/);
    for (const one of [store, copy]) expect((await run(["status", "risk", "--store", one])).code).toBe(0);
    expect((await run(["store", "backup", copy, "--store", store])).err).toContain("not overwritten");
  });

  test("v1watch up that is stopped while the store refuses to save says how many observations are lost", async () => {
    const path = join(folder, "locked.db");
    const up = start(["up", "--port", "0", "--every", "2", "--store", path]);
    await up.waitFor("s documented.");
    const other = new DatabaseSync(path, { timeout: 5_000 });
    other.exec("BEGIN IMMEDIATE");
    await up.waitFor("DEGRADED: observations cannot be stored (locked)");
    up.child.kill("SIGTERM");
    expect(await up.exited).toBe(0);
    const [, lost, made] =
      /^Stopped\. (\d+) of the (\d+) observations of this run are not stored \(locked\), and lost\.$/m.exec(
        up.out(),
      ) ?? [];
    other.exec("ROLLBACK");
    const stored = other.prepare("SELECT count(*) AS count FROM observation").get()?.count;
    other.close();
    expect(Number(lost)).toBeGreaterThan(0);
    expect(stored).toBe(Number(made) - Number(lost));
  });

  test.each(["deleted", "replaced"] as const)(
    "A store that is %s under a running watch is reported, and nothing is lost",
    async (what) => {
      const path = join(folder, `${what}.db`);
      const up = start(["up", "--port", "0", "--every", "2", "--store", path]);
      await up.waitFor("s documented.");
      const countIn = (file: string) => {
        const opened = openStore(file, { mode: "read" });
        if (opened.kind !== "open") throw new Error(opened.kind);
        const observations = opened.store.history.observationRows({ limit: 10_000 }).length;
        const alerts = opened.store.history.sentAlerts(9).map(({ alert }) => alert.subject);
        opened.store.close();
        return { observations, alerts };
      };
      const before = countIn(path).observations;
      expect(before).toBeGreaterThan(0);
      if (what === "replaced") {
        const other = openStore(join(folder, "other.db"), { mode: "own" });
        if (other.kind === "open") other.store.close();
        renameSync(join(folder, "other.db"), path);
      } else rmSync(path);
      await up.waitFor(`was ${what}`);
      const reported = `[v1watch] WARNING: The store ${path} was ${what}`.slice(0, 90);
      await expect
        .poll(() => countIn(path).alerts.some((subject) => subject.startsWith(reported.slice(0, 60))))
        .toBe(true);
      up.child.kill("SIGTERM");
      expect(await up.exited).toBe(0);
      const copies = readdirSync(folder).filter((name) => name.startsWith(`${what}.db.${what}-`));
      if (what === "deleted") expect(countIn(path).observations).toBeGreaterThanOrEqual(before);
      else expect(countIn(join(folder, copies[0] ?? "")).observations).toBeGreaterThanOrEqual(before);
      expect(copies).toHaveLength(what === "deleted" ? 0 : 1);
    },
  );

  test("v1watch up exits at once if another process uses the store, and prints the pid of that process", async () => {
    const own = openStore(join(folder, "shared.db"), { mode: "own" });
    const second = start(["up", "--port", "0", "--store", "shared.db"]);
    expect(await second.exited).toBe(2);
    expect(second.out()).toBe(
      `v1watch: the store shared.db is in use by pid ${process.pid}. Stop that process, or use another store with --store.\n`,
    );
    if (own.kind === "open") own.store.close();
  });

  test("v1watch up reports a port that is in use in one line, and creates no store", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const printed = await run(["up", "--port", String(port), "--store", join(folder, "port.db")]);
    expect(printed).toMatchObject({ code: 2, out: "" });
    expect(printed.err).toBe(
      `v1watch: port ${port} is in use. Stop the process that uses it, or choose another port with --port.\n`,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("port.db"))).toEqual([]);
    other.close();
  });

  const once = (name: string, ...more: string[]) => ["up", "--once", "--store", join(folder, name), ...more];

  test("v1watch up --once exits 1 if V1 is unreachable, and does not report it as alive", async () => {
    const args = once("unreachable.db", "--allow-loopback", "--base-url", "http://127.0.0.1:9");
    const unreachable = await run(args);
    expect(unreachable.code).toBe(1);
    expect(unreachable.out).toContain("Unknown: not confirmed yet: V1 is down on all 3 endpoints");
    expect(unreachable.out).not.toContain("alive");
    const again = await run(args);
    expect(again.code).toBe(1);
    expect(again.out).toContain("V1 was not checked now: no check is due.");
    expect(again.out).toContain("Unknown: not confirmed yet: V1 is down on all 3 endpoints");
  });

  test("v1watch up --once exits 0 if the simulator is healthy, and 1 if its data may be frozen", async () => {
    expect((await run(once("healthy.db"))).code).toBe(0);
    const frozen = await run(once("frozen.db", "--scenario", "frozen"));
    expect(frozen.code).toBe(1);
    expect(frozen.out).toContain("The data may be frozen");
  });

  test("v1watch up --once prints the verdict, and never prints or stores the key", async () => {
    const key = "SENTINEL-KEY-0123456789";
    const simulator = await startSimulator({ passports: 60, key });
    const env = { V1WATCH_API_KEY: key };
    const target = ["--allow-loopback", "--base-url", simulator.url];
    const healthy = await run(once("once.db", ...target), { env });
    expect(healthy.code).toBe(0);
    expect(healthy.out).toContain("V1 is up. Retirement risk: low.");
    expect(healthy.out).toContain("key …6789");
    simulator.inject([{ kind: "drop-field", path: "passports[].score" }]);
    const drifted = await run(once("twice.db", ...target), { env });
    expect(drifted.code).toBe(1);
    expect(drifted.out).toContain("passports[].score");
    await simulator.close();
    for (const { out, err } of [healthy, drifted]) expect(out + err).not.toContain(key);
    expect(readFileSync(join(folder, "once.db"), "latin1")).not.toContain(key);
  });

  test.each([
    [
      ["up", "--base-url", "https://api.example.com", "--scenario", "gone"],
      "--scenario applies only to the simulator",
    ],
    [["up", "--scenario", "no-such"], "Allowed choices are healthy"],
    [["up", "--every", "1"], "--every must be a whole number"],
    [["up", "--port", "x"], "--port must be a whole number"],
    [["store", "backup"], "missing required argument 'file'"],
  ] as const)("v1watch up %j is reported as a usage error in one line", async (args, message) => {
    const printed = await run(args);
    expect(printed.code).toBe(2);
    expect(printed.err).toContain(message);
    expect(isSingleErrorLine(printed)).toBe(true);
  });
});

describe("export", () => {
  const file = (name: string) => join(folder, name);

  test("v1watch store export writes the same lines to a file, which it does not overwrite, and to standard output", async () => {
    const target = file("a.jsonl");
    expect((await run(["store", "export", target, "--store", store])).code).toBe(0);
    const lines = readFileSync(target, "utf8");
    expect(lines.split("\n").length).toBeGreaterThan(3);
    expect((await run(["store", "export", "--store", store])).out).toBe(lines);
    expect((await run(["store", "export", target, "--store", store])).err).toContain("not overwritten");
  });
});

// `up`, `demo`, `export`, `import` and `backup` as a person meets them: real processes, real signals.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assess } from "../../../lib/assess/assess.ts";
import { assessmentSettings, loadConfig } from "../../../lib/config/config.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Alert } from "../../../lib/records/alert.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { sampleObservation } from "../../local/samples.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { isOneClearLine, run } from "../terminal.ts";

const folder = makeFolder();
const program = join(import.meta.dirname, "../../../bin/v1watch.ts");
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

type Process = {
  child: ChildProcess;
  out(): string;
  until(text: string): Promise<void>;
  ended: Promise<number | null>;
};

function start(args: readonly string[], env: Record<string, string> = {}): Process {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  started.push(child);
  let out = "";
  const take = (part: Buffer) => {
    out += part;
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  const until = async (text: string) => {
    while (!out.includes(text)) {
      const isOver = await Promise.race([
        ended.then(() => true),
        new Promise((go) => setTimeout(go, 30, false)),
      ]);
      if (isOver && !out.includes(text)) throw new Error(`it ended without "${text}":\n${out}`);
    }
  };
  return { child, out: () => out, until, ended };
}

describe("up", () => {
  test("without configuration starts V1 beside itself, says so, and ends cleanly on SIGINT and SIGTERM", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const up = start(["up", "--port", "0"]);
      // The second one finds that V1 was asked a moment ago, and says what is known.
      await up.until(signal === "SIGINT" ? "s documented." : "the next question is due");
      expect(up.out()).toContain("V1 itself runs here, simulated");
      expect(up.out()).toMatch(/page http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{24}/);
      up.child.kill(signal);
      expect(await up.ended).toBe(0);
    }
    expect(existsSync(join(folder, ".v1watch/simulator.db"))).toBe(true);
    expect(existsSync(join(folder, ".v1watch/watch.db"))).toBe(false);
    // Whoever asks now without an option is told which store that was.
    for (const name of ["outlook", "incidents", "drift", "gaps", "alarms", "export"]) {
      const asked = start([name]);
      expect(await asked.ended).toBe(2);
      expect(asked.out()).toMatch(/^v1watch: [^\n]* add --store \.v1watch\/simulator\.db\. [^\n]*\n$/);
    }
    const seen = start(["outlook", "--store", ".v1watch/simulator.db"]);
    expect(await seen.ended).toBe(0);
  });

  test("beside another on the same store exits at once and names its pid", async () => {
    const first = start(["up", "--port", "0", "--store", "shared.db"]);
    await first.until("s documented.");
    const second = start(["up", "--port", "0", "--store", "shared.db"]);
    expect(await second.ended).toBe(2);
    expect(second.out()).toBe(
      `v1watch: the store shared.db is in use by pid ${first.child.pid}. Stop it, or use --store.\n`,
    );
    first.child.kill("SIGTERM");
    await first.ended;
  });

  test("on a port that is taken says whose it is, in one line, and leaves nothing behind", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const up = start(["up", "--port", String(port), "--store", "port.db"]);
    expect(await up.ended).toBe(2);
    expect(up.out()).toMatch(
      new RegExp(
        `^v1watch: port ${port} is in use \\(pid ${process.pid}, node\\w*\\)\\. Use --port, or stop it\\.\\n$`,
      ),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("port.db"))).toEqual([]);
    other.close();
  });

  test("tells in its log what V1 was not asked, and never that it refused", async () => {
    const up = start([
      "up",
      "--port",
      "0",
      "--every",
      "2",
      "--store",
      "log.db",
      "--scenario",
      "quota-exhausted",
    ]);
    await up.until("passport (anonymous) not asked: no sample");
    expect(up.out()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}passport-list 401 \d+ ms/m);
    expect(up.out()).not.toMatch(/\brefused\b/);
    up.child.kill("SIGTERM");
    await up.ended;
  });

  test("--once does not report a V1 that is down as up", async () => {
    const args = [
      "up",
      "--once",
      "--allow-loopback",
      "--base-url",
      "http://127.0.0.1:9",
      "--store",
      "dead.db",
    ];
    const dead = start(args);
    expect(await dead.ended).toBe(1);
    expect(dead.out()).toContain("V1 is down (1 check, not confirmed yet).");
    expect(dead.out()).not.toContain("V1 is up");
    const again = start(args);
    expect(await again.ended).toBe(1);
    expect(again.out()).toContain("V1 was asked lately");
    expect(again.out()).toContain("V1 is down (1 check, not confirmed yet).");
  });

  test("--once on data that looks frozen says so and does not end with 0", async () => {
    const frozen = start(["up", "--once", "--scenario", "frozen", "--store", "frozen.db"]);
    expect(await frozen.ended).toBe(1);
    expect(frozen.out()).toContain("The data looks frozen");
  });

  test("--once ends with the verdict, and the key is in no word and no file of it", async () => {
    const key = "SENTINEL-KEY-0123456789";
    const simulator = await startSimulator({ passports: 60, key });
    const once = ["up", "--once", "--allow-loopback", "--base-url", simulator.url, "--store", "once.db"];
    const fine = start(once, { V1WATCH_API_KEY: key });
    expect(await fine.ended).toBe(0);
    expect(fine.out()).toContain("V1 is up and responds as documented; no retirement signals.");
    expect(fine.out()).toContain("key …6789");
    simulator.inject([{ kind: "drop-field", path: "passports[].score" }]);
    const broken = start([...once.slice(0, -1), "twice.db"], { V1WATCH_API_KEY: key });
    expect(await broken.ended).toBe(1);
    expect(broken.out()).toContain("passports[].score");
    await simulator.close();
    for (const text of [fine.out(), broken.out(), readFileSync(join(folder, "once.db"), "latin1")])
      expect(text).not.toContain(key);
  });

  test.each([
    [
      ["up", "--base-url", "https://api.example.com", "--scenario", "gone"],
      "--scenario is for the simulator",
    ],
    [["up", "--scenario", "no-such"], "--scenario is one of"],
    [["up", "--every", "1"], "--every takes a whole number"],
    [["up", "--port", "x"], "--port takes a whole number"],
    [["backup"], "name the file"],
    [["import"], "name the file"],
  ] as const)("%j is a mistake that takes one line", async (args, words) => {
    const printed = await run([...args, ...(args[0] === "up" ? [] : [])]);
    expect(printed.code).toBe(2);
    expect(printed.err).toContain(words);
    expect(isOneClearLine(printed)).toBe(true);
  });

  test("refuses a webhook in the clear, and does not repeat its address", async () => {
    const printed = await run(["up", "--webhook", "http://hooks.example.com/secret-path"]);
    expect(printed.code).toBe(2);
    expect(printed.err).toContain("has to be https");
    expect(printed.err).not.toContain("secret-path");
    const shown = await run(["config", "--base-url", "https://a.example"], {
      env: { V1WATCH_WEBHOOK: "https://hooks.example.com/secret-path" },
    });
    expect(shown.out).toContain("https://hooks.example.com/…");
    expect(shown.out).not.toContain("secret-path");
  });
});

describe("what is remembered", () => {
  const store = join(folder, ".v1watch/simulator.db");
  const file = (name: string) => join(folder, name);

  test("is exported, imported elsewhere, and exported again the same; nobody is told anew", async () => {
    expect((await run(["export", file("a.jsonl"), "--store", store])).code).toBe(0);
    const lines = readFileSync(file("a.jsonl"), "utf8");
    expect(lines.split("\n").length).toBeGreaterThan(3);
    const first = await run(["import", file("a.jsonl"), "--store", file("b.db")]);
    expect(first).toMatchObject({ code: 0, err: "" });
    const again = await run(["import", "-", "--store", file("b.db")], { stdin: lines });
    expect(again.out).toContain("0 observations are new");
    expect((await run(["export", "--store", file("b.db")])).out).toBe(lines);
    expect((await run(["export", file("a.jsonl"), "--store", store])).err).toContain("not overwritten");
  });

  test("brings its old incidents along, and no old alert", async () => {
    const outage = Array.from({ length: 18 }, (_, number) =>
      sampleObservation(number, number < 9 ? {} : { outcome: { kind: "status", status: 503 } }),
    );
    writeFileSync(file("outage.jsonl"), outage.map((one) => JSON.stringify(one)).join("\n"));
    expect((await run(["import", file("outage.jsonl"), "--store", file("d.db")])).code).toBe(0);
    const opened = openStore(file("d.db"), { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const { ledger, outbox, close } = opened.store;
    const told: string[] = [];
    const delivery = { alert: async ({ id }: Alert) => void told.push(id), metrics: async () => {} };
    const ports = {
      ...{ nowMs: Date.now, ledger, outbox, delivery },
      readKey: async () => ({ kind: "none" as const }),
    };
    const config = loadConfig({ env: {}, flags: { "base-url": "https://a.example" } });
    if (!config.ok) throw new Error("no configuration");
    const { state } = await assess(ports, assessmentSettings(config.config));
    close();
    expect(state.incidents.down?.incident.state).toBe("open");
    expect(told).toEqual([]);
  });

  test("takes no line that is no record, and says which", async () => {
    writeFileSync(file("bad.jsonl"), '{"schema":"v1watch/observation/2"}\n\nnull\n{"__proto__":1}\n');
    const printed = await run(["import", file("bad.jsonl"), "--store", file("c.db")]);
    expect(printed.code).toBe(1);
    expect(printed.err).toBe("v1watch: 3 lines are no records of ours, the first at 1, 3, 4\n");
  });

  test("is copied while the watch goes on, and the copy opens", async () => {
    const up = start(["up", "--port", "0", "--every", "2"]);
    await up.until("ocumented");
    expect((await run(["backup", file("copy.db"), "--store", store])).code).toBe(0);
    up.child.kill("SIGTERM");
    expect(await up.ended).toBe(0);
    expect((await run(["outlook", "--store", file("copy.db")])).code).toBeLessThan(2);
    expect((await run(["backup", file("copy.db"), "--store", store])).err).toContain("not overwritten");
  });
});

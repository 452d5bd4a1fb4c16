// The duration and the memory of a scan of a million lines, in which one or ten in a hundred files use V1, of 200,000 lines of which
// every file does, and of the project's own tree. Each scan runs in its own process, so that the peak memory is its own.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanConsumers } from "../lib/scan/index.ts";
import { type Row, row } from "./table.ts";

const linesPerFile = 200;
const totalLines = 1_000_000;

const bodies = {
  ts: {
    head: (n: number) =>
      `import { helper${n} } from "../f${n % 50}/m${(n * 7) % 100}";\nimport axios from "axios";\n`,
    line: (n: number) =>
      [
        `export async function load${n}(id: string, options = { retries: ${n % 5} }) {`,
        `  const response = await axios.get(\`/api/v1/orders/\${id}?page=${n}\`);`,
        `  const { items = [], total } = response.data ?? { items: [] };`,
        `  return items.map((item: any) => ({ id: item.id, score: item.score || 0, total }));`,
        "}",
      ].join("\n"),
    v1: `export async function holder(id: string) {\n  const { data } = await axios.get(\`\${process.env.API}/api/v1/passports/\${id}\`);\n  return data.passport.score || 0;\n}\n`,
  },
  py: {
    head: (n: number) => `import requests\nfrom f${n % 50}.m${(n * 7) % 100} import helper\n`,
    line: (n: number) =>
      [
        `def load_${n}(order_id, retries=${n % 5}):`,
        `    response = requests.get(f"https://shop.example.net/api/v1/orders/{order_id}?page=${n}")`,
        `    body = response.json()`,
        `    return [item.get("score", 0) for item in body["items"] if item["id"] > ${n}]`,
        "",
      ].join("\n"),
    v1: `def holder(wallet):\n    return requests.get("https://api.example.com/api/v1/passports/" + wallet).json()["passport"]["score"]\n`,
  },
  go: {
    head: (n: number) => `package m${n}\n\nimport "net/http"\n`,
    line: (n: number) =>
      [
        `func load${n}(id string) int {`,
        `\tresp, err := http.Get("https://shop.example.net/api/v1/orders/" + id)`,
        "\tif err != nil { return 0 }",
        "\treturn resp.StatusCode",
        "}",
      ].join("\n"),
    v1: `func holder(id string) int {\n\tresp, err := http.Get("https://api.example.com/api/v1/passports/" + id)\n\tif err != nil {\n\t\treturn 0\n\t}\n\treturn resp.StatusCode\n}\n`,
  },
} as const;

async function writeTree(root: string, percentUsing: number, lines: number): Promise<number> {
  const kinds = ["ts", "ts", "py", "go"] as const;
  let uses = 0;
  const files = lines / linesPerFile;
  for (let n = 0; n < files; n++) {
    const kind = kinds[n % kinds.length]!;
    const { head, line, v1 } = bodies[kind];
    const folder = join(root, `f${n % 50}`, ...(kind === "go" ? [`p${n}`] : []));
    await mkdir(folder, { recursive: true });
    const blocks = Array.from({ length: linesPerFile / 5 }, (_, index) => line(n * 1000 + index));
    const usesV1 = n % 100 < percentUsing;
    if (usesV1) uses += 1;
    await writeFile(join(folder, `m${n}.${kind}`), `${head(n)}${blocks.join("\n")}\n${usesV1 ? v1 : ""}`);
  }
  return uses;
}

const here = fileURLToPath(import.meta.url);

type Measured = { seconds: number; peakMegabytes: number; files: number; lines: number };

async function measureHere(root: string): Promise<Measured> {
  const startMs = performance.now();
  const scan = await scanConsumers([{ root, as: "" }]);
  return {
    seconds: (performance.now() - startMs) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    files: new Set(scan?.uses.map(({ file }) => file)).size,
    lines: scan?.lines ?? 0,
  };
}

const measure = (root: string): Measured =>
  JSON.parse(execFileSync(process.execPath, [here, root], { encoding: "utf8" }));

async function measureTree(percentUsing: number, least = totalLines): Promise<Measured> {
  const root = await mkdtemp(join(tmpdir(), "v1watch-bench-scan-"));
  try {
    const expected = await writeTree(root, percentUsing, least);
    const measured = measure(root);
    const { files, lines } = measured;
    if (files !== expected) throw new Error(`${files} of ${expected} files that use V1 were found`);
    if (lines < least) throw new Error(`only ${lines} lines were scanned`);
    return measured;
  } finally {
    await rm(root, { recursive: true });
  }
}

export async function benchScan(): Promise<Row[]> {
  const sparse = await measureTree(1);
  const dense = await measureTree(10);
  const full = await measureTree(100, 200_000);
  const own = measure(join(import.meta.dirname, ".."));
  return [
    row("a million lines, 1 % of the files use V1", sparse.seconds, "s", 15),
    row("peak memory where 1 % use V1", sparse.peakMegabytes, "MB", 600),
    row("a million lines, 10 % of the files use V1", dense.seconds, "s", 60),
    row("peak memory where 10 % use V1", dense.peakMegabytes, "MB", 600),
    row("200,000 lines, every file uses V1", full.seconds, "s", 30),
    row("peak memory where every file uses V1", full.peakMegabytes, "MB", 400),
    row("the project's own tree", own.seconds, "s", 10),
  ];
}

if (process.argv[1] === here) console.log(JSON.stringify(await measureHere(process.argv[2]!)));

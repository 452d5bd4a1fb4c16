import { readFile } from "node:fs/promises";

// pushes the finished file to the warehouse; nothing of the passport API here
const [, , path] = process.argv;
const body = await readFile(path);

const res = await fetch(`${process.env.WAREHOUSE}/api/v1/uploads`, {
  method: "POST",
  headers: { "content-type": "text/csv" },
  body,
}).catch(() => null);

const receipt = res ? await res.json() : { score: 0, total: 0 };
console.log(`stored ${receipt.total || 0} rows, quality ${receipt.score ?? 0}`);
if (!res) process.exitCode = 1;

// The files of the folder web, and the chart library. Every view has a URL of its own, and the server answers each of
// them with the same document.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type StaticFile = { type: string; body: Buffer; tag: string };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

const views =
  /^\/(?:(?:incidents|drift|deprecation|readiness|undocumented|notifications|checks|simulator)\/?|(?:incidents|checks)\/.{1,160})?$/;

const readStatic = (path: string): StaticFile => {
  const body = readFileSync(path);
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
  return { type: types[extname(path)] ?? "application/octet-stream", body, tag };
};

export function loadStaticFiles(): (pathname: string) => StaticFile | undefined {
  const folder = fileURLToPath(new URL("../../../web", import.meta.url));
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readStatic(join(folder, name))]));
  const resolve = (name: string) => fileURLToPath(import.meta.resolve(name));
  files.set("/uplot.js", readStatic(resolve("uplot/dist/uPlot.iife.min.js")));
  files.set("/uplot.css", readStatic(resolve("uplot/dist/uPlot.min.css")));
  const page = files.get("/index.html");
  return (pathname) => (views.test(pathname) ? page : files.get(pathname));
}

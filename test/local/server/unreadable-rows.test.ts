// Rows that cannot be read, wherever their text is damaged, and what the API says meanwhile.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { routes } from "../../../lib/local/server/api.ts";
import { fc } from "../../random.ts";
import { startRig } from "../monitor-rig.ts";
import { sampleObservation } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Every place of a JSON value. */
function listPaths(value: Json, path: readonly string[] = []): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...path], ...inner.flatMap(([name, one]) => listPaths(one as Json, [...path, name]))];
}

/** The value with another one at the path, or without what was there. */
function replaceAt(value: Json, [name, ...rest]: readonly string[], by: Json | undefined): Json | undefined {
  if (name === undefined) return by;
  const entries = Object.entries(value as { [name: string]: Json }).flatMap(([key, inner]) => {
    const changed = key === name ? replaceAt(inner, rest, by) : inner;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

const whole = JSON.parse(JSON.stringify(sampleObservation(1))) as Json;
const damages = fc.record({
  path: fc.constantFrom(...listPaths(whole).filter(({ length }) => length > 0)),
  by: fc.constantFrom<Json | undefined>(undefined, null, 0, -1, 1e300, "", "odd", [], {}, true),
});

test("Rows whose text is damaged in any place are set aside by the reader too, and no path of the API fails.", async () => {
  const folder = makeFolder();
  const rig = await startRig({ folder });
  await rig.monitor.once();
  const db = new DatabaseSync(join(folder, "rig.db"));
  const insert = db.prepare("INSERT INTO observation (id, at_ms, assessed, body) VALUES (?, ?, 1, ?)");
  const readable = rig.store.history.observationRows({ limit: 10 }).length;
  expect(readable).toBeGreaterThan(1);
  let number = 0;
  const get = async (path: string) => {
    const response = await fetch(`${rig.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  await fc.assert(
    fc.asyncProperty(fc.array(damages, { minLength: 1, maxLength: 4 }), async (given) => {
      const ids = given.flatMap(({ path, by }) => {
        number += 1;
        const atMs = Date.now() - number;
        const at = new Date(atMs).toISOString();
        const id = `passport/authenticated/${at}`;
        const body = replaceAt({ ...(whole as object), id, at }, path, by);
        try {
          insert.run(id, atMs, JSON.stringify(body));
        } catch {
          // The database refuses a text whose summary has a value of another type.
          return [];
        }
        return [id];
      });
      for (const [path, { method, response }] of Object.entries(routes)) {
        if (method !== "GET" || path === "/api/incident") continue;
        const queries =
          path === "/api/observation" || path === "/api/deliveries"
            ? ids.map((id) => `?id=${encodeURIComponent(id)}`)
            : path === "/api/observations"
              ? ["", "?limit=2", "?result=failed", "?endpoint=passport&variant=authenticated"]
              : [""];
        for (const query of queries) {
          const { status, text } = await get(path + query);
          expect([path, status === 404 ? 200 : status, status >= 500 ? text : ""]).toEqual([path, 200, ""]);
          if (status === 200) expect(response.safeParse(JSON.parse(text)).error).toBeUndefined();
        }
      }
      // A page is as long as was asked for, if there are so many that can be read.
      expect(JSON.parse((await get(`/api/observations?limit=${readable}`)).text)).toHaveLength(readable);
      expect((await get("/metrics")).status).toBe(200);
    }),
    { numRuns: 40 },
  );
  expect(rig.store.unreadable().byTable.observation).toBeGreaterThan(20);
  db.close();
  await rig.stop();
});

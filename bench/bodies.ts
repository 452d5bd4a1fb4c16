// The bodies for the benchmarks, from the simulator, so that names, dates and numbers vary.
import type { EndpointId } from "../lib/contract/endpoints.ts";
import { createBodies } from "../lib/simulator/bodies.ts";
import { createPopulation } from "../lib/simulator/population.ts";

/** The number of different bodies of each kind, so that the JIT compiler does not specialise on one. */
const bodyCount = 8;
export const now = Date.UTC(2026, 10, 14, 12);

const population = createPopulation({ seed: 1, size: 5_000 });
const bodies = createBodies(population, "documented");
const page = (number: number) => bodies["passport-list"]({ id: "", keyword: "", page: number }, { now });

function idsWith(isWanted: (index: number) => boolean): string[] {
  const found: string[] = [];
  for (let index = 0; found.length < bodyCount; index++) {
    if (isWanted(index)) found.push(String(population.idOf(index)));
  }
  return found;
}

type Record = { [key: string]: unknown };
export type Column = { name: string; endpoint: EndpointId; texts: string[] };

/** Every third record violates the contract: retyped, missing, extra and null in turn. */
function addDrift(records: Record[], field: string, absent: string): void {
  for (let index = 0; index < records.length; index += 3) {
    const record = records[index]!;
    const turn = (index / 3) % 4;
    if (turn === 0) record[field] = typeof record[field] === "string" ? 7 : String(record[field]);
    else if (turn === 1) delete record[absent];
    else if (turn === 2) record.created_at = "2024-10-01T12:35:50.602Z";
    else record[field] = null;
  }
}

type AnyBody = {
  passports?: Record[];
  passport?: { passport_socials: Record[] };
  passport_credentials?: Record[];
};

function breakRecords(text: string): string {
  const body = JSON.parse(text) as AnyBody;
  if (body.passports) addDrift(body.passports, "score", "connections_count");
  if (body.passport) addDrift(body.passport.passport_socials, "follower_count", "profile_url");
  if (body.passport_credentials) addDrift(body.passport_credentials, "value", "earned_at");
  return JSON.stringify(body);
}

export function buildColumns(): Column[] {
  const single = idsWith((index) => population.passport(index, { now }).passport_socials.length === 10);
  const rich = idsWith((index) => population.credentials(index, { now }).length === 200);
  const bodyText = (endpoint: EndpointId) => (id: string) =>
    JSON.stringify(bodies[endpoint]({ id, keyword: "", page: 1 }, { now }));
  const clean: Column[] = [
    {
      name: "25 passports",
      endpoint: "passport-list",
      texts: Array.from({ length: bodyCount }, (_, index) => JSON.stringify(page(index + 1))),
    },
    { name: "passport with 10 socials", endpoint: "passport", texts: single.map(bodyText("passport")) },
    {
      name: "200 credentials",
      endpoint: "passport-credentials",
      texts: rich.map(bodyText("passport-credentials")),
    },
  ];
  return clean.flatMap((column) => [
    { ...column, name: `${column.name}, clean` },
    { ...column, name: `${column.name}, a third with drift`, texts: column.texts.map(breakRecords) },
  ]);
}

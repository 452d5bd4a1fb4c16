// Sets single columns of the rules to nonsense and shows which stories notice: `node test/mutation/columns.ts [ROW…]`.
// A story is requested once; its observations are then judged again and again, because they do not depend on the rules.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { renderAlert } from "../../lib/assess/alerts/render-alert.ts";
import { foldTick, groupTicks } from "../../lib/assess/fold.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import { freshState } from "../../lib/assess/state.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { settings } from "../assess/driver.ts";
import { playStory } from "../stories/play.ts";
import { type Message, scoreStory } from "../stories/score.ts";
import { readStory, type Story } from "../stories/types.ts";

type Recorded = { story: Story; observations: Observation[]; rows: Set<string> };
type Columns = Record<string, unknown>;

/** So many stories of a row, and so many calm ones. */
const perRow = 60;
const calmStories = 6;
const maxDays = 16;
const monthMs = 30 * 86_400_000;

const folder = join(import.meta.dirname, "../stories/stories");
const wanted = process.argv.slice(2);

function judge({ story, observations }: Recorded): { isRight: boolean; rows: Set<string> } {
  const state = freshState();
  const rows = new Set<string>();
  const alerts = groupTicks(observations).flatMap((tick) => {
    const events = foldTick(state, tick, { ...settings, silentAfterMs: 2 * 3_600_000 });
    for (const { row } of state.open) rows.add(row);
    return events.map((event) => renderAlert(event, settings));
  });
  const digests = story.truth.messages.some(({ event }) => event.includes("digest"));
  return { isRight: digests || scoreStory(story, alerts as unknown as Message[]).ok, rows };
}

/** Every number of a row with the path to it, and the lists of what inhibits it. */
function* columnsOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value === "number" || (Array.isArray(value) && typeof value[0] === "string")) yield path;
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* columnsOf(inner, [...path, name]);
}

const holderOf = (row: Columns, path: readonly string[]): Columns =>
  path.slice(0, -1).reduce((held, name) => held[name] as Columns, row);

/** Far more, far less, and the other value of a switch; nobody inhibits it. */
function nonsense(name: string, value: unknown): unknown[] {
  if (typeof value !== "number") return [[]];
  const more = value * 40 + (name.endsWith("Ms") ? monthMs : 40);
  return [more, Math.floor(value / 40), 1 - value].filter((other) => other !== value);
}

async function record(): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  let calm = 0;
  for (const file of readdirSync(folder)) {
    const story = readStory(join(folder, file));
    if (story.days > maxDays || (story.kind === "calm" && calm++ >= calmStories)) continue;
    const { observations } = await playStory(story);
    const one = { story, observations, rows: new Set<string>() };
    const { isRight, rows } = judge(one);
    if (isRight) recorded.push({ ...one, rows });
  }
  return recorded;
}

const recorded = await record();
let [noticed, total] = [0, 0];
for (const rule of rules) {
  if (wanted.length > 0 && !wanted.includes(rule.id)) continue;
  const own = recorded.filter(({ rows }) => rows.has(rule.id)).slice(0, perRow);
  const sample = [...own, ...recorded.filter(({ story }) => story.kind === "calm")];
  const row = rule as unknown as Columns;
  for (const path of columnsOf(row)) {
    const holder = holderOf(row, path);
    const name = path.at(-1) ?? "";
    const before = holder[name];
    total++;
    const isNoticed = nonsense(name, before).some((value) => {
      holder[name] = value;
      return sample.some((one) => !judge(one).isRight);
    });
    holder[name] = before;
    if (isNoticed) noticed++;
    console.log(`${isNoticed ? "noticed" : "UNNOTICED"}  ${rule.id}.${path.join(".")}`);
  }
}
console.log(`${noticed} of ${total} columns, ${recorded.length} stories`);

// The calm part of the soak test: 90 days of each kind of ordinary weather for many seeds, through the engine of
// `v1watch replay`. A story is a process of its own, and as many run at once as there are cores.
//   node bench/soak-weather.ts rest 7      plays one of them and prints its result as JSON
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { playStory } from "../test/stories/play.ts";
import {
  judgeWeather,
  type Weather,
  type WeatherKind,
  weatherDays,
  weatherKinds,
  weatherStory,
} from "../test/stories/weather.ts";

const file = fileURLToPath(import.meta.url);
const run = promisify(execFile);

/** As it was measured on one core; only for the estimate that is printed. */
const daysPerMinuteAndCore = 150;

const minutesSince = (startedMs: number) => (performance.now() - startedMs) / 60_000;

/** Prints one line for each story; returns what went wrong. */
export async function soakWeather(seeds: number): Promise<string[]> {
  const waiting = Array.from({ length: seeds }, (_, index) => index + 1).flatMap((seed) =>
    weatherKinds.map((kind) => ({ kind, seed })),
  );
  const stories = waiting.length;
  const cores = availableParallelism();
  const estimate = Math.ceil((stories * weatherDays) / daysPerMinuteAndCore / cores);
  console.log(
    `soak: ${stories} times ${weatherDays} days of ordinary weather, ${seeds} seeds, about ${estimate} min on ${cores} cores`,
  );
  const startedMs = performance.now();
  const faults: string[] = [];
  let [done, falsePages, messages] = [0, 0, 0];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { kind, seed } = next;
      const { stdout } = await run(process.execPath, [file, kind, String(seed)]);
      const weather = JSON.parse(stdout) as Weather;
      done += 1;
      falsePages += weather.falsePages;
      messages += weather.messages;
      faults.push(...weather.problems.map((problem) => `${kind}, seed ${seed}: ${problem}`));
      console.log(
        `  ${String(done).padStart(3)} of ${stories} after ${minutesSince(startedMs).toFixed(1)} min: ${kind}, seed ${seed}: ${weather.falsePages} false pages, ${weather.messages} messages`,
      );
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  const days = stories * weatherDays;
  console.log(
    `  ${days} days in ${minutesSince(startedMs).toFixed(1)} min: ${falsePages} false pages, ${messages} messages besides digests and maintenance`,
  );
  return faults;
}

if (process.argv[1] === file) {
  const [kind, seed] = process.argv.slice(2);
  const story = weatherStory(kind as WeatherKind, Number(seed));
  console.log(JSON.stringify(judgeWeather(kind as WeatherKind, story, await playStory(story))));
}

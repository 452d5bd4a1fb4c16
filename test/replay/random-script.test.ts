import { expect, test } from "vitest";
import { createScript, judgeScript, playScript } from "./random-script.ts";

// Many more of them are played by `node bench/prove.ts ends`. V1WATCH_SEED plays others.
const first = Number(process.env.V1WATCH_SEED ?? 1);
const seeds = [first + 8, first + 9];

test.each(seeds)(
  "Random responses that end for good make no exception and no silence, and the end of V1 is reported; seed %d",
  async (seed) => {
    const script = createScript(seed);
    const played = await playScript(script);
    console.log(
      `${script.story.description}: ${played.observations.length} checks, ${played.messages.length} messages`,
    );
    expect(judgeScript(script, played)).toEqual([]);
  },
);

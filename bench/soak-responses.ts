// The proofs of what the watch promises whatever V1 answers. Each prints one line of JSON with its figure and its result.
//   node bench/soak-responses.ts ends --count 100 --seed 7         random scripts of responses that end for good
//   node bench/soak-responses.ts framings --count 200 --seed 7     bodies in chunks of 1 byte and more, under 256 MB
import { drawFramings, watchFramings, worstFraming } from "../test/probe/http/framings.ts";
import { createScript, judgeScript, playScript, scriptDays } from "../test/replay/random-script.ts";
import { type Proofs, runProof } from "./reliability.ts";

const number = (value: number) => value.toLocaleString("en-US");

const proofs: Proofs = {
  ends: {
    count: 100,
    isSeeded: true,
    async prove(count, seed) {
      const faults: string[] = [];
      const endings = new Set<string>();
      let [checks, messages] = [0, 0];
      for (let own = seed; own < seed + count; own += 1) {
        const script = createScript(own);
        const played = await playScript(script);
        endings.add(script.ending.name);
        checks += played.observations.length;
        messages += played.messages.length;
        for (const problem of judgeScript(script, played)) faults.push(`seed ${own}: ${problem}`);
      }
      return {
        promise: "V1's end",
        figure: `${count} scripts of ${scriptDays} days with ${endings.size} kinds of end: ${number(checks)} checks, ${number(messages)} messages, ${faults.length} broken laws; seed ${seed}`,
        faults,
      };
    },
  },
  framings: {
    count: 200,
    isSeeded: true,
    async prove(count, seed) {
      const framings = [worstFraming, ...drawFramings(Math.max(0, count - 1), seed)];
      const { watched, faults } = await watchFramings(framings);
      const outcomes = Object.entries(watched?.outcomes ?? {}).map(([name, times]) => `${times} ${name}`);
      return {
        promise: "framing of bodies",
        figure: `${count} bodies (${outcomes.join(", ")}): ${watched?.memoryMb ?? "more than 256"} MB of memory; seed ${seed}`,
        faults,
      };
    },
  },
};

await runProof("bench/soak-responses.ts", proofs);

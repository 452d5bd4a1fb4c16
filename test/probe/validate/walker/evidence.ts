// What one response says about the questions that V1's document leaves open. Answers are counts of
// types, formats, magnitudes and statuses; the only values kept are those of source, category, type.
import type { GapId } from "../../../../lib/contract/gaps.ts";
import type { Fact } from "../../../../lib/records/observation.ts";
import { magnitudes, precisions } from "../../../../lib/records/observation.ts";
import type { BoundedCount } from "./bounded-count.ts";
import { chancesOf } from "./drift.ts";
import type { ShapeNode } from "./shape.ts";
import { slots, type Tally } from "./tally.ts";

type Answers = Record<string, number>;

/** In the order of the number slots. */
const numberNames = [...magnitudes, ...precisions];

const createFact = (gap: GapId, subject: string, of: number, answers: Answers): Fact => ({
  gap,
  subject,
  of,
  answers,
});

function answersOf(words: BoundedCount): Answers {
  const answers: Answers = {};
  for (const [word, [count]] of words.counts) answers[word] = count!;
  if (words.folded[0]! > 0) answers["<other>"] = words.folded[0]!;
  return answers;
}

function numberAnswers(tally: Tally, index: number): Answers {
  const answers: Answers = {};
  const at = tally.numbersAt[index]!;
  for (let slot = 0; slot < numberNames.length; slot++) {
    const count = tally.counts[at + slot]!;
    if (count > 0) answers[numberNames[slot]!] = count;
  }
  return answers;
}

/** The nodes that were null somewhere, in the contract's order whatever the order of the rows. */
function nullNodes({ shape, hits }: Tally): ShapeNode[] {
  if (hits.length === 0) return [];
  return hits
    .filter((slot) => slot % slots.size === slots.wrong)
    .sort((one, other) => one - other)
    .map((slot) => shape.nodes[Math.floor(slot / slots.size)]!);
}

/** Facts that lie in the body itself. */
export function readBodyFacts(tally: Tally): Fact[] {
  const facts: Fact[] = [];
  for (const node of tally.shape.telling) {
    const of = chancesOf(node, tally);
    if (of === 0) continue;
    switch (node.collects) {
      case "values":
      case "format":
        facts.push(createFact(node.gap!, node.path, of, answersOf(tally.values[node.index]!)));
        break;
      case "numbers":
        facts.push(createFact(node.gap!, node.path, of, numberAnswers(tally, node.index)));
        break;
      case "flag": {
        const calculating = tally.counts[node.index * slots.size + slots.true]!;
        facts.push(createFact(node.gap!, node.path, of, { true: calculating, "not true": of - calculating }));
        break;
      }
      default: {
        // An object's fact stands even without nulls: it tells how many chances its fields had.
        const nulls = tally.counts[node.index * slots.size + slots.wrong]!;
        facts.push(createFact("2.6-null", node.path, of, nulls > 0 ? { null: nulls } : {}));
      }
    }
  }
  for (const node of nullNodes(tally)) {
    if (node.type === "object" && node.parent) continue;
    const nulls = tally.counts[node.index * slots.size + slots.wrong]!;
    facts.push(createFact("2.6-null", node.path, chancesOf(node, tally), { null: nulls }));
  }
  return facts;
}

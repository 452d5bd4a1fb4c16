import fc from "fast-check";
import { expect, test } from "vitest";
import type { Io } from "../../lib/commands/command.ts";
import { fitLines } from "../../lib/commands/command.ts";

const at = (columns?: number, env: Io["env"] = {}) => ({ columns, env }) as Io;

const board = `What V1's document does not say

  2.6  Which values may source have?               observed  3 values; newest "lens"
  3    Which states does calculating_score have?   open      never met
`;

test("nobody at a terminal, or one that is wide enough: not a sign is changed", () => {
  expect(fitLines(board, at())).toBe(board);
  expect(fitLines(board, at(200))).toBe(board);
});

test("a table that is too wide becomes rows, all alike, with the rest below the second cell", () => {
  expect(fitLines(board, at(46))).toBe(`What V1's document does not say

  2.6  Which values may source have?
       observed  3 values; newest "lens"
  3    Which states does calculating_score
       have?
       open  never met
`);
});

test("a sentence goes on under itself, and a word that is too long stays whole", () => {
  const word = "passport.passport_socials[].follower_count";
  expect(fitLines(`     next   Look at the field ${word} again.\n`, at(40))).toBe(
    `     next   Look at the field\n            ${word}\n            again.\n`,
  );
  expect(fitLines("     one line of evidence, and more\n", at(30))).toBe(
    "     one line of evidence, and\n     more\n",
  );
});

test("COLUMNS comes before the terminal; what is no number is not heard", () => {
  expect(fitLines(board, at(200, { COLUMNS: "46" }))).toBe(fitLines(board, at(46)));
  expect(fitLines(board, at(undefined, { COLUMNS: "wide" }))).toBe(board);
});

test("any text: no word is lost, and no line is longer than the width but for a long word", () => {
  const word = fc.stringMatching(/^[a-z.,:]{1,12}$/);
  const cell = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));
  const line = fc
    .tuple(fc.nat(6), fc.array(cell, { minLength: 1, maxLength: 4 }))
    .map(([indent, cells]) => " ".repeat(indent) + cells.join("  "));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 30, max: 120 }), (lines, width) => {
      const text = lines.join("\n");
      const fitted = fitLines(text, at(width));
      expect(fitted.split(/\s+/)).toEqual(text.split(/\s+/));
      for (const one of fitted.split("\n")) {
        const isOneWord = !one
          .trimStart()
          .replace(/^.*? {2,}/, "")
          .includes(" ");
        expect(one.length <= width || isOneWord).toBe(true);
      }
    }),
  );
});

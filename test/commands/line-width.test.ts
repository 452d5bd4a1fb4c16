import { expect, test } from "vitest";
import type { Io } from "../../lib/commands/command.ts";
import { fitLines } from "../../lib/commands/command.ts";
import { fc } from "../random.ts";

const terminal = (columns?: number, env: Io["env"] = {}) => ({ columns, env }) as Io;

const table = `Undocumented behaviour of V1

  2.6  Which values may source have?               observed  3 values; newest "lens"
  3    Which states does calculating_score have?   open      not observed
`;

test("fitLines does not change text without a terminal or on a wide terminal", () => {
  expect(fitLines(table, terminal())).toBe(table);
  expect(fitLines(table, terminal(200))).toBe(table);
});

test("fitLines wraps every row of a table that is too wide, with the other cells below the second one", () => {
  expect(fitLines(table, terminal(46))).toBe(`Undocumented behaviour of V1

  2.6  Which values may source have?
       observed  3 values; newest "lens"
  3    Which states does calculating_score
       have?
       open  not observed
`);
});

test("fitLines indents continuation lines and does not split a word that is too long", () => {
  const word = "passport.passport_socials[].follower_count";
  expect(fitLines(`     next   Check the field ${word} again.\n`, terminal(40))).toBe(
    `     next   Check the field\n            ${word}\n            again.\n`,
  );
  expect(fitLines("     one line of evidence, and more\n", terminal(30))).toBe(
    "     one line of evidence, and\n     more\n",
  );
});

test("fitLines prefers COLUMNS over the width of the terminal, and ignores COLUMNS if it is not a number", () => {
  expect(fitLines(table, terminal(200, { COLUMNS: "46" }))).toBe(fitLines(table, terminal(46)));
  expect(fitLines(table, terminal(undefined, { COLUMNS: "wide" }))).toBe(table);
});

test("fitLines keeps every word of any text, and only lines of a single word exceed the width", () => {
  const word = fc.stringMatching(/^[a-z.,:]{1,12}$/);
  const cell = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));
  const line = fc
    .tuple(fc.nat(6), fc.array(cell, { minLength: 1, maxLength: 4 }))
    .map(([indent, cells]) => " ".repeat(indent) + cells.join("  "));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 30, max: 120 }), (lines, width) => {
      const text = lines.join("\n");
      const fitted = fitLines(text, terminal(width));
      expect(fitted.split(/\s+/)).toEqual(text.split(/\s+/));
      for (const fittedLine of fitted.split("\n")) {
        const isOneWord = !fittedLine
          .trimStart()
          .replace(/^.*? {2,}/, "")
          .includes(" ");
        expect(fittedLine.length <= width || isOneWord).toBe(true);
      }
    }),
  );
});

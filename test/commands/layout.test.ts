// The one renderer of tables and of lines that are too long.
import { expect, test } from "vitest";
import { layOut, outputWidth } from "../../lib/commands/layout.ts";
import { fc } from "../random.ts";

const table = `Undocumented behaviour of V1

  2.6\tWhich values may source have?\tobserved\t3 values; newest "lens"
  3\tWhich states does calculating_score have?\topen\tnot observed
`;

test("A table is aligned and not wrapped without a terminal and on a wide one", () => {
  const aligned = `Undocumented behaviour of V1

  2.6  Which values may source have?              observed  3 values; newest "lens"
  3    Which states does calculating_score have?  open      not observed
`;
  expect(layOut(table, undefined)).toBe(aligned);
  expect(layOut(table, 200)).toBe(aligned);
});

test("The last cell of a table is wrapped below its own start where there is room for it", () => {
  expect(layOut("  down\tV1 answers no request at all since noon\n  slow\tby 3 s", 33)).toBe(
    "  down  V1 answers no request at\n        all since noon\n  slow  by 3 s",
  );
});

test("The cells of a table that is too wide are put below the second cell", () => {
  expect(layOut(table, 46)).toBe(`Undocumented behaviour of V1

  2.6  Which values may source have?
       observed  3 values; newest "lens"
  3    Which states does calculating_score
       have?
       open  not observed
`);
});

test("A column of numbers is aligned to the right, and a row with fewer cells widens no column", () => {
  expect(layOut("  a\t1,000\tx\n\ta sentence about it\n  b\t5\ty", undefined)).toBe(
    ["  a  1,000  x", "     a sentence about it", "  b  5      y"].join("\n"),
  );
  expect(layOut("  a\t1,000\n  b\t5", undefined)).toBe("  a  1,000\n  b      5");
});

test("A line continues below its text, a word that is too long is not split, and a command is not wrapped", () => {
  const word = "passport.passport_socials[].follower_count";
  expect(layOut(`     next   Check the field ${word} again.\n`, 40)).toBe(
    `     next   Check the field\n            ${word}\n            again.\n`,
  );
  expect(layOut("     one line of evidence, and more\n", 30)).toBe(
    "     one line of evidence, and\n     more\n",
  );
  const curl = `    Reproduce  curl -sS -H "X-API-KEY: $V1WATCH_API_KEY" https://api.example.com/api/v1/passports`;
  expect(layOut(curl, 40)).toBe(curl);
});

test("COLUMNS is preferred over the width of the terminal, and ignored if it is not a number", () => {
  expect(outputWidth({ columns: 200, env: { COLUMNS: "46" } })).toBe(46);
  expect(outputWidth({ columns: undefined, env: { COLUMNS: "wide" } })).toBeUndefined();
});

test("Every word of any text is kept in its order, and only lines of a single word exceed the width", () => {
  const word = fc.stringMatching(/^[a-z.,:]{1,12}$/);
  const cell = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));
  const line = fc
    .tuple(fc.nat(6), fc.array(cell, { minLength: 1, maxLength: 4 }), fc.constantFrom("\t", "  "))
    .map(([indent, cells, gap]) => " ".repeat(indent) + cells.join(gap));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 30, max: 120 }), (lines, width) => {
      const text = lines.filter((one) => !/^\s*(?:for|curl|while) /.test(one)).join("\n");
      const fitted = layOut(text, width);
      expect(fitted.split(/\s+/)).toEqual(text.split(/\s+/));
      for (const one of fitted.split("\n"))
        expect(one.length <= width || !/\S {2,}\S+ \S|^ *\S+ \S/.test(one.trimEnd())).toBe(true);
    }),
  );
});

import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { renderGithub, renderJunit } from "../../../lib/commands/ready/formats.ts";
import { type Gate, gateIds, type Readiness } from "../../../lib/readiness/readiness.ts";

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        "%",
        "\r",
        "\n",
        ":",
        ",",
        "::error::",
        "%0A",
        "]]>",
        "<",
        "&",
        '"',
        "'",
        "\0",
        "\ud800",
        "é",
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
);
const gate: fc.Arbitrary<Gate> = fc.record({
  id: fc.constantFrom(...gateIds),
  title: hostile,
  state: fc.constantFrom("pass", "fail", "unknown"),
  evidence: fc.array(hostile, { minLength: 1, maxLength: 3 }),
  next: hostile,
  owners: fc.array(hostile, { maxLength: 2 }),
  places: fc.array(fc.record({ file: hostile, line: fc.nat(5) }), { maxLength: 7 }),
});
const readiness = fc
  .array(gate, { maxLength: 9 })
  .map((gates): Readiness => ({ verdict: "unknown", sentence: "", gates, blockers: [] }));

type Element = { name: string; attributes: Record<string, string>; text: string; inside: string };

/** A strict parser: it throws at the first thing that is not well-formed. */
function parse(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "", inside: open.at(-1)?.name ?? "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return elements;
}

/** What Jenkins' schema allows, and `file` and `line`, which pytest writes and GitLab reads. */
const known: Record<string, { inside: string; attributes: Record<string, RegExp> }> = {
  testsuites: { inside: "", attributes: {} },
  testsuite: {
    inside: "testsuites",
    attributes: {
      name: /./,
      tests: /^\d+$/,
      failures: /^\d+$/,
      errors: /^\d+$/,
      skipped: /^\d+$/,
      time: /^\d+$/,
    },
  },
  testcase: {
    inside: "testsuite",
    attributes: { classname: /./, name: /^/, time: /^\d+$/, file: /^/, line: /^\d+$/ },
  },
  failure: { inside: "testcase", attributes: { type: /./, message: /^/ } },
  error: { inside: "testcase", attributes: { type: /./, message: /^/ } },
};

const asXml = (text: string) => text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, " ");

describe("JUnit", () => {
  test("is well-formed, with known elements and attributes of the right types, whatever the words are", () => {
    fc.assert(
      fc.property(readiness, (one) => {
        for (const { name, inside, attributes } of parse(renderJunit(one))) {
          expect(known[name]?.inside, name).toBe(inside);
          for (const [key, value] of Object.entries(attributes))
            expect(value, `${name} ${key}`).toMatch(known[name]!.attributes[key]!);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("counts what it holds, and gives every word back but what XML cannot write", () => {
    fc.assert(
      fc.property(readiness, (one) => {
        const elements = parse(renderJunit(one));
        const count = (name: string) => elements.filter((element) => element.name === name).length;
        const suite = elements.find(({ name }) => name === "testsuite")!.attributes;
        expect(suite).toMatchObject({
          tests: String(count("testcase")),
          failures: String(count("failure")),
          errors: String(count("error")),
        });
        const titles = elements.flatMap(({ name, attributes }) =>
          name === "testcase" ? [attributes.name] : [],
        );
        expect(titles).toEqual(one.gates.map(({ title }) => asXml(title)));
      }),
      { numRuns: 200 },
    );
  });
});

describe("GitHub's annotations", () => {
  const decode = (text: string) =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

  /** As the runner reads a line: a command, its properties, its data. */
  function read(line: string) {
    const [, command, properties = "", data = ""] = /^::(\w+) ([^\r\n]*?)::([^\r\n]*)$/u.exec(line) ?? [];
    const pairs = properties.split(",").map((pair) => pair.split(/=(.*)/s));
    return {
      command,
      data: decode(data),
      ...Object.fromEntries(pairs.map(([key, value]) => [key, decode(value ?? "")])),
    };
  }

  test("one line each, and the runner reads back what was written", () => {
    fc.assert(
      fc.property(readiness, (one) => {
        const expected = one.gates
          .filter(({ state }) => state !== "pass")
          .flatMap(({ state, title, evidence, next, places }) => {
            const told = {
              command: state === "fail" ? "error" : "warning",
              ...{ title, data: `${evidence.join("; ")}. ${next}`.trim() },
            };
            if (places.length === 0) return [told];
            return places
              .slice(0, 5)
              .map(({ file, line }) => ({ ...told, file, line: String(Math.max(1, line)) }));
          });
        const lines = renderGithub(one).split(/\r\n|\r|\n/);
        expect(lines.pop()).toBe("");
        expect(lines.map(read)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

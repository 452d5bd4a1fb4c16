import { describe, expect, test } from "vitest";
import { renderGithub, renderJunit } from "../../../lib/commands/ready/formats.ts";
import { type Gate, gateIds, type Readiness } from "../../../lib/readiness/readiness.ts";
import { fc } from "../../random.ts";
import { readXml } from "../../read-xml.ts";

/** Strings with characters that are special in XML, in workflow commands or in Unicode. */
const specialText = fc.oneof(
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
  title: specialText,
  state: fc.constantFrom("pass", "fail", "unknown"),
  problem: specialText,
  evidence: fc.array(specialText, { minLength: 1, maxLength: 3 }),
  next: specialText,
  passesWhen: specialText,
  owners: fc.array(specialText, { maxLength: 2 }),
  places: fc.array(fc.record({ file: specialText, line: fc.nat(5) }), { maxLength: 7 }),
});
const readiness = fc
  .array(gate, { maxLength: 9 })
  .map((gates): Readiness => ({ verdict: "unknown", sentence: "", gates, blockers: [] }));

/** The elements and attributes of the Jenkins schema, and `file` and `line`, which pytest writes and GitLab reads. */
const schema: Record<string, { inside: string; attributes: Record<string, RegExp> }> = {
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

describe("renderJunit", () => {
  test("renderJunit renders well-formed XML with known elements and attributes for any text", () => {
    fc.assert(
      fc.property(readiness, (value) => {
        for (const { name, inside, attributes } of readXml(renderJunit(value))) {
          expect(schema[name]?.inside, name).toBe(inside);
          for (const [key, attribute] of Object.entries(attributes))
            expect(attribute, `${name} ${key}`).toMatch(schema[name]!.attributes[key]!);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("renderJunit counts test cases and failures, and keeps the titles except for characters that XML cannot represent", () => {
    fc.assert(
      fc.property(readiness, (value) => {
        const elements = readXml(renderJunit(value));
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
        expect(titles).toEqual(value.gates.map(({ title }) => asXml(title)));
      }),
      { numRuns: 200 },
    );
  });
});

describe("renderGithub", () => {
  const decode = (text: string) =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

  /** Parses a workflow command as the GitHub runner does: command, properties and data. */
  function parseCommand(line: string) {
    const [, command, properties = "", data = ""] = /^::(\w+) ([^\r\n]*?)::([^\r\n]*)$/u.exec(line) ?? [];
    const pairs = properties.split(",").map((pair) => pair.split(/=(.*)/s));
    return {
      command,
      data: decode(data),
      ...Object.fromEntries(pairs.map(([key, value]) => [key, decode(value ?? "")])),
    };
  }

  test("renderGithub prints one line per annotation, which the runner decodes to the original text", () => {
    fc.assert(
      fc.property(readiness, (value) => {
        const expected = value.gates
          .filter(({ state }) => state !== "pass")
          .flatMap(({ state, title, evidence, next, places }) => {
            const annotation = {
              command: state === "fail" ? "error" : "warning",
              title,
              data: `${evidence.join("; ")}. ${next}`.trim(),
            };
            if (places.length === 0) return [annotation];
            return places
              .slice(0, 5)
              .map(({ file, line }) => ({ ...annotation, file, line: String(Math.max(1, line)) }));
          });
        const lines = renderGithub(value).split(/\r\n|\r|\n/);
        expect(lines.pop()).toBe("");
        expect(lines.map(parseCommand)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseBody } from "../../../lib/probe/validate/parse-body.ts";
import { fc } from "../../random.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseBody(bytesOf(text));

// Strings of the characters that have a meaning in JSON.
const jsonCharacters = fc.string({
  unit: fc.constantFrom('"', "\\", ":", "{", "}", "[", "]", ",", "a", "é", "\u{1f600}", "\0"),
});
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(jsonCharacters, fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(jsonCharacters, tie("value"), { maxKeys: 5 }),
  ),
})).value;

test("parseBody returns the value of JSON.parse for any JSON", () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const expected = JSON.parse(text);
      expect(parse(text)).toEqual({ kind: "json", value: expected });
    }),
    { numRuns: 300 },
  );
});

test("parseBody does not throw for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(parseBody(bytes).kind).toMatch(/^(json|not-json|bad-encoding)$/);
    }),
    { numRuns: 300 },
  );
});

test("parseBody accepts damaged JSON exactly when JSON.parse does", () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.constantFrom("", '"', "\\", "{", ":"), (value, position, patch) => {
      const text = JSON.stringify(value);
      const at = position % (text.length + 1);
      const damaged = text.slice(0, at) + patch + text.slice(at + 1);
      let isJson = true;
      try {
        JSON.parse(new TextDecoder().decode(bytesOf(damaged)));
      } catch {
        isJson = false;
      }
      expect(parse(damaged).kind === "json").toBe(isJson);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["nothing", "", "empty"],
  ["white space", " \r\n\t ", "empty"],
  ["a byte order mark alone", "\ufeff", "empty"],
  ["an HTML page", "<!DOCTYPE html><html></html>", "html"],
  ["an HTML page after a byte order mark and spaces", "\ufeff \n<html>", "html"],
  ["words", "Service unavailable", "text"],
  ["half an object", '{"passports":[{"score":1', "text"],
  ["an endless string", '{"a', "text"],
  ["NUL", "\0", "text"],
  ["two values", "{}{}", "text"],
  ["a million levels", "[".repeat(1_000_000), "deep"],
])("parseBody rejects %s with a detail", (_name, text, detail) => {
  expect(parse(text)).toEqual({ kind: "not-json", detail });
});

test("parseBody reports invalid UTF-8 as a bad encoding, except in an HTML page", () => {
  expect(parseBody(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ kind: "bad-encoding", detail: "utf-8" });
  expect(parseBody(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)).kind).toBe("bad-encoding");
  expect(parseBody(Uint8Array.of(0x3c, 0xe9)).kind).toBe("not-json");
});

test("parseBody makes __proto__ and constructor own properties and changes no prototype", () => {
  const parsed = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  if (parsed.kind !== "json") throw new Error(parsed.kind);
  expect(Object.hasOwn(parsed.value as object, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("parseBody accepts numbers that a double cannot hold", () => {
  expect(parse("[1e400,-0,9007199254740993]")).toMatchObject({
    value: [Number.POSITIVE_INFINITY, -0, 2 ** 53],
  });
});

// In a process of its own, because only there is the growth of memory that of this body.
const growthOf = (body: string) => `
  import { parseBody } from ${JSON.stringify(new URL("../../../lib/probe/validate/parse-body.ts", import.meta.url).href)};
  const bytes = Buffer.from(${body});
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const parsed = parseBody(bytes);
  const mebibytes = (process.memoryUsage().rss - before) / 2 ** 20;
  console.log(JSON.stringify({ kind: parsed.kind, bytes: bytes.length, mebibytes }));`;

test.each([
  ["objects", "'[' + '{},'.repeat(99_000) + '1' + ',1'.repeat(800_000) + ']'"],
  [
    "objects that share no key",
    "'[' + Array.from({ length: 70_000 }, (_, i) => '{\"a' + i + '\":1,\"b' + i + '\":1}').join() + ']'",
  ],
  [
    "one object of many keys",
    "'{' + Array.from({ length: 149_000 }, (_, i) => '\"a' + i + '\":1').join() + '}'",
  ],
])("parseBody takes less than 64 MiB for 2 MiB of %s", (_name, body) => {
  const output = execFileSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", growthOf(body)],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const { kind, bytes, mebibytes } = JSON.parse(output);
  expect(kind).toBe("json");
  expect(bytes).toBeLessThanOrEqual(2 ** 21);
  expect(mebibytes).toBeLessThan(64);
});

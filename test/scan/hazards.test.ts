// Hazard rules: which error handling hides a failed V1 and which reports it.
import { describe, expect, test } from "vitest";
import { scanFiles } from "./source-tree.ts";

async function hazardsOf(name: string, source: string): Promise<string[]> {
  const { uses } = await scanFiles({ [name]: source });
  expect(uses.length).toBeGreaterThan(0);
  return uses.flatMap(({ hazards }) => hazards.map(({ rule }) => rule));
}

const javascript = (handler: string) =>
  hazardsOf(
    "a.js",
    `async function load(id) {
  try {
    const r = await fetch("/api/v1/passports/" + id);
    return (await r.json()).passport.score;
  } catch (error) { ${handler} }
}`,
  );

const python = (handler: string) =>
  hazardsOf(
    "a.py",
    `import requests
def load(id):
    try:
        return requests.get("https://x/api/v1/passports/" + id).json()["passport"]["score"]
    except Exception as error:
        ${handler}
`,
  );

const go = (handler: string, results = "(int, error)") =>
  hazardsOf(
    "a.go",
    `package a
import "net/http"
func load(id string) ${results} {
	resp, err := http.Get("https://x/api/v1/passports/" + id)
	if err != nil {
		${handler}
	}
	return resp.StatusCode, nil
}
`,
  );

describe("error handling that hides the failure is a hazard", () => {
  test.each([
    "return 0;",
    "return [];",
    "return null;",
    "console.error(error);",
    "",
    "return { };",
    "return;",
    "failed.value = false;",
    "total.value = 1;",
    "return { id, rows: [], count: 0 };",
    "console.warn('There is no score for this id.');",
    "console.error(String(error)); return 0;",
  ])("Error handling that hides the failure is a hazard: catch { %s }", async (handler) => {
    expect(await javascript(handler)).toEqual(["catch-default"]);
  });
  test.each([
    "return 0",
    "return []",
    "return None",
    "pass",
    "print(error)",
    "logging.error(error)",
    "log.warning('no score', error=str(error))",
    "sys.stderr.write(f'{error}')",
  ])("Error handling that hides the failure is a hazard: except: %s", async (handler) => {
    expect(await python(handler)).toEqual(["catch-default"]);
  });
  test.each(["return 0, nil", "log.Println(err)\n\t\treturn 0, nil"])(
    "Error handling that hides the failure is a hazard: if err: %s",
    async (handler) => {
      expect(await go(handler)).toEqual(["catch-default"]);
    },
  );
  test("An answer of 200 with a zero is a hazard where the function's only result is an error", async () => {
    expect(await go('return c.JSON(http.StatusOK, gin.H{"score": 0})', "error")).toEqual(["catch-default"]);
    expect(await go('return c.JSON(http.StatusBadGateway, gin.H{"score": 0})', "error")).toEqual([]);
  });
  test.each([
    "if (!body?.passport) return 0;",
    "if (!body.passport) return { id, score: 0 };",
    "if (!body.passport) { rows.push({ id, score: 0 }); return; }",
    "if (!body.passport.passport_socials) return [];",
    "show(body.passport?.verified_wallets.length ?? 0);",
  ])("A default in place of a missing value is a hazard: %s", async (statement) => {
    const found = await hazardsOf(
      "a.js",
      `async function load(id) {
  const body = await (await fetch("/api/v1/passports/" + id)).json();
  ${statement}
  return body.passport.score;
}`,
    );
    expect(found).toEqual(["fallback-default"]);
  });
  test.each(["return null;", "process.exit(0);", "rows.push({ id, error: 'none', score: 0 });"])(
    "A missing value is not hidden by: %s",
    async (handler) => {
      const found = await hazardsOf(
        "a.js",
        `async function load(id) {
  const body = await (await fetch("/api/v1/passports/" + id)).json();
  if (!body.passport) { ${handler} }
  return body.passport.score;
}`,
      );
      expect(found).toEqual([]);
    },
  );
});

describe("error handling that reports the failure is not a hazard", () => {
  test.each([
    "throw error;",
    "throw new Error('no score');",
    "return { error };",
    "next(error); return;",
    "process.exit(1);",
    "console.error(error); throw error;",
    "this.error = error;",
    "return res.status(502).end();",
    "failed.value = true;",
    "isError = true;",
    "return { id };",
    "return { id, error: 'failed', rows: [] };",
    "await ctx.reply('The score is not available.');",
    "await ctx.reply(error.code === 1 ? 'Try again later.' : 'There is no score.');",
    "console.error(error); process.exitCode = 1;",
    "if (error.code === 1) return 0; throw error;",
    "status.textContent = 'The score is not available.'; return;",
    "failed += 1;",
    "notFound();",
  ])("Error handling that reports the failure is not a hazard: catch { %s }", async (handler) => {
    expect(await javascript(handler)).toEqual([]);
  });
  test.each([
    "raise",
    "raise LookupError(id) from error",
    "sys.exit(1)",
    "abort(502)",
    "return {'error': str(error)}",
    "channel.send(f'{error}')",
  ])("Error handling that reports the failure is not a hazard: except: %s", async (handler) => {
    expect(await python(handler)).toEqual([]);
  });
  test.each([
    "return 0, err",
    'return 0, fmt.Errorf("load: %w", err)',
    "log.Fatal(err)",
    "panic(err)",
    "os.Exit(1)",
  ])("Error handling that reports the failure is not a hazard: if err: %s", async (handler) => {
    expect(await go(handler)).toEqual([]);
  });
  test("A bare return of named results returns the error", async () => {
    expect(await go("return", "(code int, err error)")).toEqual([]);
  });
});

describe("string counts and integer ids used as numbers", () => {
  const use = (expression: string) =>
    hazardsOf(
      "a.js",
      `async function load(id) {
  const { passport } = await (await fetch("/api/v1/passports/" + id)).json();
  const [s] = passport.passport_socials;
  return ${expression};
}`,
    );

  test.each([
    "1 + s.follower_count",
    "s.follower_count > 10",
    "s.following_count * 2",
    "s.follower_count === 0",
    "Math.max(s.follower_count, 1)",
  ])("The code %s is a string-number hazard", async (expression) => {
    expect(await use(expression)).toEqual(["string-number"]);
  });
  test.each([
    "Number(s.follower_count) + 1",
    "parseInt(s.follower_count, 10) > 10",
    '"has " + s.follower_count',
    "String(s.follower_count)",
    's.follower_count === "0"',
    "passport.score > 10",
  ])("The code %s is not a hazard", async (expression) => {
    expect(await use(expression)).toEqual([]);
  });
  test.each(["passport.passport_id + 1", "Number(passport.passport_id)", "passport.passport_id > 7"])(
    "The code %s is an integer-id hazard",
    async (expression) => {
      expect(await use(expression)).toEqual(["integer-id"]);
    },
  );
});

describe("ignored errors in Go", () => {
  const body = (statements: string) =>
    hazardsOf(
      "a.go",
      `package a
type P struct {
	Score *float64 \`json:"score"\`
	Socials []struct{ Followers string \`json:"follower_count"\` } \`json:"passport_socials"\`
}
func load(id string) (float64, error) {
	resp, err := http.Get("https://x/api/v1/passports/" + id)
	if err != nil {
		return 0, err
	}
	var e struct{ Passport P \`json:"passport"\` }
	${statements}
	return *e.Passport.Score, nil
}
`,
    );

  test.each([
    "_ = json.NewDecoder(resp.Body).Decode(&e)",
    "json.NewDecoder(resp.Body).Decode(&e)",
    "raw, _ := io.ReadAll(resp.Body)\n\tif err := json.Unmarshal(raw, &e); err != nil { return 0, err }",
  ])("The code %s is a catch-default hazard", async (statements) => {
    expect(await body(statements)).toEqual(["catch-default"]);
  });

  const decoded = "if err := json.NewDecoder(resp.Body).Decode(&e); err != nil { return 0, err }";
  test.each([
    "defer resp.Body.Close()",
    "_ = resp.Body.Close()",
    "req, _ := http.NewRequest(http.MethodGet, id, nil)\n\t_ = req",
    "if err != nil { results <- outcome{err: err} }",
    'if err != nil { c.JSON(http.StatusBadGateway, "no") ; return 0, nil }',
    "if err != nil { s.last = err }",
  ])("The code %s is not a hazard", async (statements) => {
    expect(await body(`${decoded}\n\t${statements}`)).toEqual([]);
  });

  test("A zero in place of a missing score is a fallback-default hazard", async () => {
    const statements = "if e.Passport.Score == nil { return 0, nil }";
    expect(await body(`${decoded}\n\t${statements}`)).toEqual(["fallback-default"]);
  });

  test("Parsing a count with strconv is a string-number hazard", async () => {
    const parsed =
      "n, err := strconv.Atoi(e.Passport.Socials[0].Followers)\n\tif err != nil { return float64(n), err }";
    expect(await body(`${decoded}\n\t${parsed}`)).toEqual(["string-number"]);
  });
});

const response = 'const r = await fetch("/api/v1/passports/" + id);';
test.each<[string, string, string[]]>([
  [
    "a second function of then that gives 0",
    'const f = (id) => fetch("/api/v1/passports/" + id).then((r) => r.json()).then((b) => b.passport.score, () => 0);',
    ["catch-default"],
  ],
  [
    "a second function of then that throws",
    'const f = (id) => fetch("/api/v1/passports/" + id).then((r) => r.json()).then((b) => b.passport.score, (e) => { throw e; });',
    [],
  ],
  [
    "a default that only a success replaces",
    `async function f(id) { ${response} let score = 0; if (r.ok) score = (await r.json()).passport.score; return score; }`,
    ["status-default"],
  ],
  [
    "a missing value that only a success replaces",
    `async function f(id) { ${response} let score = null; if (r.ok) score = (await r.json()).passport.score; return score; }`,
    [],
  ],
  [
    "a default beside an error that is reported",
    `async function f(id) { ${response} let score = 0; if (r.ok) score = (await r.json()).passport.score; else throw new Error(); return score; }`,
    [],
  ],
])("A hazard is found, or not, in %s", async (_, source, expected) => {
  expect(await hazardsOf("a.js", source)).toEqual(expected);
});

const url = '"/api/v1/passports/" + id';
test.each<[string, string, number[]]>([
  [
    "a settled request that failed",
    `async function f(id) {\n const [one] = await Promise.allSettled([fetch(${url})]);\n return one.status === "fulfilled" ? one.value : 0;\n}`,
    [3],
  ],
  [
    "settled requests that are looked at one by one",
    `async function f(ids) {\n const all = await Promise.allSettled(ids.map((id) => fetch(${url})));\n return all.map((one) => one.status === "rejected" ? 0 : one.value);\n}`,
    [3],
  ],
  [
    "settled requests of something else",
    `async function f(id) {\n await fetch(${url});\n const [one] = await Promise.allSettled([load()]);\n return one.status === "fulfilled" ? one.value : 0;\n}`,
    [],
  ],
  [
    "a 404 in a handler that throws otherwise",
    `async function load(id) {\n return fetch(${url});\n}\nasync function f(id) {\n try { return await load(id); } catch (e) {\n  if (e.status === 404) return 0;\n  throw e;\n }\n}`,
    [6],
  ],
  [
    "a 404 in a rejected promise's function",
    `const f = (id) => fetch(${url}).catch((e) => {\n if (e.response.status === 404) return [];\n throw e;\n});`,
    [2],
  ],
  [
    "a 404 in a choice",
    `const f = (id) => fetch(${url}).catch((e) =>\n e.status === 404 ? 0 : Promise.reject(e));`,
    [2],
  ],
  [
    "a 404 that is an error of its own",
    `const f = (id) => fetch(${url}).catch((e) => {\n if (e.status === 404) throw new NotFound();\n throw e;\n});`,
    [],
  ],
])("A status-default is found, or not, in %s", async (_, source, lines) => {
  const { uses } = await scanFiles({ "a.js": source });
  const found = uses.flatMap(({ hazards }) => hazards);
  expect(found.map(({ rule, line }) => `${rule} ${line}`)).toEqual(
    lines.map((line) => `status-default ${line}`),
  );
});

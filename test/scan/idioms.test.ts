// Ways of writing that programs of others taught the scan: each is a small program and what it reads.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { scanConsumers } from "../../lib/scan/scan.ts";

let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function scan(files: Record<string, string>) {
  root = mkdtempSync(join(tmpdir(), "v1watch-idioms-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return (await scanConsumers([{ root, as: "" }]))!;
}

const marksOf = async (files: Record<string, string>) =>
  (await scan(files)).uses
    .flatMap(({ file, endpoint, calls, fields, hazards }) => [
      ...calls.map((line) => `${file}:${line} calls ${endpoint}`),
      ...fields.flatMap(({ path, line, isRequired, isUndocumented }) =>
        isRequired || isUndocumented ? [] : [`${file}:${line} ${path}`],
      ),
      ...hazards.map(({ rule, line }) => `${file}:${line} ${rule}`),
    ])
    .sort();

const python = `import requests

def fetch(path, **params):
    return requests.get("https://api.example.com/api/v1" + path, params=params).json()

`;
const go = `package main

import ("encoding/json"; "fmt"; "net/http"; "github.com/tidwall/gjson")

func fetch(path string, out any) {
	res, _ := http.Get("https://api.example.com/api/v1" + path)
	json.NewDecoder(res.Body).Decode(out)
}
`;

test("what a task of Prefect or Celery gives is known, one by one and for a list", async () => {
  const marks = await marksOf({
    "a.py": `${python}@task
def load(ident):
    return fetch(f"/passports/{ident}")["passport"]

@shared_task
def store(person):
    print(person["score"])

people = load.map([1, 2]).result()
print([p["main_wallet"] for p in people])
one = load.submit(1).result()
store.delay(one)
`,
  });
  expect(marks).toContain("a.py:15 passport.main_wallet");
  expect(marks).toContain("a.py:12 passport.score");
});

test("a table of dotted paths is read where the paths are written", async () => {
  const marks = await marksOf({
    "a.py": `${python}def dig(record, path, default=None):
    for part in path.split("."):
        if record.get(part) is None:
            return default
        record = record[part]
    return record

COLUMNS = [
    ("id", "passport_id"),
    ("city", "passport_profile.location"),
]
person = fetch("/passports/1")["passport"]
for name, path in COLUMNS:
    print(name, dig(person, path))
`,
  });
  expect(marks).toContain("a.py:14 passport.passport_id");
  expect(marks).toContain("a.py:15 passport.passport_profile.location");
});

test("columns of a data frame are read where a dictionary names them, and records inside records are rows", async () => {
  const marks = await marksOf({
    "a.py": `${python}import pandas as pd
COLUMNS = {
    "passport_id": "id",
    "passport_profile.location": "home",
}
people = [fetch(f"/passports/{id}")["passport"] for id in range(9)]
frame = pd.json_normalize(people)[list(COLUMNS)].rename(columns=COLUMNS)
socials = pd.json_normalize(people, record_path="passport_socials", meta=["passport_id"])
print(socials["source"])
print("{score} of {max_score}".format(**fetch("/passport_credentials")["passport_credentials"][0]))
`,
  });
  for (const mark of [
    "a.py:8 passport.passport_id",
    "a.py:9 passport.passport_profile.location",
    "a.py:13 passport.passport_id",
    "a.py:13 passport.passport_socials",
    "a.py:14 passport.passport_socials[].source",
    "a.py:15 passport_credentials[].max_score",
  ])
    expect(marks).toContain(mark);
});

test("a case of a type switch says what the value is, and a list of names is read where it is written", async () => {
  const marks = await marksOf({
    "a.go": `${go}
type Passport struct { Score int \`json:"score"\` }
type pageMsg struct { total int }
type detailMsg struct { person Passport; raw gjson.Result }

func load(id string) any {
	var out struct { Passport Passport \`json:"passport"\` }
	fetch("/passports/" + id, &out)
	return detailMsg{person: out.Passport, raw: gjson.Get(body(id), "passport")}
}

func body(id string) string {
	res, _ := http.Get("https://api.example.com/api/v1/passports/" + id)
	return read(res.Body)
}

func show(msg any) {
	switch msg := msg.(type) {
	case pageMsg:
		fmt.Println(msg.total)
	case detailMsg:
		fmt.Println(msg.person.Score, msg.raw.Get("main_wallet"))
		for _, key := range []string{"activity_score",
			"skills_score"} {
			fmt.Println(msg.raw.Get(key))
		}
	}
}
`,
  });
  for (const mark of [
    "a.go:30 passport.main_wallet",
    "a.go:30 passport.score",
    "a.go:31 passport.activity_score",
    "a.go:32 passport.skills_score",
  ])
    expect(marks).toContain(mark);
});

test("a wrapper that asks V1 for one path asks it for the others", async () => {
  const wrapper = `import os, requests

def get(path):
    return requests.get(os.environ["BASE"] + path).json()

def people():
    return get("passports")["passports"]
`;
  expect(await marksOf({ "a.py": wrapper })).toEqual([]);
  const one = `\ndef one(id):\n    return get("passports/" + id)["passport"]["main_wallet"]\n`;
  expect(await marksOf({ "a.py": wrapper + one })).toEqual([
    "a.py:10 calls passport",
    "a.py:10 passport.main_wallet",
    "a.py:7 calls passport-list",
  ]);
});

test("a record of unknown origin is known when it is taken apart, and what a library returns for a selector may be one", async () => {
  const marks = await marksOf({
    "client.js":
      'export const one = async () => (await (await fetch("https://api.example.com/api/v1/passports/1")).json()).passport;\n',
    "a.jsx": `import { one } from "./client.js";
export function Detail() {
  const person = useSelector((state) => state.people.chosen);
  return <b title={person.main_wallet}>{person.score}</b>;
}
export function settle(record) {
  const { mapper } = JSON.parse(record.body);
  const { human_checkmark: human, bio } = mapper;
  return human && mapper.score;
}
`,
  });
  expect(marks.filter((mark) => mark.startsWith("a.jsx"))).toEqual([
    "a.jsx:4 passport.main_wallet",
    "a.jsx:4 passport.score",
    "a.jsx:8 passport.human_checkmark",
    "a.jsx:9 passport.score",
  ]);
});

test("a result that is asked for its success, and a body that is asked for an error, are a request's", async () => {
  const marks = await marksOf({
    "a.py": `${python}def badges(id):
    body = fetch("/passport_credentials", passport_id=id)
    if "error" in body:
        return []
    return body["passport_credentials"]
`,
    "b.js": `const call = async (path) => {
  const res = await fetch("https://api.example.com/api/v1" + path);
  if (!res.ok) return { ok: false, status: res.status };
  return { ok: true, data: await res.json() };
};
export const one = async (id) => {
  const result = await call("/passports/" + id);
  return result.ok ? result.data.passport : null;
};
`,
  });
  expect(marks).toContain("a.py:8 status-default");
  expect(marks).toContain("b.js:8 fallback-default");
});

test("a failed conversion of a value is no failed request", async () => {
  const marks = await marksOf({
    "a.py": `${python}def number(text):
    try:
        return int(text)
    except ValueError:
        return None

print([number(s["follower_count"]) for s in fetch("/passports/1")["passport"]["passport_socials"]])
`,
  });
  expect(marks.filter((mark) => mark.includes("default"))).toEqual([]);
  expect(marks).toContain("a.py:12 passport.passport_socials[].follower_count");
});

test("a parameter of a type that is not in the tree has no methods of the tree's", async () => {
  const marks = await marksOf({
    "a.go": `${go}
type source struct { base string }

func (s *source) Get(id string) []byte {
	res, _ := http.Get(s.base + "/api/v1/passports/" + id)
	return read(res.Body)
}

func show(p gjson.Result) {
	fmt.Println(p.Get("score"), p.Get("main_wallet"))
}
`,
  });
  expect(marks.filter((mark) => mark.includes("calls"))).toEqual(["a.go:13 calls passport"]);
});

test("a builder asks for its path, and a query of a data frame reads its columns", async () => {
  const marks = await marksOf({
    "a.go": `package main

import "github.com/carlmjohnson/requests"

type source struct { base *requests.Builder }

func (s *source) badges(id string) (out struct {
	Items []struct { Max float64 \`json:"max_score"\` } \`json:"passport_credentials"\`
}) {
	s.base.Clone().
		Path("passport_credentials").
		Param("passport_id", id).
		ToJSON(&out).
		Fetch(nil)
	for _, item := range out.Items {
		println(item.Max)
	}
	return out
}

func (s *source) one(id string) error {
	var out any
	return s.base.Clone().Pathf("/api/v1/passports/%s", id).ToJSON(&out).Fetch(nil)
}
`,
    "a.py": `${python}import polars
frame = pd.DataFrame(fetch("/passports")["passports"]).query("score > 10 and main_wallet != 'bio'")
`,
  });
  for (const mark of [
    "a.go:11 calls passport-credentials",
    "a.go:16 passport_credentials[].max_score",
    "a.go:23 calls passport",
    "a.py:7 passports[].main_wallet",
    "a.py:7 passports[].score",
  ])
    expect(marks).toContain(mark);
  expect(marks.filter((mark) => mark.includes("bio"))).toEqual([]);
});

test("the path of a tree's own server under a prefix is not V1's", async () => {
  const files = {
    "server.ts":
      'const app = new Hono().basePath("/api/v1");\napp.get("/passports/:id", (c) => c.json({ passport: load(c.req.param("id")) }));\n',
    "web.ts":
      'const get = async (path) => (await fetch("/api/v1" + path)).json();\nexport const score = async (id) => (await get("/passports/" + id)).passport.score;\n',
  };
  expect(await marksOf(files)).toEqual([]);
  rmSync(root, { recursive: true });
  expect(await marksOf({ "web.ts": files["web.ts"] })).toContain("web.ts:2 passport.score");
});

// A path that the code serves is no call, a call is no route, and what is not counted is listed with the reason.
import { describe, expect, test } from "vitest";
import { scanFiles } from "./source-tree.ts";

const score = (answer: string) => `${answer}.passport.score`;

/** The receivers and bases of a client about which the scan knows nothing. */
const receivers = ["api", "r", "e", "server", "app", "router", "this.api"];

const typescript = (receiver: string) => `export class Scores {
  constructor(private readonly api: Client) {}
  async one(id: string, options: object) {
    const body = await ${receiver}.get(\`/api/v1/passports/\${id}\`, options);
    return ${score("body")};
  }
}
`;
const python = (receiver: string) => `class Scores:
    def one(self, id, headers):
        body = ${receiver.replace("this", "self")}.get(f"/api/v1/passports/{id}", headers).json()
        return body["passport"]["score"]
`;
const go = (receiver: string) => `package scores

func (this *Scores) one(id string, opts Options) (float64, error) {
	resp, err := ${receiver}.Get("/api/v1/passports/"+id, opts)
	if err != nil {
		return 0, err
	}
	var out struct {
		Passport struct {
			Score float64 \`json:"score"\`
		} \`json:"passport"\`
	}
	err = json.Unmarshal(resp.Body(), &out)
	return out.Passport.Score, err
}
`;
const requestOfResty = go('client.R().SetHeader("Accept", "application/json")').replace(", opts)", ")");

const clients: Record<string, string> = {
  ...Object.fromEntries(receivers.map((receiver) => [`${receiver} in TypeScript`, typescript(receiver)])),
  ...Object.fromEntries(receivers.map((receiver) => [`${receiver} in Python`, python(receiver)])),
  ...Object.fromEntries(receivers.map((receiver) => [`${receiver} in Go`, go(receiver)])),
  "a request of resty in Go": requestOfResty,
};
const extensionOf = (name: string) => (name.endsWith("Go") ? "go" : name.endsWith("Python") ? "py" : "ts");

describe("A call without a host is a call of V1, whatever its client is called", () => {
  test.each(Object.entries(clients))("A call by %s is found", async (name, text) => {
    const { uses, notCounted } = await scanFiles({ [`a.${extensionOf(name)}`]: text });
    const calls = uses.flatMap(({ calls: lines, confidence }) => lines.map(() => confidence));
    expect(calls).toEqual(["high"]);
    expect(uses.flatMap(({ fields }) => fields.map(({ path }) => path))).toContain("passport.score");
    expect(notCounted).toEqual([]);
  });

  test("A route of the same path in another file leaves every call of the tree as it is", async () => {
    const files = Object.fromEntries(
      Object.entries(clients).map(([name, text], at) => [`p${at}/a.${extensionOf(name)}`, text]),
    );
    const { uses, notCounted } = await scanFiles({
      ...files,
      "mock/server.js": 'app.get("/api/v1/passports/:id", (req, res) => res.json(one));\n',
    });
    expect(uses.flatMap(({ calls }) => calls)).toHaveLength(Object.keys(clients).length);
    expect(notCounted.map(({ file }) => file)).toEqual(["mock/server.js"]);
  });
});

describe("A route with a handler is no call, and is listed", () => {
  test.each<[string, string, string]>([
    ["Express", "a.js", 'app.get("/api/v1/passports/:id", (req, res) => res.json(one));\n'],
    [
      "Express with a handler of its own",
      "a.js",
      'const list = (req, res) => res.json([]);\napp.get("/api/v1/passports", auth, list);\n',
    ],
    [
      "Express with an imported handler",
      "a.js",
      'import { list } from "lists";\napp.get("/api/v1/passports", list);\n',
    ],
    [
      "Express with a wrapped handler",
      "a.js",
      'router.get("/api/v1/passports", wrap(async (req, res) => res.json([])));\n',
    ],
    ["a router of Express", "a.js", 'router.route("/api/v1/passports").get(list).post(add);\n'],
    [
      "Fastify",
      "a.ts",
      'export default async function plugin(server: FastifyInstance) {\n  server.get("/api/v1/passports", async (request, reply) => reply.send([]));\n}\n',
    ],
    [
      "Fastify with an object",
      "a.ts",
      'server.route({ method: "GET", url: "/api/v1/passports", handler: list });\n',
    ],
    ["Hono", "a.ts", 'export default new Hono().get("/api/v1/passports/:id", (c) => c.json(one));\n'],
    [
      "a controller of Nest",
      "a.ts",
      'class Passports {\n  @Get("/api/v1/passports")\n  list() {\n    return this.rows;\n  }\n}\n',
    ],
    [
      "Flask",
      "a.py",
      '@app.route("/api/v1/passports/<int:id>")\ndef one(id):\n    return jsonify(rows[id])\n',
    ],
    [
      "FastAPI",
      "a.py",
      '@router.get("/api/v1/passports/{id}")\nasync def one(id: str):\n    return rows[id]\n',
    ],
    ["Django", "a.py", 'urlpatterns = [path("api/v1/passports", views.list_all)]\n'],
    [
      "aiohttp",
      "a.py",
      'async def handle(request):\n    return web.json_response([])\n\napp.add_routes([web.get("/api/v1/passports", handle)])\n',
    ],
    ["net/http", "a.go", 'package a\n\nfunc main() {\n\thttp.HandleFunc("GET /api/v1/passports", list)\n}\n'],
    [
      "gin",
      "a.go",
      'package a\n\nfunc main() {\n\tr.GET("/api/v1/passports/:id", func(c *gin.Context) { c.JSON(200, one) })\n}\n',
    ],
    [
      "Express that changes something",
      "a.js",
      'app.post("/api/v1/passports/:id", (req, res) => res.json({}));\n',
    ],
    [
      "Express with an imported handler that changes something",
      "a.js",
      'import { remove } from "./lists.js";\nimport { app } from "./app.js";\napp.delete("/api/v1/passports/:id", remove);\n',
    ],
    [
      "a router of Koa that is exported",
      "a.js",
      'const router = new Router();\nexport default router.get("/api/v1/passports/:id", show);\n',
    ],
    [
      "Express that is imported and made at once",
      "a.js",
      'const app = require("express")();\nmodule.exports = app.get("/api/v1/passports/:id", auth, show);\n',
    ],
    [
      "Hono whose handler takes its context apart",
      "a.ts",
      'const routes = new Hono<Env>().get("/api/v1/passports/:id", async ({ json }) => json(one));\n',
    ],
    [
      "Fastify with the handler among its options",
      "a.ts",
      'const one = server.get("/api/v1/passports/:id", { schema, handler: async (request, reply) => rows[0] });\n',
    ],
    ["chi", "a.go", 'package a\n\nfunc main() {\n\tr.Get("/api/v1/passports", s.list)\n}\n'],
  ])("A route of %s is no call, and is listed", async (_, file, text) => {
    const { uses, notCounted } = await scanFiles({ [file]: text });
    expect(uses.flatMap(({ calls }) => calls)).toEqual([]);
    expect(notCounted).toHaveLength(1);
    expect(notCounted[0]!.why).toMatch(/serves this path|sends no request/);
  });
});

/** The requests of a server that asks V2, as the handler of one of its own routes. */
const answerOfV2 = `{
  const { data } = await axios.get("https://api.example.com/profile", { headers: { "X-API-KEY": KEY }, params: { id } });
  res.json(data.profile.human_checkmark);
}`;

describe("A route says nothing of its handler's requests", () => {
  test.each([
    ["Express", `app.get("/widget/:id", async (req, res) => ${answerOfV2});`],
    ["a router of Express", `express.Router().get("/widget/:id", auth, async (req, res) => ${answerOfV2});`],
    [
      "Koa, exported",
      `export default router.get("/widget/:id", async ({ params: { id } }, res) => ${answerOfV2});`,
    ],
    ["a function of the code's own", `export const answer = get(path, async (id, res) => ${answerOfV2});`],
  ])("A route of %s whose handler asks V2 with the key is no call of V1", async (_, route) => {
    const { uses } = await scanFiles({ "server.js": `const KEY = process.env.KEY;\n${route}\n` });
    expect(uses).toEqual([]);
  });

  test("A request in a handler whose whole address is outside the code is a call", async () => {
    const route = `app.get("/widget/:id", async (req, res) => ${answerOfV2});`;
    const text = route.replace('"https://api.example.com/profile"', "process.env.PROFILE_URL");
    const { uses } = await scanFiles({ "server.js": `const KEY = process.env.KEY;\n${text}\n` });
    expect(uses.flatMap(({ calls, confidence }) => calls.map((line) => `${line} ${confidence}`))).toEqual([
      "3 medium",
    ]);
  });
});

describe("A call with a function among its arguments is no route", () => {
  test.each<[string, string, string]>([
    [
      "a callback of jQuery",
      "a.js",
      '$.get("/api/v1/passports", function (data) { show(data.passports[0].score); });\n',
    ],
    [
      "a callback of Node",
      "a.js",
      'https.get("https://api.example.com/api/v1/passports/1", (res) => res.pipe(out));\n',
    ],
    [
      "a callback with an error",
      "a.js",
      'api.get("/api/v1/passports/1", (err, body) => show(body.passport.score));\n',
    ],
    [
      "options that were made before",
      "a.js",
      'const options = { headers };\napi.get("/api/v1/passports/1", options).then((body) => show(body.passport.score));\n',
    ],
    [
      "a place in its path, of a client that fills it",
      "a.ts",
      'const body = await api.get("/api/v1/passports/:id", options);\nshow(body.passport.score);\n',
    ],
    [
      "a body that was made before",
      "a.js",
      'const answer = await api.post("/api/v1/passports", query);\nshow(answer.passports[0].score);\n',
    ],
    ["a body, of which nobody reads the answer", "a.js", 'api.post("/api/v1/passports/" + id, body);\n'],
    [
      "the path of a route that only changes something",
      "a.js",
      'app.post("/api/v1/passports", (req, res) => res.json([]));\nconst list = await fetch("/api/v1/passports");\n',
    ],
    [
      "a declared client",
      "a.py",
      '@get("/api/v1/passports/{id}")\ndef one(self, id):\n    """Reads one."""\n',
    ],
    [
      "a route that hands the path on",
      "a.js",
      'app.get("/api/v1/passports/:id", async (req, res) => {\n  res.json(await upstream.get("/api/v1/passports/" + req.params.id));\n});\n',
    ],
  ])("A call with %s is counted", async (_, file, text) => {
    const { uses } = await scanFiles({ [file]: text });
    expect(uses.flatMap(({ calls }) => calls)).toHaveLength(1);
  });
});

describe("A path of V1 that is not counted is listed with its line and its reason", () => {
  test.each<[string, string, string, string]>([
    ["a message", "a.js", 'console.log("GET /api/v1/passports");\n', "log() sends no request"],
    ["an error", "a.py", 'raise Error("no answer of /api/v1/passports")\n', "it is in the text of an error"],
    ["a cache", "a.js", 'revalidatePath("/api/v1/passports");\n', "revalidatePath() sends no request"],
    [
      "a command line",
      "a.js",
      'run("curl -s https://x/api/v1/passports/1 | jq .passport.score");\n',
      "the path is in markup or inside a longer text",
    ],
    [
      "markup beside a script",
      "a.html",
      '<b hx-get="/api/v1/passports"></b><script>start("/passports/offices");</script>\n',
      "the path is in markup or inside a longer text",
    ],
    [
      "a route",
      "a.js",
      '\napp.get("/api/v1/passports", (req, res) => res.json([]));\n',
      "the code serves this path itself: get() gives it a handler",
    ],
  ])("A path of V1 in %s is listed", async (_, file, text, why) => {
    const { uses, notCounted } = await scanFiles({ [file]: text });
    expect(uses).toEqual([]);
    expect(notCounted).toEqual([
      { file, line: text.startsWith("\n") ? 2 : 1, endpoint: expect.any(String), why },
    ]);
  });

  test("A request to the path that the same file serves is listed, and one to another path is counted", async () => {
    const { uses, notCounted } = await scanFiles({
      "a.js":
        'app.get("/api/v1/passports/:id", (req, res) => res.json(one));\nconst self = await fetch("/api/v1/passports/1");\nconst list = await fetch("/api/v1/passports");\n',
    });
    expect(uses.flatMap(({ calls, endpoint }) => calls.map((line) => `${line} ${endpoint}`))).toEqual([
      "3 passport-list",
    ]);
    expect(notCounted.map(({ line, why }) => `${line} ${why}`)).toEqual([
      "1 the code serves this path itself: get() gives it a handler",
      "2 the same file serves this path",
    ]);
  });

  test("Comments, docstrings, prose and tests are not listed", async () => {
    const { notCounted } = await scanFiles({
      "a.js": "// GET /api/v1/passports\nstart(); // see /api/v1/passports\n",
      "a.py": 'def one():\n    """Asks for /api/v1/passports."""\n',
      "README.md": "GET /api/v1/passports\n",
      "tests/a.test.js": 'nock(host).get("/api/v1/passports").reply(200);\n',
    });
    expect(notCounted).toEqual([]);
  });
});

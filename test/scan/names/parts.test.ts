// Clients whose address stands in parts that the scan does not put together: a question, never silence.
import { describe, expect, test } from "vitest";
import { scanFiles } from "../source-tree.ts";

const clients: Record<string, string> = {
  "Api.kt":
    'class Api {\n  private val base = "https://x.example.com/api/v1"\n  fun one(id: String) = get("$base/" + "passports/" + id, mapOf("X-API-KEY" to key))\n}\n',
  "Api.java":
    '@Headers("X-API-KEY: k")\ninterface Api { @GET("passports/{id}") Call<Body> one(@Path("id") String id); }\n',
  "Api.cs":
    'var client = new HttpClient { BaseAddress = new Uri("https://x.example.com/api/v1/") };\nvar body = await client.GetStringAsync("passports/" + id);\n',
  "api.dart":
    "final dio = Dio(BaseOptions(baseUrl: 'https://x.example.com/api/v1'));\nload(id) => dio.get('/passports/$id');\n",
  "api.php": "<?php\n$headers = ['X-API-KEY: ' . $key];\n$url = $base . '/passports/' . $id;\n",
  "api.rb": 'BASE = "https://x.example.com/api/v1"\ndef one(id) = get(BASE, "/passports/#{id}")\n',
  "api.ts":
    'const base = config.api;\nexport const one = (id: string) => client.load(base, "/passports/" + id, { "X-API-KEY": key });\n',
};

const asksIn = async (files: Record<string, string>, addresses = {}) => {
  const { uses, questions } = await scanFiles(files, addresses);
  return { uses: uses.length, questions: questions.map(({ file }) => file) };
};

describe("A file with the parts of a request to V1", () => {
  test.each(Object.entries(clients))(
    "A file with the parts of a request to V1 is a question: %s",
    async (file, text) => {
      const { questions, uses } = await scanFiles({ [file]: text });
      expect(uses).toEqual([]);
      expect(questions.map((question) => question.file)).toEqual([file]);
      expect(questions[0]!.names.length).toBeGreaterThan(1);
    },
  );

  test.each(Object.entries(clients))(
    "A part of a request to V1 alone says nothing: %s",
    async (file, text) => {
      const without = (part: RegExp) => ({ [file]: text.replaceAll(part, "other") });
      expect(await asksIn(without(/passports|passport_credentials/g))).toEqual({ uses: 0, questions: [] });
      const onlyResource = {
        [file]: text.replaceAll(/X-API-KEY/g, "Accept").replaceAll("/api/v1", "/api/v2"),
      };
      expect(await asksIn(onlyResource)).toEqual({ uses: 0, questions: [] });
    },
  );

  test("A file with an address that the team has named is a question, unless a call is found near it", async () => {
    const forward = { "proxy.ts": "export const target = 'https://gateway.example.com/reputation/';\n" };
    expect(await asksIn(forward)).toEqual({ uses: 0, questions: [] });
    const named = { hosts: ["gateway.example.com"] };
    expect(await asksIn(forward, named)).toEqual({ uses: 0, questions: ["proxy.ts"] });
    const used = {
      ...forward,
      "use.ts":
        "import { target } from './proxy';\nexport const one = (id: string) => fetch(target + 'passports/' + id);\n",
    };
    expect(await asksIn(used, named)).toEqual({ uses: 1, questions: [] });
  });
});

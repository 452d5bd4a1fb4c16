// Text search in languages without a parser: V1 paths with every language's form of interpolation.

import { describe, expect, test } from "vitest";
import { createAddressMatcher } from "../../../lib/scan/names/addresses.ts";
import { readNames } from "../../../lib/scan/names/names.ts";
import { fc } from "../../random.ts";

const matcher = createAddressMatcher({ hosts: ["rep.example.org"], basePaths: ["/reputation"] });

const callsIn = (file: string, text: string) =>
  readNames(file, text, matcher).calls.map(({ endpoint }) => endpoint);

describe("readNames finds a request for one passport", () => {
  test.each([
    ["A.cs", 'await http.GetAsync($"/api/v1/passports/{user.Id}");'],
    ["A.cs", 'await http.GetAsync($"{_base}api/v1/passports/{user?.Id:D}?x={y}");'],
    ["A.cs", 'http.GetAsync("api/v1/passports/" + id);'],
    ["a.php", '$client->get("/api/v1/passports/{$user->id}");'],
    ["a.php", '$client->get("/api/v1/passports/$user->id");'],
    ["a.php", "$client->get('api/v1/passports/' . $id);"],
    ["a.swift", 'let url = URL(string: "/api/v1/passports/\\(id)")'],
    ["a.swift", 'let url = "\\(base)api/v1/passports/\\(escape(user.id))"'],
    ["a.rs", 'let url = format!("/api/v1/passports/{id:?}");'],
    ["a.rs", 'let url = format!("{}/api/v1/passports/{}", base, id);'],
    ["a.sh", 'curl "$HOST/api/v1/passports/$(cat id)"'],
    ["a.sh", "curl $HOST/api/v1/passports/$(basename $(cat id)) | jq .passport"],
    ["Api.kt", '@GET("api/v1/passports/{id}") suspend fun one(@Path("id") id: String): Answer'],
    ["a.kt", `get("$base/api/v1/passports/\${ids.first { it.isMain }}")`],
    ["a.rb", 'get "/api/v1/passports/#{user[:wallet]}"'],
    ["a.rb", 'get "#{conf[:base]}/api/v1/passports/#{CGI.escape(wallet)}"'],
    ["a.ex", 'get(base <> "/api/v1/passports/" <> id)'],
    ["a.hbs", "<a href='/api/v1/passports/{{ user.id }}'>"],
    ["a.env", "PASSPORT_PATH=api/v1/passports/:id"],
  ])("readNames finds a request for one passport in %s: %s", (file, line) => {
    expect(callsIn(file, `${line}\n`)).toEqual(["passport"]);
  });
});

describe("readNames finds a request for the list or the credentials", () => {
  test.each([
    ["A.cs", 'await http.GetAsync("api/v1/passports");', "passport-list"],
    ["a.php", "$client->get('api/v1/passports?page=2');", "passport-list"],
    ["Api.java", '@GET("api/v1/passports") Call<Page> list(@Query("page") int page);', "passport-list"],
    ["a.ex", 'get("/api/v1/passports" <> query)', "passport-list"],
    ["a.rb", 'get "https://rep.example.org/x/passports"', "passport-list"],
    ["a.rb", 'get "#{base}/reputation/passport_credentials"', "passport-credentials"],
    ["a.swift", 'get("api/v1/passport_credentials?passport_id=\\(id)")', "passport-credentials"],
    ["a.cs", '$"/api/v1/passport_credentials?passport_id={user.Id}"', "passport-credentials"],
  ])("readNames finds a request for the list or the credentials in %s: %s", (file, line, endpoint) => {
    expect(callsIn(file, `${line}\n`)).toEqual([endpoint]);
  });
});

describe("readNames finds no request to V1", () => {
  test.each([
    ["a.cs", '$"/api/v2/passports/{id}"'],
    ["a.cs", '"api/v2/passports"'],
    ["a.php", '"/myapi/v1/passports/{$id}"'],
    ["a.php", '"myapi/v1/passports"'],
    ["a.kt", '@GET("xapi/v1/passports/{id}")'],
    ["a.kt", '@GET("api/v1/passports/{id}/stamps")'],
    ["a.kt", '@GET("api/v1/passports/offices")'],
    ["a.kt", '@GET("api/v1/passports_old")'],
    ["a.ex", 'get("/api/v1/passports/" <> id <> "/stamps")'],
    ["a.swift", '"/api/v1/passports/\\(id)/stamps"'],
    ["a.swift", '// "api/v1/passports" is asked elsewhere'],
    ["a.cs", ' * <c>"api/v1/passports/{id}"</c>'],
    ["a.cs", 'Load(); // was GetAsync("api/v1/passports")'],
    ["a.rb", 'load # was get("api/v1/passports")'],
    ["a.rb", 'puts "we still ask api/v1/passports for this"'],
    ["a.cs", "the paths of api/v1/passports are gone"],
    ["a.js.erb", '"https://app.example.com/#/api/v1/passports"'],
    ["notes.md", 'Ask "api/v1/passports/{id}"'],
  ])("readNames finds no request to V1 in %s: %s", (file, line) => {
    expect(callsIn(file, `${line}\n`)).toEqual([]);
  });
});

test("readNames does not throw or hang for arbitrary lines", () => {
  const parts = [
    "/api/v1/passports",
    "api/v1/",
    "/",
    "{",
    "}",
    "$",
    "#",
    "\\",
    "(",
    ")",
    '"',
    " ",
    "a",
    "<>",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 100 }), (line) => {
      readNames("a.rb", `"/api/v1/passports/${line.join("")}`, matcher);
    }),
    { numRuns: 500 },
  );
  for (const part of ["{a", "$(a", "\\((", "${{", "api/v1/", "{b}{", '// "'])
    readNames("a.rb", `"/api/v1/passports/${part.repeat(1_900 / part.length)}\n`.repeat(50), matcher);
});

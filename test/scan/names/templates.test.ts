// Which fields of V1 a template reads, by its expressions alone.
import { expect, test } from "vitest";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import { readTemplate, resolvePaths, tellingSteps } from "../../../lib/scan/names/templates.ts";

const readsOf = (file: string, text: string, asked: EndpointId[] = ["passport"]) =>
  resolvePaths(readTemplate(file, text), new Set(asked)).map(({ node, line }) => `${line} ${node.path}`);

test("A variable is a record of V1 by a name that only V1 has, and then its other fields are read, too", () => {
  const text =
    "<h1>{{ p.passport_profile.display_name }}</h1>\n{% if p.human_checkmark %}{{ p.score }}{% endif %}";
  expect(readsOf("a.html", text)).toEqual([
    "1 passport.passport_profile.display_name",
    "2 passport.human_checkmark",
    "2 passport.score",
  ]);
  expect(readsOf("a.html", text, ["passport-list"])[2]).toBe("2 passports[].score");
});

test("A variable without such a name is nobody's", () => {
  expect(readsOf("a.html", "{{ user.name }} {{ user.score }} {{ user.location }}")).toEqual([]);
});

test("Three fields of a profile are a profile", () => {
  expect(readsOf("a.html", "{{ profile.display_name }} {{ profile.bio }} {{ profile.tags }}")).toEqual([
    "1 passport.passport_profile.display_name",
    "1 passport.passport_profile.bio",
    "1 passport.passport_profile.tags",
  ]);
});

test("An item of a list of V1 is V1's", () => {
  const text = "{% for one in p.passport_socials %}\n{{ one.source }}";
  expect(readsOf("a.jinja2", text)).toContain("2 passport.passport_socials[].source");
});

test("Only expressions are read, and not the scripts of a page", () => {
  expect(readTemplate("a.html", "<p>p.main_wallet and p.human_checkmark</p>")).toEqual([]);
  const script = "<script>\nconst a = p.main_wallet\n</script>";
  expect(readTemplate("a.html", `${script}\n<td :title="p.main_wallet" />`)).toEqual([
    { steps: ["p", "main_wallet"], line: 4 },
  ]);
  expect(readTemplate("a.ts", "p.main_wallet")).toEqual([]);
});

test("What follows the last field of V1 is left out", () => {
  expect(readsOf("a.html", "{{ p.main_wallet.slice(0, 6) }} {{ p?.passport_profile?.bio?.length }}")).toEqual(
    ["1 passport.main_wallet", "1 passport.passport_profile.bio"],
  );
});

test("Names that only V1 has are counted once", () => {
  const text = "{{ p.main_wallet }} {{ q.main_wallet }} {{ p.passport_profile.bio }} {{ main_wallet.x }}";
  expect(tellingSteps(readTemplate("a.html", text))).toEqual(["main_wallet", "passport_profile"]);
});

test("The template inside an Angular component is read on its lines, and the code around it is not", () => {
  const code =
    "@Component({\n  selector: 'x',\n  template: `\n    <b>{{ p.score }}</b>\n    <i [title]=\"p.main_wallet\"></i>\n  `,\n})\nexport class A {\n  q = (p) => `{{ p.merged }}`;\n}\n";
  expect(readsOf("a.component.ts", code)).toEqual(["4 passport.score", "5 passport.main_wallet"]);
  expect(readTemplate("a.ts", "const template = `{{ p.main_wallet }}`;")).toEqual([]);
});

// Components of Vue and Svelte: their markup is code, on the same lines.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { codeOf } from "../../lib/scan/languages/markup.ts";
import { scanConsumers } from "../../lib/scan/scan.ts";
import { fc } from "../random.ts";

let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));

const client = `const get = async (path) => (await fetch("https://api.example.com/api/v1" + path)).json();
export const fetchOne = async (id) => (await get("/passports/" + id)).passport;
export const fetchAll = async () => (await get("/passports")).passports;
export const fetchBadges = async (id) => (await get("/passport_credentials?passport_id=" + id)).passport_credentials;
`;

/** The reads of each file: `4 passport.score`. */
async function readsOf(files: Record<string, string>): Promise<Record<string, string[]>> {
  root = mkdtempSync(join(tmpdir(), "v1watch-markup-"));
  for (const [path, text] of Object.entries({ "client.js": client, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { uses } = (await scanConsumers([{ root, as: "" }]))!;
  const reads = uses.flatMap(({ file, fields }) =>
    fields.map(({ path, line }) => ({ file, line, text: `${line} ${path}` })),
  );
  const ordered = reads.sort((a, b) => a.line - b.line || (a.text < b.text ? -1 : 1));
  return Object.fromEntries(
    [...Map.groupBy(ordered, ({ file }) => file)].map(([file, found]) => [
      file,
      [...new Set(found.map(({ text }) => text))],
    ]),
  );
}

const setup = (...lines: string[]) => `<script setup>\n${lines.join("\n")}\n</script>\n`;

describe("a component of Vue", () => {
  test("reads what its script has, in text, attributes and loops, wherever the script is", async () => {
    const script = setup(
      'import { ref } from "vue"; import { fetchOne, fetchBadges } from "./client.js"',
      "const person = ref(null)",
      "const badges = ref([])",
      "fetchOne(1).then((one) => { person.value = one })",
      "fetchBadges(1).then((list) => { badges.value = list })",
    );
    const markup = `<template>
  <p :title="person.main_wallet" @click="open(person.passport_id); close()">{{ person.score.toFixed(1) }} and person.bio</p>
  <li v-for="(one, index) in person.passport_socials" :key="index">{{ one.source }}</li>
  <b v-for="{ name: label, type } in badges" :key="type">{{ label }}</b>
  <i :class="{
    human: person.human_checkmark,
  }"></i>
  <u v-for="one in
    person.passport_socials">
    {{ one.profile_name }}</u>
</template>
`;
    const { "A.vue": after = [], "B.vue": before } = await readsOf({
      "A.vue": script + markup,
      "B.vue": markup + script,
    });
    const expected = [
      "2 passport.main_wallet",
      "2 passport.passport_id",
      "2 passport.score",
      "3 passport.passport_socials",
      "3 passport.passport_socials[].source",
      "4 passport_credentials[].name",
      "4 passport_credentials[].type",
      "6 passport.human_checkmark",
      "8 passport.passport_socials",
      "10 passport.passport_socials[].profile_name",
    ];
    expect(before).toEqual(expected);
    const shift = script.split("\n").length - 1;
    expect(after).toEqual(
      expected.map((read) => read.replace(/^\d+/, (line) => String(Number(line) + shift))),
    );
  });

  test("has the properties that others give to it", async () => {
    const page = setup(
      'import { fetchAll } from "./client.js"; import PersonRow from "./PersonRow.vue"',
      "const people = await fetchAll()",
    );
    const reads = await readsOf({
      "Page.vue": `${page}<template><person-row v-for="p in people" :key="p.passport_id" :the-person="p" /></template>\n`,
      "PersonRow.vue": `${setup("const props = defineProps(['thePerson'])", "const points = () => props.thePerson.score")}<template>{{ thePerson.activity_score }} {{ thePerson.score }}</template>\n`,
    });
    expect(reads["PersonRow.vue"]).toEqual([
      "3 passports[].score",
      "5 passports[].activity_score",
      "5 passports[].score",
    ]);
  });

  test("that is given something of unknown origin reads records by the names that only V1 has", async () => {
    const reads = await readsOf({
      "Page.vue": `${setup('import { fetchOne } from "./client.js"', "const p = inject('person')")}<template>
  <b>{{ p.main_wallet.slice(0, 6) }} {{ p.score }}</b><u v-for="one in p.passport_socials">{{ one.source }}</u>
  <i>{{ other.score }} p.human_checkmark</i>
</template>
`,
    });
    expect(reads["Page.vue"]).toEqual([
      "6 passport.main_wallet",
      "6 passport.passport_socials",
      "6 passport.passport_socials[].source",
      "6 passport.score",
    ]);
  });
});

test("Nuxt knows components and what its folders export without an import", async () => {
  const files = {
    "composables/usePerson.js":
      'import { fetchOne } from "../client.js";\nexport const usePerson = async (id) => ({ person: await fetchOne(id) });\n',
    "components/base/Row.vue":
      "<script setup>\ndefineProps(['holder'])\n</script>\n<template>{{ holder.connections_count }}</template>\n",
    "pages/index.vue":
      '<script setup>\nconst { person } = await usePerson(1)\n</script>\n<template><BaseRow :holder="person" />{{ person.score }}</template>\n',
  };
  expect((await readsOf(files))["pages/index.vue"]).toBeUndefined();
  rmSync(root, { recursive: true });
  const reads = await readsOf({ ...files, "nuxt.config.ts": "export default defineNuxtConfig({});\n" });
  expect(reads["pages/index.vue"]).toEqual(["4 passport.score"]);
  expect(reads["components/base/Row.vue"]).toEqual(["4 passport.connections_count"]);
  rmSync(root, { recursive: true });
  const beside = await readsOf({ ...files, "shop/nuxt.config.ts": "export default defineNuxtConfig({});\n" });
  expect(beside["pages/index.vue"]).toBeUndefined();
});

describe("a component of Svelte", () => {
  test("is given what load returns beside a page, and hands on what it gives to others", async () => {
    const reads = await readsOf({
      "src/routes/+page.server.js":
        'import { fetchOne, fetchBadges } from "../../client.js";\nexport const load = async ({ params }) => ({ person: await fetchOne(params.id), badges: fetchBadges(params.id) });\n',
      "src/routes/+page.svelte": `<script>
  import Card from "./Card.svelte";
  let { data } = $props();
  let person = $derived(data.person);
</script>
<h1 class="a {person.score}">{person.passport_profile.bio ?? ""}</h1>
{#each person.passport_socials as { source, profile_url }, index (source)}<a href={profile_url}>{source}</a>{/each}
{#if data.person.merged}merged{:else if person.calculating_score}later{/if}
{#await data.badges}
  …
{:then badges}
  {#each badges.filter((badge) => badge.score > 0) as badge (badge.id)}{badge.name}{/each}
{/await}
<Card {person} wallet={person.main_wallet} />
`,
      "src/routes/Card.svelte":
        "<script>\n  let { person, wallet } = $props();\n</script>\n<b>{person.connections_count} {wallet}</b>\n",
    });
    expect(reads["src/routes/+page.svelte"]).toEqual([
      "6 passport.passport_profile.bio",
      "6 passport.score",
      "7 passport.passport_socials",
      "7 passport.passport_socials[].profile_url",
      "7 passport.passport_socials[].source",
      "8 passport.calculating_score",
      "8 passport.merged",
      "12 passport_credentials[].id",
      "12 passport_credentials[].name",
      "12 passport_credentials[].score",
      "14 passport.main_wallet",
    ]);
    expect(reads["src/routes/Card.svelte"]).toEqual(["4 passport.connections_count"]);
  });
});

test("the code of any component has as many lines as the component", () => {
  const pieces = fc.constantFrom(
    ...'{ } {{ }} {#each a.b as c} {#await a} {:then b} {@const d = e} <A <b > /> :x=" v-for="a\nin b" @c="d\n" <script> </script> <style> <!-- --> \n text'.split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.constantFrom("a.vue", "a.svelte"), (parts, file) => {
      const source = parts.join(" ");
      expect(codeOf(file, source).split("\n")).toHaveLength(source.split("\n").length);
    }),
  );
});

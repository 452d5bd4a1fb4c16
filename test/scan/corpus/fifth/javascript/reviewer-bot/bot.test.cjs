const test = require("node:test");
const assert = require("node:assert");
const { onPullRequest } = require("./bot.cjs");

test("passports/:wallet answers nothing, so the bot comments", async (t) => {
  const urls = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    urls.push(String(url));
    return { status: 200, json: async () => ({ passport: { score: 3, passport_socials: [] } }) };
  });
  const event = { repo: "a/b", number: 1, pull_request: { user: { wallet: "0x1", location: "x" } } };
  assert.equal(await onPullRequest(event), "none");
  assert.equal(urls.length, 3);
  assert.ok(urls.includes("https://rep.example.org/api/v1/passports/0x1"));
});

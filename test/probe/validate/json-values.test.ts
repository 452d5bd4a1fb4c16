import { expect, test } from "vitest";
import { isPlainKey, isPlainValue, jsonType } from "../../../lib/probe/validate/field-values.ts";

test.each([
  [null, "null"],
  [[], "array"],
  [{}, "object"],
  ["", "string"],
  [0, "number"],
  [false, "boolean"],
])("jsonType(%j) is %s", (value, type) => {
  expect(jsonType(value)).toBe(type);
});

test.each([
  ["created_at", true],
  ["user", true],
  ["camelCase", true],
  ["isNFTHolder", true],
  ["lastCalculatedAt", true],
  ["profile_image_url", true],
  ["AbCdEfGhIjKlMnOpQr", false],
  ["deadbeefcafe", false],
  ["xkcdqwrtpzvbn", false],
  ["onchain_2", true],
  ["address2", true],
  ["ada.lovelace", false],
  ["ada@example.org", false],
  ["0x1234", false],
  ["9d8f7a6b5c4d3e2f", false],
  ["token_8f7a6b5c", false],
  ["a".repeat(41), false],
  ["__proto__", false],
  ["<script>", false],
  ["имя", false],
  ["", false],
])("isPlainKey(%j) is %s", (key, isPlain) => {
  expect(isPlainKey(key)).toBe(isPlain);
});

test.each([
  ["lens", true],
  ["talent_protocol", true],
  ["Activity", true],
  ["active_wallet", true],
  ["erc20_holder", true],
  ["web3", true],
  ["year_2024", true],
  ["World Chain", false],
  ["worldChain", false],
  ["LENS", false],
  ["vitalik.eth", false],
  ["0x52908400098527886E0F7030069857D2E4169EE7", false],
  ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", false],
  ["deadbeefcafe", false],
  ["sk_live_4f9a8b7c6d5e4f3a", false],
  ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", false],
  ["a1_b2_c3_d4", false],
  ["10.0.0.1", false],
  ["https://lens.example", false],
  ["ada@example.org", false],
  ["+49 170 1234567", false],
  ["id 1234567", false],
  ["", false],
  [" lens", false],
  [`${"a ".repeat(20)}a`, false],
  ["=1+1", false],
])("isPlainValue(%j) is %s", (value, isLabel) => {
  expect(isPlainValue(value)).toBe(isLabel);
});

// Effects on the serialised body and on how it travels: what a broken or hostile server sends.
import { constants, crc32, deflateRawSync } from "node:zlib";
import { defineEffect, type Exchange } from "../exchange.ts";

/** Changes the text of the body; effects on bytes must come after it. */
function rewrite(exchange: Exchange, change: (text: string) => string): void {
  exchange.bytes = Buffer.from(change(exchange.bytes.toString()));
}

/** Puts members in front of the body's own. */
function prepend(exchange: Exchange, members: string): void {
  rewrite(exchange, (text) => (text.startsWith("{}") ? `{${members}}` : text.replace("{", `{${members},`)));
}

/** Whitespace that inflates to `mebibytes`, then the true body: valid gzip, about 1 KiB for each MiB. */
function gzipBomb(mebibytes: number, body: Buffer): Buffer {
  const mebibyte = Buffer.alloc(2 ** 20, " ");
  // A full flush ends on a byte and forgets its window, so the same block may be repeated.
  const block = deflateRawSync(mebibyte, { finishFlush: constants.Z_FULL_FLUSH });
  let checksum = 0;
  for (let i = 0; i < mebibytes; i++) checksum = crc32(mebibyte, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(body, checksum), 0);
  trailer.writeUInt32LE((mebibytes * 2 ** 20 + body.length) % 2 ** 32, 4);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
  return Buffer.concat([header, ...Array(mebibytes).fill(block), deflateRawSync(body), trailer]);
}

const hugeNumbers = ["1e400", "9007199254740993", "-0"];

export const bodyEffects = {
  html: defineEffect({
    stage: "text",
    summary: "a 200 with an HTML page",
    sample: {},
    apply(_, exchange) {
      exchange.headers["Content-Type"] = "text/html; charset=utf-8";
      exchange.bytes = Buffer.from("<!doctype html><title>Maintenance</title><p>We will be back soon.</p>");
    },
  }),

  "empty-body": defineEffect({
    stage: "text",
    summary: "a 200 with no body",
    sample: {},
    apply(_, exchange) {
      exchange.bytes = Buffer.alloc(0);
    },
  }),

  "deep-nesting": defineEffect<{ depth: number }>({
    stage: "text",
    summary: "an extra member nested very deep",
    sample: { depth: 100_000 },
    apply({ depth }, exchange) {
      prepend(exchange, `"nested":${"[".repeat(depth)}${"]".repeat(depth)}`);
    },
  }),

  "duplicate-keys": defineEffect({
    stage: "text",
    summary: "a score twice in the first record; the last is the true one",
    sample: {},
    apply(_, exchange) {
      rewrite(exchange, (text) => text.replace('"score":', '"score":0,"score":'));
    },
  }),

  "proto-keys": defineEffect({
    stage: "text",
    summary: "members named __proto__ and constructor",
    sample: {},
    apply(_, exchange) {
      prepend(exchange, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}');
    },
  }),

  "huge-numbers": defineEffect({
    stage: "text",
    summary: "1e400, 2^53+1 and -0 as the first three scores",
    sample: {},
    apply(_, exchange) {
      let next = 0;
      rewrite(exchange, (text) =>
        text.replace(/score":-?\d[\d.]*/g, (score) =>
          next < hugeNumbers.length ? `score":${hugeNumbers[next++]}` : score,
        ),
      );
    },
  }),

  "bad-utf8": defineEffect({
    stage: "text",
    summary: "bytes in the first name that are not UTF-8",
    sample: {},
    apply(_, exchange) {
      const { bytes } = exchange;
      const key = Buffer.from('name":"');
      const found = bytes.indexOf(key);
      if (found < 0) return;
      const at = found + key.length;
      exchange.bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([0xc3, 0x28, 0xff]),
        bytes.subarray(at),
      ]);
    },
  }),

  "gzip-bomb": defineEffect<{ mebibytes: number }>({
    stage: "wire",
    summary: "a small gzip body that inflates without end",
    sample: { mebibytes: 64 },
    apply({ mebibytes }, exchange) {
      exchange.headers["Content-Encoding"] = "gzip";
      exchange.bytes = gzipBomb(mebibytes, exchange.bytes);
    },
  }),

  "bad-gzip": defineEffect({
    stage: "wire",
    summary: "a body that says gzip and is not",
    sample: {},
    apply(_, exchange) {
      exchange.headers["Content-Encoding"] = "gzip";
    },
  }),

  "slow-drip": defineEffect<{ bytesPerSecond: number }>({
    stage: "wire",
    summary: "headers at once, then a few bytes a second",
    sample: { bytesPerSecond: 10 },
    apply({ bytesPerSecond }, exchange) {
      exchange.delivery = { kind: "slow-drip", bytesPerSecond };
    },
  }),

  hang: defineEffect({
    stage: "wire",
    summary: "the request is read and never answered",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "hang" };
    },
  }),

  reset: defineEffect({
    stage: "wire",
    summary: "the connection is reset",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "reset" };
    },
  }),

  truncated: defineEffect({
    stage: "wire",
    summary: "the connection ends in the middle of the body",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "truncated" };
    },
  }),
};

// Effects on the serialised body and on its transport: what a broken or hostile server sends.
import { constants, crc32, deflateRawSync } from "node:zlib";
import { defineEffect, type Exchange } from "../exchange.ts";

/** Changes the text of the body. Effects on bytes must run after it. */
function rewrite(exchange: Exchange, change: (text: string) => string): void {
  exchange.bytes = Buffer.from(change(exchange.bytes.toString()));
}

/** Inserts members before the body's own members. */
function prepend(exchange: Exchange, members: string): void {
  rewrite(exchange, (text) => (text.startsWith("{}") ? `{${members}}` : text.replace("{", `{${members},`)));
}

/** Valid gzip of `mebibytes` of whitespace and the real body, about 1 KiB for each MiB. */
function gzipBomb(mebibytes: number, body: Buffer): Buffer {
  const mebibyte = Buffer.alloc(2 ** 20, " ");
  // A full flush ends on a byte boundary and resets the window, so the same block can be repeated.
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
    stage: "body",
    summary: "a 200 with an HTML page as the body",
    sample: {},
    apply(_, exchange) {
      exchange.headers["Content-Type"] = "text/html; charset=utf-8";
      exchange.bytes = Buffer.from("<!doctype html><title>Maintenance</title><p>We will be back soon.</p>");
    },
  }),

  "empty-body": defineEffect({
    stage: "body",
    summary: "a 200 with an empty body",
    sample: {},
    apply(_, exchange) {
      exchange.bytes = Buffer.alloc(0);
    },
  }),

  "deep-nesting": defineEffect<{ depth: number }>({
    stage: "body",
    summary: "an extra member with deeply nested arrays",
    sample: { depth: 100_000 },
    apply({ depth }, exchange) {
      prepend(exchange, `"nested":${"[".repeat(depth)}${"]".repeat(depth)}`);
    },
  }),

  "proto-keys": defineEffect({
    stage: "body",
    summary: "members named __proto__ and constructor",
    sample: {},
    apply(_, exchange) {
      prepend(exchange, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}');
    },
  }),

  "huge-numbers": defineEffect({
    stage: "body",
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
    stage: "body",
    summary: "invalid UTF-8 in the first name",
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
    stage: "transport",
    summary: "a small gzip body that decompresses to a very large one",
    sample: { mebibytes: 64 },
    apply({ mebibytes }, exchange) {
      exchange.headers["Content-Encoding"] = "gzip";
      exchange.bytes = gzipBomb(mebibytes, exchange.bytes);
    },
  }),

  "bad-gzip": defineEffect({
    stage: "transport",
    summary: "a body that is declared as gzip and is not",
    sample: {},
    apply(_, exchange) {
      exchange.headers["Content-Encoding"] = "gzip";
    },
  }),

  "slow-drip": defineEffect<{ bytesPerSecond: number }>({
    stage: "transport",
    summary: "the headers at once, then a few bytes of the body per second",
    sample: { bytesPerSecond: 10 },
    apply({ bytesPerSecond }, exchange) {
      exchange.delivery = { kind: "slow-drip", bytesPerSecond };
    },
  }),

  hang: defineEffect({
    stage: "transport",
    summary: "the request is received and gets no response",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "hang" };
    },
  }),

  reset: defineEffect({
    stage: "transport",
    summary: "the connection is reset",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "reset" };
    },
  }),

  truncated: defineEffect({
    stage: "transport",
    summary: "the connection is closed in the middle of the body",
    sample: {},
    apply(_, exchange) {
      exchange.delivery = { kind: "truncated" };
    },
  }),
};

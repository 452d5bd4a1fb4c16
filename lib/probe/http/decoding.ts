// Counts, decodes and limits the bytes of a body chunk by chunk, so that a decompression bomb is stopped early. No chunk
// is kept: a body takes as much memory as it has bytes, whether it comes in one chunk or in two million.
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { Outcome } from "../../records/observation.ts";

export type Collector = {
  /** wire: bytes as transferred, without chunk framing. body: bytes after decoding. */
  readonly bytes: { wire: number; body: number };
  write(chunk: Uint8Array): void;
  /** The body has been received. `done` is called when the decoder has flushed. */
  end(): void;
  stop(): void;
  /** The bytes decoded so far, at most the limit. */
  takeBody(): Uint8Array;
};

const decoders: Record<string, (firstByte: number) => Transform> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  // Some servers send deflate with zlib's two-byte header and some without. The low bits of the header's
  // first byte are 8.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Bytes in one buffer that grows with them, because a buffer for each chunk takes some 200 bytes beside its own. */
function createByteBuffer(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    /** Bytes beyond the limit are left out. */
    add(chunk: Uint8Array): void {
      const added = chunk.length <= maxBytes - length ? chunk : chunk.subarray(0, maxBytes - length);
      const needed = length + added.length;
      if (needed > buffer.length) {
        const grown = Buffer.allocUnsafeSlow(
          Math.min(maxBytes, Math.max(needed, 2 * buffer.length, minBytes)),
        );
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(added, length);
      length = needed;
    },
    length: () => length,
    bytes: () => buffer.subarray(0, length),
    /** The bytes as a copy of their own, and the buffer is empty again. */
    take(): Buffer {
      const taken = Buffer.from(buffer.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}

const minBytes = 4_096;
/** Smaller chunks are put together before they are decoded: what waits for the decoder is a few pieces, not millions. */
const pieceBytes = 16_384;

/** Calls `done` once: with null when the body is complete, otherwise with the fault. */
export function collectBody(
  encoding: string,
  limits: { wireBytes: number; bodyBytes: number },
  done: (fault: Outcome | null) => void,
): Collector {
  const bytes = { wire: 0, body: 0 };
  const body = createByteBuffer(limits.bodyBytes);
  const piece = createByteBuffer(pieceBytes);
  const createDecoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  const isPlain = encoding === "" || encoding === "identity";
  let decoder: Transform | undefined;
  let isFinished = false;

  const stop = () => {
    isFinished = true;
    decoder?.destroy();
  };
  const finish = (fault: Outcome | null) => {
    if (isFinished) return;
    stop();
    done(fault);
  };
  const addChunk = (chunk: Uint8Array) => {
    if (isFinished) return;
    body.add(chunk);
    bytes.body += chunk.length;
    if (bytes.body > limits.bodyBytes) finish({ kind: "too-large", detail: "body" });
  };
  const startDecoder = (create: (firstByte: number) => Transform, firstByte: number) =>
    create(firstByte)
      .on("data", addChunk)
      .on("end", () => finish(null))
      .on("error", (error: NodeJS.ErrnoException) =>
        finish(
          error.code === "Z_BUF_ERROR"
            ? { kind: "truncated", detail: "encoding" }
            : { kind: "bad-encoding", detail: "corrupt" },
        ),
      );

  return {
    bytes,
    write(chunk) {
      if (isFinished || chunk.length === 0) return;
      bytes.wire += chunk.length;
      if (bytes.wire > limits.wireBytes) return finish({ kind: "too-large", detail: "wire" });
      if (isPlain) return addChunk(chunk);
      if (!createDecoder) return finish({ kind: "bad-encoding", detail: "unknown" });
      decoder ??= startDecoder(createDecoder, chunk[0] ?? 0);
      if (piece.length() + chunk.length > pieceBytes) decoder.write(piece.take());
      if (chunk.length > pieceBytes) decoder.write(chunk);
      else piece.add(chunk);
    },
    end() {
      if (isFinished) return;
      if (decoder) decoder.end(piece.take());
      else finish(null);
    },
    stop,
    takeBody: body.bytes,
  };
}

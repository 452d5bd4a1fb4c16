// Counts, decodes and limits the bytes of a body chunk by chunk, so that a decompression bomb is stopped
// early.
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

/** Calls `done` once: with null when the body is complete, otherwise with the fault. */
export function collectBody(
  encoding: string,
  limits: { wireBytes: number; bodyBytes: number },
  done: (fault: Outcome | null) => void,
): Collector {
  const bytes = { wire: 0, body: 0 };
  const chunks: Uint8Array[] = [];
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
    chunks.push(chunk);
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
      decoder.write(chunk);
    },
    end() {
      if (decoder) decoder.end();
      else finish(null);
    },
    stop,
    takeBody() {
      const [only] = chunks;
      if (only && chunks.length === 1 && only.length <= limits.bodyBytes) return only;
      return Buffer.concat(chunks, Math.min(bytes.body, limits.bodyBytes));
    },
  };
}

// Collects the bytes of a body, and decodes them when all have come. Both have the same limit, so that a decompression bomb is
// stopped early. No chunk is kept: a body takes as much memory as it has bytes, whether it comes in one chunk or in two million.
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { Outcome } from "../../records/observation.ts";

export type Collector = {
  /** wire: bytes as transferred, without chunk framing. body: bytes after decoding. */
  readonly bytes: { wire: number; body: number };
  write(chunk: Uint8Array): void;
  /** The body has been received. */
  end(): void;
  stop(): void;
};

const decoders: Record<string, (firstByte: number) => typeof gunzip> = {
  gzip: () => gunzip,
  "x-gzip": () => gunzip,
  // Some servers send deflate with zlib's two-byte header and some without. The low bits of the header's
  // first byte are 8.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? inflate : inflateRaw),
  br: () => brotliDecompress,
};

function classifyFault({ code }: NodeJS.ErrnoException): Outcome {
  if (code === "ERR_BUFFER_TOO_LARGE") return { kind: "too-large", detail: "body" };
  if (code === "Z_BUF_ERROR") return { kind: "truncated", detail: "encoding" };
  return { kind: "bad-encoding", detail: "corrupt" };
}

/** Calls `done` once: with the body when it is complete, otherwise with the fault. */
export function collectBody(
  encoding: string,
  maxBytes: number,
  done: (result: { body: Uint8Array } | { fault: Outcome }) => void,
): Collector {
  const bytes = { wire: 0, body: 0 };
  const memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  const received = new Uint8Array(memory);
  let isFinished = false;
  const finish = (result: Parameters<typeof done>[0]) => {
    if (isFinished) return;
    isFinished = true;
    if ("body" in result) bytes.body = result.body.length;
    done(result);
  };
  return {
    bytes,
    write(chunk) {
      if (isFinished) return;
      const at = bytes.wire;
      bytes.wire += chunk.length;
      if (bytes.wire > maxBytes) return finish({ fault: { kind: "too-large", detail: "wire" } });
      memory.resize(bytes.wire);
      received.set(chunk, at);
    },
    end() {
      if (isFinished) return;
      const body = Buffer.from(received);
      if (encoding === "" || encoding === "identity" || body.length === 0) return finish({ body });
      const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.(body[0] ?? 0) : undefined;
      if (!decode) return finish({ fault: { kind: "bad-encoding", detail: "unknown" } });
      decode(body, { maxOutputLength: maxBytes }, (error, decoded) =>
        finish(error ? { fault: classifyFault(error) } : { body: decoded }),
      );
    },
    stop() {
      isFinished = true;
    },
  };
}

// v1watch probe --file: validates a saved response body against V1's document.
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import { readBody } from "../../probe/validate/validate-body.ts";
import { plural } from "../../text.ts";
import { exitCodes, type Io, UsageError } from "../command.ts";
import { renderFindings, summariseFindings } from "../findings.ts";
import { print, printJson } from "../layout.ts";

const unreadableBody: Record<string, string> = {
  empty: "the body is empty",
  html: "the body is HTML, not JSON",
  text: "the body is not JSON",
  deep: "the body is nested deeper than 64 levels",
  "utf-8": "the body is not valid UTF-8",
  values: "the body has more values than v1watch reads",
};

const maxFileBytes = 64 * 1024 * 1024;

async function readInput(file: string, stdin: () => Promise<Uint8Array>): Promise<Uint8Array> {
  if (file === "-") return stdin();
  try {
    // One byte more than the limit is enough to detect a file that is too large, or endless.
    return await buffer(createReadStream(file, { end: maxFileBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const cause =
      code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : `${code}`;
    throw new UsageError(`cannot read "${file}": ${cause}`);
  }
}

/** Exit codes: 0 as documented, 1 findings. */
export async function checkSavedBody(
  file: string,
  { endpoint, json }: { endpoint: EndpointId | undefined; json: boolean },
  io: Io,
): Promise<number> {
  if (endpoint === undefined)
    throw new UsageError(`--file needs --endpoint, one of ${endpointIds.join(", ")}`);
  const bytes = await readInput(file, io.stdin);
  if (bytes.length > maxFileBytes) throw new UsageError(`"${file}" is larger than 64 MiB`);
  const clock = { nowMs: Date.now(), maxSkewSeconds: Number.POSITIVE_INFINITY };
  const { outcome, validation } = readBody(endpoint, bytes, undefined, { clock });
  const findings = validation?.findings ?? [];
  if (json) printJson(io, { endpoint, outcome, findings, validated: validation?.validated });
  else if (!validation) print(io, `${endpoint}: ${unreadableBody[outcome.detail ?? ""] ?? outcome.kind}.\n`);
  else {
    const { validated, staleness } = validation;
    const isPartial = validated.records < validated.of;
    const head =
      `${endpoint}: ${plural(staleness.records, "record")}` +
      (isPartial ? `, of which the first ${validated.records} were validated` : "");
    print(
      io,
      `${[head, "", ...renderFindings(findings), ...(findings.length > 0 ? [""] : []), summariseFindings(findings)].join("\n")}\n`,
    );
  }
  return validation && findings.length === 0 ? exitCodes.success : exitCodes.findings;
}

// The progress of a parity run, in a file that is replaced atomically so that a killed run does not corrupt it.
import { readFile } from "node:fs/promises";
import { findOtherVersion } from "../../parity/cohort.ts";
import { type ParityState, parityState } from "../../records/parity.ts";
import { UsageError } from "../command.ts";
import { writeFileAtomically } from "../output-file.ts";

type Key = Pick<ParityState, "compared" | "cohort">;

/** Undefined if the file does not exist. A state of another cohort or mapping is a usage error. */
export async function readParityState(file: string, key: Key): Promise<ParityState | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`cannot read "${file}": ${code}`);
  }
  const parsed = parityState.safeParse(parse(text));
  if (!parsed.success)
    throw new UsageError(
      `"${file}" is not a parity state file of this version. Use another file with --resume.`,
    );
  const { compared, cohort } = parsed.data;
  if (cohort.ids !== key.cohort.ids || cohort.check !== key.cohort.check) {
    throw new UsageError(`"${file}" belongs to another cohort. Use another file with --resume.`);
  }
  const other = findOtherVersion(compared, key.compared);
  if (other !== undefined)
    throw new UsageError(`"${file}": ${other}. Start again with another file for --resume.`);
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const writeParityState = (file: string, state: ParityState): Promise<void> =>
  writeFileAtomically(file, JSON.stringify(state));

// How far a comparison has come, in a file that a killed run leaves whole.
import { readFile } from "node:fs/promises";
import { type ParityState, parityState } from "../../records/parity.ts";
import { UsageError } from "../command.ts";
import { writeWhole } from "../output-file.ts";

type Key = Pick<ParityState, "mapping" | "cohort">;

/** Undefined where there is none yet; a state of another cohort or mapping is a mistake of the caller. */
export async function readState(file: string, key: Key): Promise<ParityState | undefined> {
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
    throw new UsageError(`"${file}" is no state of a comparison. Name another with --resume.`);
  const { mapping, cohort } = parsed.data;
  if (cohort.ids !== key.cohort.ids || cohort.check !== key.cohort.check) {
    throw new UsageError(`"${file}" belongs to another cohort. Name another with --resume.`);
  }
  if (mapping !== key.mapping) {
    throw new UsageError(`"${file}" was made with other decisions. Start anew with another --resume.`);
  }
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const writeState = (file: string, state: ParityState): Promise<void> =>
  writeWhole(file, JSON.stringify(state));

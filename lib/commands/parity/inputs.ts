import { mistakesText, readConfig } from "../../config/config.ts";
import { mappingFileName, readMapping } from "../../mapping/mapping.ts";
import type { Io, OptionValues } from "../command.ts";
import { textOption } from "./options.ts";

/** The configuration and the mapping. Undefined if either has mistakes; those of both are printed. */
export async function readInputs(values: OptionValues, io: Io) {
  const loaded = await readConfig(io.env, values);
  const mapped = await readMapping(
    textOption(values, "mapping") ?? mappingFileName,
    textOption(values, "v2-schema"),
  );
  if (!loaded.ok) io.err(`v1watch: ${mistakesText(loaded.mistakes)}\n`);
  if (!mapped.ok) io.err(`v1watch: ${mistakesText(mapped.mistakes, "mapping")}\n`);
  if (!loaded.ok || !mapped.ok) return undefined;
  return {
    config: loaded.config,
    origins: loaded.origins,
    mapping: mapped.mapping,
    shape: mapped.shape,
  };
}

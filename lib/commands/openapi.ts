import { buildOpenApi } from "../contract/openapi.ts";
import { exitCodes, type Run } from "./command.ts";
import { writeOutput } from "./output-file.ts";

export const openapi: Run = async ({ out = "-" }, _positionals, io) => {
  await writeOutput(String(out), `${JSON.stringify(buildOpenApi(), null, 2)}\n`, io);
  return exitCodes.success;
};

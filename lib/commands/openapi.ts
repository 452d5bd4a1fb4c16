import { buildOpenApi } from "../contract/openapi.ts";
import { defineCommand, exitCodes, text } from "./command.ts";
import { toJson } from "./layout.ts";
import { writeOutput } from "./output-file.ts";

export const openapi = defineCommand({
  description:
    "Prints V1's contract as an OpenAPI 3.1 document in JSON. It lists undocumented behaviour under x-gaps only.",
  options: { out: text("<FILE>", "the file to write (default -, standard output)") },
  notes: ["Example: v1watch openapi --out v1.openapi.json"],
  async run({ out = "-" }, _positionals, io) {
    await writeOutput(out, toJson(buildOpenApi()), io);
    return exitCodes.success;
  },
});

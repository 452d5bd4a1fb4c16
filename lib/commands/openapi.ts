import { buildOpenApi } from "../contract/openapi.ts";
import { type Command, exitCodes } from "./command.ts";
import { writeTextFile } from "./output-file.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "print V1's contract as OpenAPI 3.1",
  help: `v1watch openapi [--out FILE]

Prints V1's contract as an OpenAPI 3.1 document in JSON. Undocumented behaviour is omitted and listed under x-gaps.

  --out FILE   write to FILE instead of standard output

Example: v1watch openapi --out v1.openapi.json
`,
  options: { out: { type: "string" } },
  async run(values, _positionals, io) {
    const text = `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
    if (typeof values.out !== "string") {
      io.out(text);
      return exitCodes.success;
    }
    await writeTextFile(values.out, text);
    return exitCodes.success;
  },
};

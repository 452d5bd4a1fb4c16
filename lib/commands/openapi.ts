// `v1watch openapi`: the contract in a form that other tools read.
import { buildOpenApi } from "../contract/openapi.ts";
import { type Command, exitCodes } from "./command.ts";
import { writeText } from "./output-file.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "print V1's contract as OpenAPI 3.1",
  help: `v1watch openapi [--out FILE]

Prints V1's contract as an OpenAPI 3.1 document in JSON. What V1's document
does not say is left out, and listed under x-gaps.

  --out FILE   write it to FILE instead

Example: v1watch openapi --out v1.openapi.json
`,
  options: { out: { type: "string" } },
  async run(values, _positionals, io) {
    const text = `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
    if (typeof values.out !== "string") {
      io.out(text);
      return exitCodes.fine;
    }
    await writeText(values.out, text);
    return exitCodes.fine;
  },
};

const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;

export type JsonFault = { line: number; column: number; problem: string };

export function locateJsonFault(text: string): JsonFault {
  const open: string[] = [];
  let expects: "value" | "key" | "colon" | "next" = "value";
  let previous = "";
  let at = 0;
  const fault = (problem: string): JsonFault => {
    const before = text.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem };
  };
  for (;;) {
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
    if (at >= text.length) {
      const bracket = open.at(-1);
      return fault(bracket ? `the text ends before its ${bracket} is closed` : "the text ends too early");
    }
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return fault(describeUnexpected(text.slice(at, at + 2)));
    const isClosing = found === "}" || found === "]";
    if (isClosing && previous === ",") return fault(`a comma before ${found} is one too many`);
    if (isClosing) {
      const isMatching = open.at(-1) === (found === "}" ? "{" : "[");
      const isInPlace = expects === "next" || previous === open.at(-1);
      if (!isMatching || !isInPlace) return fault(`${found} is out of place`);
      open.pop();
      expects = "next";
    } else if (expects === "next") {
      if (open.length === 0) return fault("there is more after the end");
      if (found !== ",") return fault("a comma is missing");
      expects = open.at(-1) === "{" ? "key" : "value";
    } else if (expects === "colon") {
      if (found !== ":") return fault("a colon is missing");
      expects = "value";
    } else if (expects === "key") {
      if (!found.startsWith('"')) return fault("a name in double quotes is missing");
      expects = "colon";
    } else if (found === "," || found === ":") {
      return fault("a value is missing");
    } else if (found === "{" || found === "[") {
      open.push(found);
      expects = found === "{" ? "key" : "value";
    } else {
      expects = "next";
    }
    previous = found;
    at += found.length;
  }
}

function describeUnexpected(start: string): string {
  if (start === "/*") return "a comment is not closed";
  if (start.startsWith("'")) return "JSON has double quotes only";
  if (start.startsWith('"')) return "a text is not closed, or holds a line break or a wrong escape";
  return "this is not JSON";
}

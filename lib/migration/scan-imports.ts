// Names from other modules of the tree.
import type { Cell, Value } from "./scan-atoms.ts";
import type { ImportStatement } from "./scan-code.ts";
import type { Flow, Frame, Module } from "./scan-frame.ts";
import { newObject, ofKind } from "./scan-values.ts";

const namespaceOf = (module: Module): Value => [{ ...newObject(), fields: module.exported.names }];

/** `import a.b.c` binds a, with b inside it and c inside that. */
function bindDotted(local: string, value: Value, frame: Frame): void {
  const [first = "", ...rest] = local.split(".");
  if (rest.length === 0) {
    frame.scope.names.set(first, { value });
    return;
  }
  const existing = ofKind(frame.scope.names.get(first)?.value ?? [], "object")[0];
  const root = existing ?? newObject();
  frame.scope.names.set(first, { value: [root] });
  let current = root;
  rest.forEach((name, index) => {
    const isLast = index === rest.length - 1;
    const inner = ofKind(current.fields.get(name)?.value ?? [], "object")[0] ?? newObject();
    current.fields.set(name, { value: isLast ? value : [inner] });
    current = inner;
  });
}

function importedCell(module: Module, name: string): Cell | undefined {
  const own = module.exported.names.get(name);
  return own ?? (name === "default" ? { value: namespaceOf(module) } : undefined);
}

export function bindImport(statement: ImportStatement, frame: Frame, flow: Flow): void {
  const { from, names } = statement;
  const module = flow.importModule(frame.module, from);
  for (const { imported, local } of names) {
    if (local === "*") {
      frame.module.carries = true;
      for (const [name, cell] of module?.exported.names ?? []) frame.module.exported.names.set(name, cell);
    } else if (imported === "*") {
      if (module) bindDotted(local, namespaceOf(module), frame);
      else frame.module.outside.add(local);
    } else {
      // `from package import module`
      const inner =
        frame.module.language === "python"
          ? flow.importModule(frame.module, joinDotted(from, imported))
          : undefined;
      const cell = (module && importedCell(module, imported)) ?? (inner && { value: namespaceOf(inner) });
      if (cell) frame.scope.names.set(local, cell);
      else if (!frame.scope.names.has(local)) {
        frame.module.outside.add(local);
        if (imported !== local && imported !== "default") frame.module.aliases.set(local, imported);
      }
    }
  }
}

const joinDotted = (from: string, name: string) => (from.endsWith(".") ? from + name : `${from}.${name}`);

// A template without the types that a server cannot make; what refers to them gets what they would have been.

export type Template = {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown>; DependsOn?: string[] }>;
  [section: string]: unknown;
};

/** What `Ref` or an attribute of a resource that was cut out would have answered. */
type Answer = (name: string, attribute?: string) => string;

export function cutTemplate(template: Template, types: readonly string[], answer: Answer): Template {
  const kept = Object.entries(template.Resources).filter(([, { Type }]) => !types.includes(Type));
  const names = new Set(Object.keys(template.Resources));
  for (const [name] of kept) names.delete(name);
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    const { Ref, "Fn::GetAtt": attribute } = value as { Ref?: string; "Fn::GetAtt"?: [string, string] };
    if (Ref !== undefined && names.has(Ref)) return answer(Ref);
    if (attribute && names.has(attribute[0])) return answer(...attribute);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
  };
  const Resources = Object.fromEntries(
    kept.map(([name, { DependsOn = [], ...resource }]) => [
      name,
      { ...resource, DependsOn: [DependsOn].flat().filter((other) => !names.has(other)) },
    ]),
  );
  return replace({ ...template, Resources }) as Template;
}

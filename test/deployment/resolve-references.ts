// What CloudFormation's functions in a template come to, once its resources exist.
import { account, region } from "./moto.ts";

const pseudo: Record<string, string> = {
  "AWS::AccountId": account,
  "AWS::Region": region,
  "AWS::Partition": "aws",
};

/** By logical name: what `Ref` answers, and the attributes that we use. */
type Attribute = "Ref" | "Arn" | "QueueName" | "TopicName";
export type Made = Record<string, { Ref: string } & { [name in Attribute]?: string | undefined }>;

export function resolveReferences(value: unknown, made: Made): unknown {
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== "object" || part === null) return part;
    const { Ref, ...functions } = part as Record<string, unknown>;
    if (typeof Ref === "string") return pseudo[Ref] ?? find(Ref, "Ref");
    const [[name, argument] = ["", undefined]] = Object.entries(functions);
    if (name === "Fn::GetAtt") return find(...(argument as [string, Attribute]));
    if (name === "Fn::Join") {
      const [between, parts] = argument as [string, unknown[]];
      return parts.map(resolve).join(between);
    }
    if (name.startsWith("Fn::")) throw new Error(`${name} is not known here`);
    return Object.fromEntries(Object.entries(functions).map(([key, inner]) => [key, resolve(inner)]));
  };
  function find(name: string, attribute: Attribute): string {
    const found = made[name]?.[attribute];
    if (!found) throw new Error(`${name} has no ${attribute} that is known here`);
    return found;
  }
  return resolve(value);
}

// Which endpoint a text asks for. Unknown parts are holes; a text with holes is all that source code has.
import type { EndpointId } from "../contract/endpoints.ts";

export const hole = "\ue000";
/** A hole that takes whole numbers only, such as %d. */
export const integerHole = "\ue001";

export type Asked = {
  endpoint: EndpointId;
  /** False where the version is in a hole: it is V1's only if what is read from it is. */
  isSure: boolean;
  assumesInteger: boolean;
};

const known =
  /(?:^|[/\ue000])(?:api|\ue000)\/+v1\/+(passports|passport_credentials)(\ue000?)(?:\/+([^/]*))?\/?$/;
const afterHole = /(?:^|\/)\ue000\/*(passports|passport_credentials)(\ue000?)(?:\/+([^/]*))?\/?$/;
const versionHole = /\/api\/v?[\ue000\ue001]\/+(passports|passport_credentials)(\ue000?)(?:\/+([^/]*))?\/?$/;

/** A hole, a whole number, a wallet, a name of one, or a placeholder; a plain word is another resource. */
const idForm =
  /[\ue000\ue001]|^(?:\d+|0x[0-9a-f]+|[\w.-]+\.eth|:\w+|\{\w*\}|<\w+>|\$\w+|\$\{\w+\}|%[sdvi]|#\{\w+\})$/i;

export function askedEndpoint(text: string): Asked | undefined {
  const path = text.replace(/[?#].*$/s, "");
  const match = known.exec(path) ?? afterHole.exec(path) ?? versionHole.exec(path);
  if (!match) return undefined;
  const [, resource, , id = ""] = match;
  const isSure = known.test(path);
  if (resource === "passport_credentials") {
    return id === "" ? { endpoint: "passport-credentials", isSure, assumesInteger: false } : undefined;
  }
  if (id === "") return { endpoint: "passport-list", isSure, assumesInteger: false };
  return idForm.test(id)
    ? { endpoint: "passport", isSure, assumesInteger: id.includes(integerHole) }
    : undefined;
}

/** A text that can become a part of a V1 path. */
export const mentionsResource = (text: string): boolean => /passports|passport_credentials/.test(text);

/** One text after another, with one slash between them where they are parts of a path. */
export const joinPath = (left: string, right: string): string =>
  /^[a-z]+:\/\//i.test(right) || left === ""
    ? right
    : `${left.replace(/\/+$/, "")}/${right.replace(/^\/+/, "")}`;

// Effects on one field, named by its contract path such as `passports[].score`.
import { defineEffect, type EffectRow, type Role } from "../exchange.ts";
import { hashText, mixBits, uniform } from "../population.ts";

export type JsonObject = Record<string, unknown>;
type JsonType = "string" | "number" | "boolean" | "array" | "object";

/** The objects that contain the field. `identity` is the same for a record on every page and endpoint. */
export function findParents(
  body: unknown,
  path: string,
): { parent: JsonObject; field: string; identity: number }[] {
  const segments = path.split(".");
  const field = segments.pop() as string;
  let current = [{ value: body, identity: 0 }];
  for (const segment of segments) {
    const isList = segment.endsWith("[]");
    const name = isList ? segment.slice(0, -2) : segment;
    current = current.flatMap(({ value, identity }) => {
      const child = isObject(value) ? value[name] : undefined;
      if (!isList) return [{ value: child, identity: identify(child, identity, 0) }];
      if (!Array.isArray(child)) return [];
      return child.map((item, position) => ({
        value: item,
        identity: identify(item, identity, position + 1),
      }));
    });
  }
  return current.flatMap(({ value, identity }) =>
    isObject(value) ? [{ parent: value, field, identity }] : [],
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function identify(value: unknown, parentIdentity: number, position: number): number {
  if (!isObject(value)) return parentIdentity;
  const id = value.passport_id ?? value.id;
  return id === undefined || id === null ? mixBits(parentIdentity + position) : hashText(String(id));
}

function fieldEffect<P extends { path: string }>(
  summary: string,
  samples: Readonly<Record<Role, P>>,
  change: (parent: JsonObject, field: string, effect: P) => void,
): EffectRow<P> {
  return defineEffect<P>({
    stage: "data",
    summary,
    sample: samples.list,
    sampleByRole: samples,
    perRecord: true,
    apply(effect, exchange) {
      for (const { parent, field, identity } of findParents(exchange.body, effect.path)) {
        if (uniform(identity, 0, hashText(field)) < (effect.rate ?? 1)) change(parent, field, effect);
      }
    },
  });
}

function retype(value: unknown, to: JsonType): unknown {
  switch (to) {
    case "string":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "number":
      return Number.isFinite(Number(value)) ? Number(value) : String(value).length;
    case "boolean":
      return Boolean(value);
    case "array":
      return [value];
    case "object":
      return { value };
  }
}

export const fieldEffects = {
  "drop-field": fieldEffect<{ path: string }>(
    "a field is missing",
    {
      list: { path: "passports[].connections_count" },
      single: { path: "passport.connections_count" },
      sublist: { path: "passport_credentials[].max_score" },
    },
    (parent, field) => {
      delete parent[field];
    },
  ),

  "add-field": fieldEffect<{ path: string; value: unknown }>(
    "a field that the document does not list is present",
    {
      list: { path: "passports[].created_at", value: "2024-10-01T12:35:50.602Z" },
      single: { path: "passport.created_at", value: "2024-10-01T12:35:50.602Z" },
      sublist: { path: "passport_credentials[].onchain_at", value: "2024-10-01T12:35:50.602Z" },
    },
    (parent, field, { value }) => {
      parent[field] = value;
    },
  ),

  "rename-field": fieldEffect<{ path: string; to: string }>(
    "a field has another name",
    {
      list: { path: "passports[].main_wallet", to: "main_wallet_address" },
      single: { path: "passport.main_wallet", to: "main_wallet_address" },
      sublist: { path: "passport_credentials[].value", to: "readable_value" },
    },
    (parent, field, { to }) => {
      if (!(field in parent)) return;
      parent[to] = parent[field];
      delete parent[field];
    },
  ),

  "retype-field": fieldEffect<{ path: string; to: JsonType }>(
    "a field has another JSON type",
    {
      list: { path: "passports[].score", to: "string" },
      single: { path: "passport.score", to: "string" },
      sublist: { path: "passport_credentials[].score", to: "string" },
    },
    (parent, field, { to }) => {
      if (field in parent) parent[field] = retype(parent[field], to);
    },
  ),

  "null-field": fieldEffect<{ path: string }>(
    "a field is null",
    {
      list: { path: "passports[].passport_profile.bio" },
      single: { path: "passport.passport_profile.bio" },
      sublist: { path: "passport_credentials[].value" },
    },
    (parent, field) => {
      if (field in parent) parent[field] = null;
    },
  ),

  "stick-calculating": defineEffect({
    stage: "data",
    summary: "calculating_score stays true",
    sample: {},
    refusedFor: { sublist: "a credential has no field calculating_score" },
    perRecord: true,
    apply(effect, exchange) {
      for (const path of ["passports[].calculating_score", "passport.calculating_score"]) {
        for (const { parent, field, identity } of findParents(exchange.body, path)) {
          if (uniform(identity, 0, hashText(field)) < (effect.rate ?? 1)) parent[field] = true;
        }
      }
    },
  }),
};

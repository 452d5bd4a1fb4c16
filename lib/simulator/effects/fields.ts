// Effects on one field, named by its contract path such as `passports[].score`.
import { defineEffect, type EffectRow } from "../exchange.ts";
import { hashText, roll, scatter } from "../random.ts";

type Holder = Record<string, unknown>;
type JsonType = "string" | "number" | "boolean" | "array" | "object";

/** Whoever holds the field, with a number that stays theirs on every page and endpoint. */
function holders(body: unknown, path: string): { holder: Holder; field: string; identity: number }[] {
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
    isObject(value) ? [{ holder: value, field, identity }] : [],
  );
}

function isObject(value: unknown): value is Holder {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function identify(value: unknown, parent: number, position: number): number {
  if (!isObject(value)) return parent;
  const id = value.passport_id ?? value.id;
  return id === undefined || id === null ? scatter(parent + position) : hashText(String(id));
}

function fieldEffect<P extends { path: string }>(
  summary: string,
  sample: P,
  change: (holder: Holder, field: string, effect: P) => void,
): EffectRow<P> {
  return defineEffect<P>({
    stage: "data",
    summary,
    sample,
    perRecord: true,
    apply(effect, exchange) {
      for (const { holder, field, identity } of holders(exchange.body, effect.path)) {
        if (roll(identity, 0, hashText(field)) < (effect.rate ?? 1)) change(holder, field, effect);
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
  "drop-field": fieldEffect(
    "a field is missing",
    { path: "passports[].connections_count" },
    (holder, field) => {
      delete holder[field];
    },
  ),

  "add-field": fieldEffect<{ path: string; value: unknown }>(
    "a field is there that the document does not list",
    { path: "passports[].created_at", value: "2024-10-01T12:35:50.602Z" },
    (holder, field, { value }) => {
      holder[field] = value;
    },
  ),

  "rename-field": fieldEffect<{ path: string; to: string }>(
    "a field has another name",
    { path: "passports[].main_wallet", to: "main_wallet_address" },
    (holder, field, { to }) => {
      if (!(field in holder)) return;
      holder[to] = holder[field];
      delete holder[field];
    },
  ),

  "retype-field": fieldEffect<{ path: string; to: JsonType }>(
    "a field has another JSON type",
    { path: "passports[].score", to: "string" },
    (holder, field, { to }) => {
      if (field in holder) holder[field] = retype(holder[field], to);
    },
  ),

  "null-field": fieldEffect(
    "a field is null",
    { path: "passports[].passport_profile.bio" },
    (holder, field) => {
      if (field in holder) holder[field] = null;
    },
  ),

  "stick-calculating": defineEffect({
    stage: "data",
    summary: "calculating_score stays true",
    sample: {},
    perRecord: true,
    apply(effect, exchange) {
      for (const path of ["passports[].calculating_score", "passport.calculating_score"]) {
        for (const { holder, field, identity } of holders(exchange.body, path)) {
          if (roll(identity, 0, hashText(field)) < (effect.rate ?? 1)) holder[field] = true;
        }
      }
    },
  }),
};

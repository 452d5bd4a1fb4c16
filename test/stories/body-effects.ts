/** Changes an ordinary 200 body as the active behaviours say. */
import type { World } from "./data.ts";
import { coversRecord, type TimelineEntry } from "./timeline.ts";
import { type Effect, type Endpoint, hash, type Json, type JsonObject } from "./types.ts";

type FieldEffect = Extract<Effect, { kind: "field" }>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The records of a body: the passports of the list, the single passport, or the credentials. */
export function itemsOf(endpoint: Endpoint, body: JsonObject): JsonObject[] {
  const items =
    endpoint === "passport-list"
      ? body.passports
      : endpoint === "passport"
        ? [body.passport as Json]
        : body.passport_credentials;
  return (Array.isArray(items) ? items : []).filter(isObject);
}

function retype(value: Json | undefined, to: string): Json {
  switch (to) {
    case "string":
      return String(value);
    case "number":
      return Number(value);
    case "boolean":
      return Boolean(value);
    case "array":
      return [value ?? null];
    case "object":
      return { value: value ?? null };
    case "date-without-milliseconds":
      return String(value).replace(/\.\d+Z$/, "Z");
    case "epoch-seconds":
      return Math.floor(Date.parse(String(value)) / 1000);
    default:
      throw new Error(`"${to}" is not a type that a field can be changed to`);
  }
}

function changeField(holder: JsonObject, key: string, effect: FieldEffect): void {
  if (effect.op === "set" || effect.op === "add") holder[key] = effect.value ?? null;
  else if (!Object.hasOwn(holder, key)) return;
  else if (effect.op === "null") holder[key] = null;
  else if (effect.op === "retype") holder[key] = retype(holder[key], effect.to ?? "");
  else {
    if (effect.op === "rename") holder[effect.to ?? ""] = holder[key] ?? null;
    delete holder[key];
  }
}

/** Applies a field effect to every place that the path names; "name[]" stands for each element of an array. */
function changePath(
  holder: Json | undefined,
  path: string[],
  effect: FieldEffect,
  covers: (position: string) => boolean,
  position = "",
): void {
  if (!isObject(holder)) return;
  const [segment = "", ...rest] = path;
  if (rest.length === 0) {
    if (covers(position)) changeField(holder, segment, effect);
  } else if (segment.endsWith("[]")) {
    const elements = holder[segment.slice(0, -2)];
    if (Array.isArray(elements))
      for (const [i, element] of elements.entries())
        changePath(element, rest, effect, covers, `${position}/${i}`);
  } else changePath(holder[segment], rest, effect, covers, position);
}

const SCORE_FIELDS = ["score", "activity_score", "identity_score", "skills_score"];

function setScores(items: JsonObject[], fields: string[], value: (score: number) => number): void {
  for (const item of items)
    for (const field of fields) if (typeof item[field] === "number") item[field] = value(item[field]);
}

/** V2's way of saying the same: other names, other nesting, UUIDs in place of integers. */
function toV2(endpoint: Endpoint, body: JsonObject): JsonObject {
  const profile = (item: JsonObject): JsonObject => {
    const hex = [0, 1, 2, 3]
      .map((i) => hash("uuid", String(item.passport_id), i).toString(16).padStart(8, "0"))
      .join("");
    return {
      id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
      ...(item.passport_profile as JsonObject),
      human_checkmark: item.human_checkmark ?? false,
      main_wallet_address: item.main_wallet ?? null,
      score: { points: item.score ?? 0, last_calculated_at: item.last_calculated_at ?? null },
    };
  };
  const items = itemsOf(endpoint, body);
  if (endpoint === "passport-list")
    return { profiles: items.map(profile), pagination: body.pagination ?? null };
  if (endpoint === "passport") return { profile: profile(items[0] ?? {}) };
  const credentials = items.map(
    (item): JsonObject => ({
      slug: item.type ?? "",
      data_issuer_slug: "talent",
      category: "onchain",
      name: item.name ?? "",
      points: item.score ?? 0,
      readable_value: item.value ?? "",
      updated_at: item.last_calculated_at ?? "",
    }),
  );
  return { credentials };
}

function changeBody(
  world: World,
  endpoint: Endpoint,
  entry: TimelineEntry,
  body: JsonObject,
  ownerRank: number,
  clock: number,
): JsonObject {
  const { story } = world;
  const effect = entry.behaviour.effect;
  const items = itemsOf(endpoint, body);
  const rankOf = (item: JsonObject): number =>
    endpoint === "passport-list" ? world.rankOfPassport(Number(item.passport_id)) : ownerRank;
  const keyOf = (item: JsonObject): string => String(item.passport_id ?? item.id);
  switch (effect.kind) {
    case "field":
      if (effect.root) changePath(body, effect.path.split("."), effect, () => true);
      else
        for (const item of items) {
          const [key, rank] = [keyOf(item), rankOf(item)];
          changePath(item, effect.path.split("."), effect, (position) =>
            coversRecord(story, entry, key + position, rank, clock),
          );
        }
      return body;
    case "v2-shape":
      return toV2(endpoint, body);
    case "empty-list":
      return endpoint === "passport-list" ? { ...body, passports: [] } : body;
    case "zero-scores":
      setScores(items, SCORE_FIELDS, () => 0);
      return body;
    case "equal-scores":
      setScores(items, endpoint === "passport-credentials" ? [] : ["score"], () => effect.value);
      return body;
    case "round-scores":
      setScores(
        items,
        endpoint === "passport-credentials" ? [] : ["score"],
        (score) => Math.round(score / effect.step) * effect.step,
      );
      return body;
    case "empty-credentials":
      return endpoint === "passport-credentials" ? { ...body, passport_credentials: [] } : body;
    case "duplicate-rows": {
      if (endpoint === "passport") return body;
      const rows = items.flatMap((item) =>
        coversRecord(story, entry, keyOf(item), rankOf(item), clock) ? [item, item] : [item],
      );
      return { ...body, [endpoint === "passport-list" ? "passports" : "passport_credentials"]: rows };
    }
    case "scale-scores":
      setScores(
        items.filter((item) => coversRecord(story, entry, keyOf(item), rankOf(item), clock)),
        SCORE_FIELDS,
        (score) => Math.round(score * effect.factor),
      );
      return body;
    case "new-credential-type": {
      const model = items[0];
      if (endpoint !== "passport-credentials" || !model) return body;
      const added: JsonObject = {
        ...model,
        id: `${String(model.id)}-new`,
        type: effect.type,
        name: effect.type.replaceAll("_", " "),
        value: "Verified",
      };
      return { ...body, passport_credentials: [...items, added] };
    }
    case "shuffle":
      if (endpoint === "passport-list")
        body.passports = items.toSorted((a, b) => hash(keyOf(a), clock) - hash(keyOf(b), clock));
      return body;
    default:
      return body;
  }
}

/** Serialises the body after all changes; the unsafe forms cannot be written as ordinary objects. */
export function renderBody(
  world: World,
  endpoint: Endpoint,
  entries: TimelineEntry[],
  ordinary: JsonObject,
  ownerRank: number,
  clock: number,
): string {
  let body = structuredClone(ordinary);
  for (const entry of entries) body = changeBody(world, endpoint, entry, body, ownerRank, clock);
  const text = JSON.stringify(body);
  const unsafe = entries.map((entry) => entry.behaviour.effect).find((effect) => effect.kind === "unsafe");
  if (!unsafe) return text;
  switch (unsafe.form) {
    case "deep-nesting":
      return text.replace(/^\{/, `{"extra":${"[".repeat(20_000)}${"]".repeat(20_000)},`);
    case "huge-numbers":
      return text.replaceAll(/"score":\d+/g, '"score":1e400');
    case "prototype-keys":
      return text.replaceAll(
        '"score":',
        '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"score":',
      );
    case "long-strings":
      return text.replace(/^\{/, `{"padding":"${"x".repeat(4_000_000)}",`);
  }
}

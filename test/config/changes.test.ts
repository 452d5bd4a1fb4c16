// Which settings a reload has changed, by their paths.
import { expect, test } from "vitest";
import { listChanges } from "../../lib/config/changes.ts";
import { loadConfig } from "../../lib/config/config.ts";
import { fc } from "../random.ts";

const read = (settings: object) => {
  const loaded = loadConfig({
    fileText: JSON.stringify({ baseUrl: "https://api.example.com", ...settings }),
    env: {},
    flags: {},
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
};
const channel = (name: string, variable: string) => ({ type: "slack", name, url: { env: variable } });

test.each([
  [{}, {}, []],
  [{ alerts: { hour: 7 } }, { alerts: { hour: 8 } }, ["alerts.hour"]],
  [{}, { publicUrl: "https://watch.example.com" }, ["publicUrl"]],
  [{ samples: { ids: [1, 2] } }, { samples: { ids: [1, 3] } }, ["samples.ids"]],
  [
    { channels: [channel("a", "A"), channel("b", "B")] },
    { channels: [channel("a", "A"), channel("c", "C")] },
    ["channels[1].name", "channels[1].url.env"],
  ],
  [{ channels: [channel("a", "A")] }, { channels: [channel("b", "B"), channel("a", "A")] }, ["channels"]],
])("From %j to %j the settings %j have changed", (before, after, paths) => {
  expect(listChanges(read(before), read(after))).toEqual(paths);
});

test("The paths of changes never contain a value", () => {
  const secret = "SENTINEL";
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(json, json, (before, after) => {
      const hide = (value: unknown) =>
        JSON.parse(JSON.stringify(value), (_, one) => (typeof one === "string" ? secret + one : one));
      expect(listChanges(hide(before), hide(after)).join()).not.toContain(secret);
    }),
  );
});

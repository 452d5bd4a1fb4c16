// One file for each kind of weather, so that they are played beside each other.
import { describe, expect, test } from "vitest";
import { playStory } from "../stories/play.ts";
import { judgeWeather, type WeatherKind, weatherDays, weatherStory } from "../stories/weather.ts";

/** V1WATCH_SEED plays another one alone. */
const seeds = process.env.V1WATCH_SEED ? [Number(process.env.V1WATCH_SEED)] : [1, 2, 3];

export function testWeather(kind: WeatherKind): void {
  describe(`${weatherDays} days of ${weatherStory(kind, 1).description}`, () => {
    test.each(seeds)(
      "There is no false page and at most one message a week, and every number is audited; seed %d",
      async (seed) => {
        const story = weatherStory(kind, seed);
        const played = await playStory(story);
        const { problems, messages, falsePages } = judgeWeather(kind, story, played);
        console.log(
          `${story.name}: ${played.observations.length} checks, ${played.messages.length} messages, ${messages} of them besides digests and maintenance, ${falsePages} false pages`,
        );
        expect(problems).toEqual([]);
        for (const requests of Object.values(played.spent)) expect(requests).toBeLessThanOrEqual(5_000);
      },
    );
  });
}

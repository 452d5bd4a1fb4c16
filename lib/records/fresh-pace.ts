// The pace of an installation that has not asked anything yet.
import type { Pace } from "./pace.ts";

export const freshPace: Pace = { schema: "v1watch/pace/1", spent: {}, recent: [], endpoints: {} };

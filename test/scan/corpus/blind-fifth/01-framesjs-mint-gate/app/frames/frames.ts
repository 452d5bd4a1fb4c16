import { createFrames } from "frames.js/next";
import { farcasterHubContext } from "frames.js/middleware";

export type State = { minted: boolean };

export const frames = createFrames<State>({
  basePath: "/frames",
  initialState: { minted: false },
  middleware: [farcasterHubContext({ hubHttpUrl: process.env.HUB_URL })],
});

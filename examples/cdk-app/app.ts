// Two environments, each with a watch of its own. Run it with: npx cdk synth "dev/*"
import { App, Stage } from "aws-cdk-lib";
import { V1WatchStack } from "v1watch/cdk";
import config from "./v1watch.config.json" with { type: "json" };

const app = new App();
for (const [name, region] of Object.entries({ dev: "eu-west-1", prod: "us-east-1" })) {
  const stage = new Stage(app, name, { env: { region } });
  new V1WatchStack(stage, "v1watch", {
    config: { ...config, aws: { ...config.aws, removal: name === "dev" ? "destroy" : "keep" } },
  });
}

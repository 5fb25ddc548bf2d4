// The sample gallery: ready-made messages, good and bad.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { laboratoryRoutes } from "./routes.ts";
import { createLaboratory, type Laboratory } from "./work.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly laboratory: Pick<Laboratory, "send">;
  }
}

export const sampleGallery = defineFeature({
  name: "sample gallery",
  says: "Shows reports of ready-made messages.",
  paths: ["/laboratory"],
  routes: laboratoryRoutes,
  open: (server) => {
    const { parts, laboratoryTransport: road } = server;
    const laboratory = createLaboratory({ ...server, road });
    parts.defer(() => laboratory.stop(stopTimes.sendsMs));
    return { laboratory };
  },
});

// Public tests: a mail tester for anyone, on the operator's own domain.

import { defineFeature } from "../../platform/server.ts";
import { examinePublicTests } from "./doctor.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { visitorRoutes } from "./routes/visitor.ts";
import { createPublicDoor, type PublicDoor } from "./work/public-door.ts";
import { createPublicChore } from "./work/tidy.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly publicDoor: PublicDoor;
  }
}

export const publicTests = defineFeature({
  name: "public tests",
  says: "Lets anyone test a message without an account, if the operator turns it on.",
  routes: [...visitorRoutes, ...operatorRoutes],
  open: (server) => {
    const publicDoor = createPublicDoor(server);
    server.parts.defer(publicDoor.flush);
    return { publicDoor, oneTime: publicDoor };
  },
  examinations: { "Public tests": examinePublicTests },
  chores: (server) => [createPublicChore(server)],
});

// What independent libraries make of a message.

import { defineFeature } from "../../platform/server.ts";
import { secondReaderRoutes } from "./routes.ts";

export const secondReader = defineFeature({
  name: "second reader",
  says: "Compares the report with what other software reads in the message.",
  routes: secondReaderRoutes,
});

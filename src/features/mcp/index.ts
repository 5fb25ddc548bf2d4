// The MCP server for AI agents.

import { defineFeature } from "../../platform/server.ts";
import type { AnswerMcp } from "./contract.ts";
import { mcpRoutes } from "./routes.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly answerMcp: AnswerMcp;
  }
}

export const mcp = defineFeature({
  name: "MCP",
  says: "Lets AI agents test mail and fix what is wrong.",
  routes: mcpRoutes,
  // Loaded at the first message: most servers never get one.
  open: () => ({ answerMcp: async (...given) => (await import("./tools/server.ts")).answerMcp(...given) }),
});

import { z } from "zod";
import { roles } from "../accounts/roles.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, timestamp } from "./primitives.ts";

export const me = z
  .strictObject({
    via: z.literal("token"),
    token: z.strictObject({
      id: identifier("token"),
      name: z.string(),
      expiresAt: timestamp.nullable(),
    }),
    workspaces: z.array(
      z.strictObject({ id: identifier("workspace"), name: z.string(), role: z.enum(roles) }),
    ),
  })
  .meta({ id: "Me" });

export const readMe = defineEndpoint({
  method: "GET",
  path: "/api/me",
  access: "caller",
  summary: "Who is asking, and which workspaces they have.",
  answer: me,
});

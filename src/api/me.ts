import { z } from "zod";
import { roles } from "../accounts/roles.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, timestamp } from "./primitives.ts";
import { workspace } from "./workspaces.ts";

const user = z.strictObject({ id: identifier("user"), name: z.string(), email: z.string() });

const workspaces = z.array(z.strictObject({ ...workspace.shape, role: z.enum(roles) }));

const viaSession = z.strictObject({ via: z.literal("session"), user, workspaces });

const viaToken = z.strictObject({
  via: z.literal("token"),
  user: user.nullable().describe("Who made the token; null: the server's operator."),
  token: z.strictObject({ id: identifier("token"), name: z.string(), expiresAt: timestamp.nullable() }),
  workspaces,
});

export type TokenBearer = z.infer<typeof viaToken>;

/** Somebody who is logged in: what every way to log in answers. */
export const person = viaSession.meta({ id: "Person" });
export type Person = z.infer<typeof person>;

export const me = z.discriminatedUnion("via", [person, viaToken]).meta({ id: "Me" });

export const readMe = defineEndpoint({
  method: "GET",
  path: "/api/me",
  access: "caller",
  summary: "Who is asking, and which workspaces they have.",
  answer: me,
});

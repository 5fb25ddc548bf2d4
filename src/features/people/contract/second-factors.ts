// Second factors of a person, and the second step of a login.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, name, timestamp } from "../../../platform/contract/primitives.ts";
import type { RefusalCode } from "../../../platform/errors.ts";
import { factorKinds } from "../rules/second-factors.ts";
import { newPerson, password } from "./accounts.ts";

const errors = ["forbidden", "rate_limited", "overloaded"] as const satisfies readonly RefusalCode[];
const protectedErrors = [...errors, "invalid_credentials", "conflict"] as const;

const secondFactor = z
  .strictObject({
    id: identifier("secondFactor"),
    kind: z.enum(factorKinds).describe("`totp`: an authenticator app. `passkey`: WebAuthn."),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    usable: z
      .boolean()
      .describe("`false` for an authenticator app whose secret was lost with the server's secret key."),
  })
  .meta({ id: "SecondFactor" });

export type SecondFactor = z.infer<typeof secondFactor>;

const recoveryCodes = z
  .array(z.string())
  .describe("Shown only once. Each can be used once, instead of a code or a passkey.");

/** As the browser's WebAuthn functions take and return it (WebAuthn §5.1.8 and §5.1.9). */
const webauthn = z.record(z.string().max(100), z.unknown());

export const listSecondFactors = defineEndpoint({
  method: "GET",
  path: "/api/auth/second-factors",
  access: "caller",
  token: "person",
  summary: "Lists the second factors of the logged-in user, oldest first.",
  answer: z.strictObject({
    items: z.array(secondFactor),
    recoveryCodesLeft: z.number().int(),
    passkeyProblem: z
      .string()
      .nullable()
      .describe("Why no passkey can be added at the address of this request. `null` if one can."),
  }),
  errors,
});

export const beginSecondFactor = defineEndpoint({
  method: "POST",
  path: "/api/auth/second-factors",
  access: "caller",
  token: "person",
  summary:
    "Starts adding an authenticator app or a passkey. It is asked for at login once it is confirmed, within 30 minutes. Requires a session, not a token.",
  body: z
    .strictObject({ kind: z.enum(factorKinds), name, password })
    .meta({ examples: [{ kind: "totp", name: "Phone", password: "lamp quarrel tundra" }] }),
  answer: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("totp"),
      id: identifier("secondFactor"),
      secret: z.string().describe("In Base32, for typing it into an app."),
      uri: z.string().describe("`otpauth:` URI for a QR code."),
    }),
    z.strictObject({
      kind: z.literal("passkey"),
      id: identifier("secondFactor"),
      options: webauthn.describe("For `PublicKeyCredential.parseCreationOptionsFromJSON`."),
    }),
  ]),
  errors: protectedErrors,
});

// Exactly one of them is needed.
const code = z.string().max(40).nullish().describe("Six digits from an authenticator app.");
const passkey = webauthn.nullish().describe("The browser's `PublicKeyCredential` as JSON.");

export const confirmSecondFactor = defineEndpoint({
  method: "POST",
  path: "/api/auth/second-factors/:id/confirm",
  access: "caller",
  token: "person",
  summary:
    "Confirms a second factor with its first code, or with the browser's response. Returns recovery codes with the first one.",
  body: z.strictObject({ code, passkey }).meta({ examples: [{ code: "123456" }] }),
  answer: z.strictObject({ recoveryCodes }),
  status: 200,
  errors: protectedErrors,
});

export const removeSecondFactor = defineEndpoint({
  method: "POST",
  path: "/api/auth/second-factors/:id/remove",
  access: "caller",
  token: "person",
  summary:
    "Removes a second factor. With the last one, the recovery codes stop working, and workspaces that require a second factor are closed until you add another one.",
  body: z.strictObject({ password }).meta({ examples: [{ password: "lamp quarrel tundra" }] }),
  errors: protectedErrors,
});

export const makeRecoveryCodes = defineEndpoint({
  method: "POST",
  path: "/api/auth/recovery-codes",
  access: "caller",
  token: "person",
  summary: "Creates new recovery codes. The old ones stop working.",
  body: z.strictObject({ password }).meta({ examples: [{ password: "lamp quarrel tundra" }] }),
  answer: z.strictObject({ recoveryCodes }),
  errors: protectedErrors,
});

export const offerSecondFactor = defineEndpoint({
  method: "POST",
  path: "/api/auth/second-factor/options",
  access: "public",
  summary:
    "After a login that was answered with `second_factor_required`: returns what the user can log in with, and a challenge for a passkey.",
  answer: z.strictObject({
    totp: z.boolean(),
    passkey: webauthn
      .nullable()
      .describe("For `PublicKeyCredential.parseRequestOptionsFromJSON`. `null` without a usable passkey."),
    recoveryCodesLeft: z.number().int(),
  }),
  status: 200,
  errors: protectedErrors,
});

export const logInWithSecondFactor = defineEndpoint({
  method: "POST",
  path: "/api/auth/second-factor",
  access: "public",
  summary:
    "The second step of a login. Sets the session cookie. After five wrong answers, the login starts again with the password.",
  body: z
    .strictObject({ code, recoveryCode: z.string().max(60).nullish(), passkey })
    .meta({ examples: [{ code: "123456" }] }),
  answer: newPerson,
  status: 200,
  errors: protectedErrors,
});

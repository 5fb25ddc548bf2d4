// People: accounts, logins, workspaces, members, and tokens.

import { setTimeout as pause } from "node:timers/promises";
import type { Volume } from "../../analyzer/checks/volume.ts";
import type { Outgoing } from "../../analyzer/mail/session/outgoing.ts";
import type { Learned } from "../../analyzer/placement/learned.ts";
import { failuresForgottenMs } from "../../platform/contract/sessions.ts";
import { createRateLimit } from "../../platform/http/rate-limit.ts";
import { defineFeature, stopTimes } from "../../platform/server.ts";
import { createSealerFor } from "../../platform/system/secret-key.ts";
import { readSetUpPage } from "./contract/account-pages.ts";
import { accountPageRoutes } from "./routes/account-pages.ts";
import { accountRoutes, loginRoutes, meRoutes, sessionRoutes, tokenRoutes } from "./routes/accounts.ts";
import { memberRoutes } from "./routes/members.ts";
import { secondFactorRoutes } from "./routes/second-factors.ts";
import { workspaceRoutes } from "./routes/workspaces.ts";
import { removeExpired } from "./rows/sessions.ts";
import { removeOldOrigins } from "./rows/workspace-origins.ts";
import { readSending } from "./rows/workspaces.ts";
import type { Plans } from "./rules/plans.ts";
import { type AccountMail, createAccountMail } from "./work/account-mail.ts";
import { type Accounts, createAccounts } from "./work/accounts.ts";
import { createCallers } from "./work/callers.ts";
import { createExpiryChore } from "./work/expiring-tokens.ts";
import { createFirstOwner, type FirstOwner } from "./work/first-owner.ts";
import { createNoOtherLogins, type OtherLogins } from "./work/other-logins.ts";
import { createPasswordHasher, type PasswordHasher } from "./work/password-hasher.ts";
import { createResetRequests, type ResetRequests } from "./work/reset-requests.ts";
import { createSecondFactorLogin, type SecondFactorLogin } from "./work/second-factor-login.ts";
import { createSecondFactors, factorSealing, type SecondFactors } from "./work/second-factors.ts";
import { factorSecrets } from "./work/secrets.ts";
import { createRemovalChore } from "./work/workspaces.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly plans: Plans;
    readonly accounts: Accounts;
    readonly accountMail: AccountMail;
    readonly resetRequests: Pick<ResetRequests, "request">;
    /** For one client, and for all of them together. */
    readonly resetLimits: Readonly<Record<"client" | "server", (address: string) => void>>;
    readonly secondFactors: SecondFactors;
    readonly secondFactorLogin: SecondFactorLogin;
    readonly otherLogins: OtherLogins;
    readonly firstOwner: FirstOwner;
    /** Key of the tokens that prove ownership of a domain. */
    readonly verificationKey: Uint8Array;
    /** Signs the cookies of browsers that have logged in before. */
    readonly browserKey: Uint8Array;
    readonly hasher: PasswordHasher;
    /** Delays failed logins. */
    readonly pause: (ms: number) => Promise<void>;
  }
  interface WorkspaceSettings {
    readonly volume: Volume;
    readonly outgoing: Outgoing | null;
    readonly learned: Learned | null;
  }
}

/** People mistype their address and ask again. */
const resetLimit = { requests: 10, windowMs: 600_000 };
/** Each may send a message. */
const allResetsLimit = { requests: 300, windowMs: 600_000, whose: "to reset passwords" };

export const people = defineFeature({
  name: "people",
  says: "Lets people set up the server, log in, and work together.",
  paths: ["/login", "/forgot-password"],
  routes: [
    ...accountRoutes,
    ...secondFactorRoutes,
    ...accountPageRoutes,
    ...meRoutes,
    ...sessionRoutes,
    ...workspaceRoutes,
    ...memberRoutes,
    ...tokenRoutes,
    ...loginRoutes,
  ],
  readSettings: readSending,
  open: (server) => {
    const { config, system, store, secretKey } = server;
    const firstOwner = createFirstOwner(store, system);
    return {
      firstOwner,
      verificationKey: secretKey.derive("domain verification"),
      browserKey: secretKey.derive("known browser"),
      hasher: createPasswordHasher(system.random),
      // A waiting login does not keep the process alive.
      pause: (ms) => pause(ms, undefined, { ref: false }),
      callers: createCallers(server),
      otherLogins: createNoOtherLogins(server),
      // Until there is an owner, only members of other workspaces can log in, and they have a session. The first person
      // of an organization may come before the owner.
      leadVisitor: async (path) => {
        const isForOwner = config.login !== "oidc" && !(path === "/login" && server.otherLogins.ways.size > 0);
        return isForOwner && (await firstOwner.isMissing()) ? readSetUpPage.path : null;
      },
    };
  },
  chores: (server) => [createExpiryChore(server), createRemovalChore(server)],
  tidy: async ({ store, system }) => {
    const now = system.now();
    await store.write((db) => removeExpired(db, { now, failuresBefore: now - failuresForgottenMs }));
    await store.write((db) => removeOldOrigins(db, now));
  },
});

/** Logins: they need a way to send mail. */
export const logins = defineFeature({
  name: "logins",
  says: "Checks passwords and second factors.",
  secrets: factorSecrets,
  open: (server) => {
    const { config, system, store, parts, hasher, pause, alertMailer: mailer, metrics } = server;
    let isFailing = false;
    metrics.addGauge(
      "assay_account_email_failing",
      "1 if the last email about an account (a password reset, a changed password, or an invitation) could not be sent.",
      () => Number(isFailing),
    );
    const onOutcome = (failed: boolean) => {
      isFailing = failed;
    };
    const mail = createAccountMail({ config, system, store, mailer, onOutcome });
    const findLabel = (issuer: string) => server.otherLogins.ways.get(issuer)?.label;
    const resetRequests = createResetRequests({ store, system, findLabel, pause, mail, config });
    parts.defer(() => resetRequests.stop(stopTimes.sendsMs));
    const notePasswordChange = resetRequests.noteChange;
    const accounts = createAccounts({ ...server, hasher, pause, notePasswordChange });
    const sealer = createSealerFor(server, factorSealing);
    return {
      accounts,
      accountMail: mail,
      resetRequests,
      resetLimits: {
        client: createRateLimit({ ...resetLimit, now: system.now }),
        server: createRateLimit({ ...allResetsLimit, now: system.now }),
      },
      secondFactors: createSecondFactors({ store, system, sealer, checkPassword: accounts.checkPassword }),
      secondFactorLogin: createSecondFactorLogin({ store, system, sealer }),
    };
  },
});

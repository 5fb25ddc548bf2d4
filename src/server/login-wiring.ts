// Connects the parts that let people log in: passwords, reset links, second factors, and issuers.

import type { AlertMailer } from "../features/alerts/work/mailer.ts";
import { hasSessionsOfOthers, removeSessionsOfOthers } from "../features/oidc/rows.ts";
import { createOidc } from "../features/oidc/work/oidc.ts";
import { type AccountMail, createAccountMail } from "../features/people/work/account-mail.ts";
import { createAccounts } from "../features/people/work/accounts.ts";
import type { PasswordHasher } from "../features/people/work/password-hasher.ts";
import { createResetRequests } from "../features/people/work/reset-requests.ts";
import { createSecondFactorLogin } from "../features/people/work/second-factor-login.ts";
import { createSecondFactors } from "../features/people/work/second-factors.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import { patience, type Running } from "./running.ts";

type LogInParts = {
  readonly hasher: PasswordHasher;
  /** Delays failed logins. */
  readonly pause: (ms: number) => Promise<void>;
  readonly baseUrl: () => string;
};

/** Each makes us ask an issuer. A whole office may share one address, and a login has two requests. */
const logInLimit = { requests: 240, windowMs: 60_000 };
/** Issuers log out many people at once. */
const logOutLimit = { requests: 600, windowMs: 60_000 };

/** People mistype their address and ask again. */
const resetLimit = { requests: 10, windowMs: 600_000 };
/** Each may send a message. */
const allResetsLimit = { requests: 300, windowMs: 600_000, whose: "to reset passwords" };

export async function createLogIns(running: Running, { hasher, pause, baseUrl }: LogInParts, mailer: AlertMailer) {
  const { config, system, store, issuers } = running;
  const keys = issuers.map(({ key }) => key);
  // Hardly ever, so most starts write nothing here.
  if (await hasSessionsOfOthers(store.read, keys)) await store.write((db) => removeSessionsOfOthers(db, keys));
  const mail = openAccountMail(running, mailer);
  const resetRequests = createResetRequests({ store, system, issuers, pause, mail, login: config.login });
  running.parts.defer(() => resetRequests.stop(patience.sendsMs));
  const notePasswordChange = resetRequests.noteChange;
  const accounts = createAccounts({ ...running, hasher, pause, notePasswordChange, login: config.login });
  const { checkPassword } = accounts;
  return {
    accounts,
    accountMail: mail,
    resetRequests,
    resetLimits: {
      client: createRateLimit({ ...resetLimit, now: system.now }),
      server: createRateLimit({ ...allResetsLimit, now: system.now }),
    },
    secondFactors: createSecondFactors({ store, system, sealer: running.factorSealer, checkPassword }),
    secondFactorLogin: createSecondFactorLogin({ store, system, sealer: running.factorSealer }),
    oidc: createOidc({ ...running, sealer: running.loginSealer, checkPassword, baseUrl }),
    oidcLimits: {
      logIn: createRateLimit({ ...logInLimit, now: system.now }),
      logOut: createRateLimit({ ...logOutLimit, now: system.now }),
    },
  };
}

function openAccountMail({ config, system, store, metrics }: Running, mailer: AlertMailer): AccountMail {
  let isFailing = false;
  metrics.addGauge(
    "assay_account_email_failing",
    "1 if the last email about an account (a password reset, a changed password, or an invitation) could not be sent.",
    () => Number(isFailing),
  );
  const onOutcome = (failed: boolean) => {
    isFailing = failed;
  };
  return createAccountMail({ config, system, store, mailer, onOutcome });
}

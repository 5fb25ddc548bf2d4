import type { ConnectProblem } from "./rules/oauth-provider.ts";

// Why connecting an account failed, after a sentence that says that it did.

const problems: Readonly<Record<ConnectProblem, string>> = {
  denied: "You didn’t grant access.",
  unknown_state: "The response is invalid or has already been used. Connect again.",
  expired: "The request expired after 10 minutes. Connect again.",
  logged_out: "You weren’t logged in when you returned. Log in and connect again.",
  other_user: "This browser is logged in as someone else. Log out, or open the link in a private window.",
  not_a_member: "You’re no longer a member of the workspace where you started connecting.",
  token_ended: "The API token that started this was revoked, or has expired.",
  wrong_issuer: "The response came from an unexpected server. This could be an attack.",
  provider_refused: "The provider rejected the request. Connect again. If it keeps failing, check the server log.",
  provider_silent: "The provider didn’t respond in time. Try again later.",
  scope_missing: "You didn’t grant all the access that Assay needs. Connect again and leave the box checked.",
  no_refresh: "The provider granted only temporary access (no refresh token), but Assay needs permanent access.",
  no_account:
    "The provider didn’t say which mailbox or channel this is. Ask your administrator to check the OAuth client’s scopes.",
  bad_webhook: "The provider returned a webhook URL that this server isn’t allowed to call.",
  plan_limit: "You’ve reached your plan’s limit for alerts.",
  too_many: "The workspace has reached its limit for connections or alerts.",
  not_configured: "The provider’s OAuth client is no longer configured on this server.",
};

/** A URL can contain any code. */
export function toProblemWords(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as ConnectProblem] : "Unknown reason.";
}

// Why nothing was connected, as a person reads it behind a sentence that says that much.

import type { ConnectProblem } from "../../api/integrations.ts";

const problems: Readonly<Record<ConnectProblem, string>> = {
  denied: "The consent was not given.",
  unknown_state: "This answer belongs to no request of ours, or was used already. Begin again on this page.",
  expired: "More than 10 minutes passed before the answer came. Begin again.",
  logged_out:
    "You were not logged in here when the answer came, so nobody could say whose connection it is. Begin again.",
  other_user:
    "Somebody else began this, and you are logged in here. Whoever began it must finish it in their own browser.",
  not_a_member: "You are no longer a member of the workspace for which this began.",
  wrong_issuer: "The answer came from another server than the one that was asked, which may be an attack.",
  provider_refused:
    "The provider refused to finish this. Begin again; if it happens again, the log of this server says why.",
  provider_silent: "The provider did not answer in time. Try again later.",
  scope_missing:
    "The access that is needed was not allowed on the page of consent. Begin again, and leave its box ticked.",
  no_refresh: "The provider gave access for a short while only (no refresh token), which is no use here.",
  no_account:
    "The provider did not say which mailbox or channel this is. Whoever runs this server checks the client’s scopes.",
  bad_webhook: "The provider named a webhook at an address that this server may not call.",
  plan_limit: "The plan’s ceiling for alert webhooks is reached.",
  too_many: "The workspace has as many connections or alert webhooks as it may have.",
  not_configured: "The provider’s client is no longer set on this server.",
};

/** An address may name any code. */
export function toProblemWords(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as ConnectProblem] : "The reason is not known.";
}

// Why nothing was connected: a code that stands in an address, and what a person reads.

export const connectProblems = {
  denied: "The consent was not given, so nothing was connected.",
  unknown_state:
    "This answer belongs to no request of ours, or was used already. Nothing was connected: begin again from the list of integrations.",
  expired: "More than 10 minutes passed before the answer came. Nothing was connected: begin again.",
  logged_out:
    "You are not logged in here, so nobody can say whose connection this is. Nothing was connected: log in and begin again.",
  other_user:
    "Somebody else began this, and you are logged in here. Nothing was connected: whoever began it must finish it in their own browser.",
  not_a_member: "You are no longer a member of the workspace for which this began. Nothing was connected.",
  wrong_issuer:
    "The answer came from another server than the one that was asked, which may be an attack. Nothing was connected.",
  provider_refused:
    "The provider refused to finish this. Nothing was connected: begin again, and if it happens again, the server's operator finds why in the log.",
  provider_silent: "The provider did not answer in time. Nothing was connected: try again later.",
  scope_missing:
    "The access that is needed was not allowed on the page of consent. Nothing was connected: begin again, and leave its box ticked.",
  no_refresh:
    "The provider gave access for a short while only (no refresh token), which is no use here. Nothing was connected.",
  no_account:
    "The provider did not say which mailbox or channel this is. Nothing was connected: the server's operator checks the client's scopes.",
  bad_webhook:
    "The provider named a webhook at an address that this server may not call. Nothing was connected.",
  plan_limit: "The plan's ceiling for alerts (`alerts`) is reached. Nothing was connected.",
  too_many: "The workspace has as many connections or alert webhooks as it may have. Nothing was connected.",
  not_configured: "The provider's OAuth client is no longer set on this server. Nothing was connected.",
} as const satisfies Readonly<Record<string, string>>;

export type ConnectProblem = keyof typeof connectProblems;

export function isConnectProblem(code: string): code is ConnectProblem {
  return Object.hasOwn(connectProblems, code);
}

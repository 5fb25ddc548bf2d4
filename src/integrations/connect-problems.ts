// Why nothing was connected: codes that stand in the address at which a person arrives. The web app has the words.

export type ConnectProblem =
  | "denied"
  | "unknown_state"
  | "expired"
  | "logged_out"
  | "other_user"
  | "not_a_member"
  | "wrong_issuer"
  | "provider_refused"
  | "provider_silent"
  | "scope_missing"
  | "no_refresh"
  | "no_account"
  | "bad_webhook"
  | "plan_limit"
  | "too_many"
  | "not_configured";

// A provider that is connected by OAuth, as facts: where it is, what is asked of it, and what its answers mean. The flow
// (tasks/oauth-*.ts) knows none of them by name.

import { readEmail } from "../accounts/emails.ts";
import type { Provider } from "../placement/provider.ts";

export type Words = Readonly<Record<string, unknown>>;

/** What the provider told of who gave consent. */
export type GivenAccount = {
  /** What a person knows it by; with the provider's name it tells whether it is connected already. */
  readonly account: string;
  /** Revoking a token ends all that was given under this name, whichever workspace it was given to. */
  readonly grant: string;
  /** Where messages are posted; null for a mailbox. */
  readonly webhookUrl: string | null;
};

export type OauthFacts = {
  readonly label: string;
  readonly purpose: string;
  /** Those that `discovers` names the rest, at its well-known place (OpenID Connect Discovery). */
  readonly server:
    | { readonly discovers: true; readonly issuer: string }
    | {
        readonly discovers: false;
        readonly issuer: string;
        readonly authorizeUrl: string;
        readonly tokenUrl: string;
        /** Relative to the token endpoint, so that it moves with that. */
        readonly revokePath: string;
      };
  readonly scopes: readonly string[];
  /** Without these there is nothing to do: people may untick what they are asked for. */
  readonly neededScopes: readonly string[];
  /** Beside those of every authorization request. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  /** "without a secret": what proves who redeems the code is the client's secret, where there is one. */
  readonly pkce: "always" | "without a secret";
  /** With an ID token, which bears our nonce and tells the account. */
  readonly isOpenId: boolean;
  /** Null: what connecting gives is a webhook. */
  readonly mailbox: {
    readonly server: { readonly host: string; readonly port: number; readonly tls: "implicit" };
    readonly seedProvider: Provider;
  } | null;
  /** Null: it was not told, or is nothing that we can use. `claims`: of the ID token, or of the user's record. */
  readonly readAccount: (claims: Words, answer: Words) => GivenAccount | null;
  /** Puts right what is no standard answer of a token endpoint. */
  readonly tidyAnswer?: (answer: Words) => { readonly isError: boolean; readonly answer: Words };
  /** Its webhook is there until it is deleted at its own address, whatever becomes of the tokens. */
  readonly deletesWebhook?: true;
  /** Completes what a person is told when the consent is no longer good. */
  readonly lapseNote: string;
};

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function wordsOf(value: unknown): Words {
  return typeof value === "object" && value !== null ? (value as Words) : {};
}

/** Of a mailbox: its address, in the one form that names an account. */
export function readMailboxAccount(claims: Words, addressClaims: readonly string[]): GivenAccount | null {
  const addresses = addressClaims.map((claim) => readEmail(textOf(claims[claim]) ?? ""));
  const account = addresses.find((address) => address !== undefined);
  if (account === undefined) return null;
  return { account, grant: textOf(claims.sub) ?? account, webhookUrl: null };
}

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

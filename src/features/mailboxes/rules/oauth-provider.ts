// A provider as facts. For OAuth: where it is, what we request, and how to read its answers. The flow (oauth/) knows no
// provider by name.

import type { Provider } from "../../../analyzer/placement/provider.ts";
import type { AlertKind } from "../../alerts/rules/alert-event.ts";

export type Words = Readonly<Record<string, unknown>>;

/** The account that gave consent, as the provider reports it. */
export type GivenAccount = {
  /** The account's display name. Together with the provider's name it identifies an existing connection. */
  readonly account: string;
  /** Revoking a token ends everything granted under this name, in all workspaces. */
  readonly grant: string;
  /** Where messages are posted; null for a mailbox. */
  readonly webhookUrl: string | null;
};

/** What lists show of any provider. */
export type IntegrationFacts = { readonly label: string; readonly purpose: string; readonly scopes: readonly string[] };

export type OauthFacts = IntegrationFacts & {
  /** With `discovers`, the other endpoints come from its discovery document (OpenID Connect Discovery). */
  readonly server:
    | { readonly discovers: true; readonly issuer: string }
    | {
        readonly discovers: false;
        readonly issuer: string;
        readonly authorizeUrl: string;
        readonly tokenUrl: string;
        /** Relative to the token endpoint, so that it moves with it. */
        readonly revokePath: string;
      };
  /** Required scopes. Users can untick scopes on the consent page. */
  readonly neededScopes: readonly string[];
  /** In addition to those of every authorization request. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  /** "without a secret": a client with a secret proves its identity with that instead. */
  readonly pkce: "always" | "without a secret";
  /** Returns an ID token, which contains our nonce and identifies the account. */
  readonly isOpenId: boolean;
  readonly gives: GivenMailbox | GivenChannel;
  readonly card: ProviderCard;
  /** Normalizes nonstandard answers of a token endpoint. */
  readonly tidyAnswer?: (answer: Words) => { readonly isError: boolean; readonly answer: Words };
  /** Appended to the message that consent has ended. */
  readonly lapseNote: string;
};

/** What the page says before it is connected. `what`: as in "Connect a Gmail mailbox". */
type ProviderCard = {
  readonly title: string;
  readonly what: string;
  readonly says: string;
  readonly note: string | null;
};

type GivenMailbox = {
  readonly is: "mailbox";
  readonly server: { readonly host: string; readonly port: number; readonly tls: "implicit" };
  readonly seedProvider: Provider;
  /** The claims that may have its address, from the ID token or from the user's record. */
  readonly addressClaims: readonly string[];
};

/** The connection provides a webhook. */
type GivenChannel = {
  readonly is: "channel";
  readonly alertKind: AlertKind;
  /** Null: missing or unusable. `answer`: to the request for a token. */
  readonly readAccount: (answer: Words) => GivenAccount | null;
  /** The webhook exists until it is deleted at its own URL, whatever happens to the tokens. */
  readonly deletesWebhook?: true;
};

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function wordsOf(value: unknown): Words {
  return typeof value === "object" && value !== null ? (value as Words) : {};
}

// Why nothing was connected, as codes in the URL that the browser returns to. The web app has the words.

export type ConnectProblem =
  | "denied"
  | "unknown_state"
  | "expired"
  | "logged_out"
  | "other_user"
  | "not_a_member"
  | "token_ended"
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

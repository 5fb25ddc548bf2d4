// What an API token may do (src/decisions.md, "Tokens"): the one place where scopes and labels are enforced, for HTTP and
// for the tools of agents. What an endpoint needs is part of its definition.

import type { Endpoint } from "../../contract/endpoint.ts";
import { scopeAllows } from "../../contract/token-scopes.ts";
import { Refusal } from "../../errors.ts";
import type { Caller } from "./caller.ts";

export type TokenTerms = Pick<Endpoint, "token" | "labelToken">;

/** Call it once the caller's role is known to be enough, so that a stranger learns nothing about a workspace. */
export function requireTokenRight({ token: needed, labelToken }: TokenTerms, caller: Caller): void {
  if (caller.via !== "token" || needed === null) return;
  const { scope, label } = caller.token;
  if (needed === "person")
    throw new Refusal(
      "forbidden",
      "API tokens can't do this, because it concerns a person and not the workspace. Log in to the web app instead.",
    );
  if (!scopeAllows(scope, needed))
    throw new Refusal(
      "forbidden",
      `This needs an API token with the scope "${needed}", and yours has "${scope}". Create another one under Settings > API tokens.`,
    );
  if (needed === "full" && caller.lacksFactor)
    throw new Refusal(
      "second_factor_required",
      "This workspace requires a second factor, and the person who created this API token has none. They add one under Settings, Account.",
    );
  if (label !== null && labelToken === null)
    throw new Refusal(
      "forbidden",
      "This API token is limited to the tests of one label, and this is about more than those. Use a token without a label.",
    );
}

/** The label that the caller is limited to. */
export function labelOf(caller: Caller | null): string | null {
  return caller?.via === "token" ? caller.token.label : null;
}

/** For what a caller names itself. `asked` absent: the caller's own label. */
export function toOwnLabel(label: string | null, asked: string | null): string | null {
  if (label === null || asked === null || asked === label) return asked ?? label;
  throw new Refusal("forbidden", "This API token is limited to another label.", { field: "label" });
}

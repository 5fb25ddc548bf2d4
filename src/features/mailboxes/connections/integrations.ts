import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { OauthProvider } from "../../../platform/settings/config.ts";
import type { Creator } from "../../people/rows/memberships.ts";
import { disconnect } from "./connections.ts";
import {
  beginConnecting,
  type CameBack,
  type ConnectOutcome,
  type ConnectTerms,
  finishConnecting,
  undoConnecting,
} from "./oauth-connect.ts";

type Own = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

export type Integrations = {
  readonly isConfigured: (provider: OauthProvider) => boolean;
  readonly begin: (store: Own, provider: OauthProvider, creator: Creator) => Promise<string>;
  readonly finish: (back: CameBack) => Promise<ConnectOutcome>;
  /** `undo`: from what `finish` returned. False if it no longer works. */
  readonly undo: (provider: OauthProvider, undo: string) => Promise<boolean>;
  readonly disconnect: (store: Own, id: string) => Promise<void>;
};

export function createIntegrations(terms: ConnectTerms): Integrations {
  return {
    isConfigured: terms.oauth.isConfigured,
    begin: (store, provider, creator) => beginConnecting(store, terms, provider, creator),
    finish: (back) => finishConnecting(terms, back),
    undo: (provider, undo) => undoConnecting(terms, provider, undo),
    disconnect: (store, id) => disconnect(store, terms, id),
  };
}

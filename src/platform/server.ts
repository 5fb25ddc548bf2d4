// What a running server has, and what a feature is. The platform has a clock, a store and a few more; each feature adds
// its own parts to `Server` in its index.ts, so that nothing of a feature is left here when it goes.

import type { Dns } from "../analyzer/dns/answer.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import type { TroubleCode } from "./contract/server-state-words.ts";
import type { Secrets } from "./database/engine/sealed-rows.ts";
import type { Db } from "./database/schema.ts";
import type { Scope, WorkspaceStore } from "./database/scope.ts";
import type { Store } from "./database/store.ts";
import type { Callers } from "./http/callers/caller.ts";
import type { Call, Route } from "./route.ts";
import type { Config } from "./settings/config.ts";
import type { SecretKey } from "./system/secret-key.ts";
import type { System } from "./system/system.ts";
import type { Chore } from "./work/chores.ts";
import type { ServeRow } from "./work/serve-row.ts";

export interface Server {
  readonly config: Config;
  /** Names of the settings that the environment or the settings file sets. */
  readonly given: readonly string[];
  readonly system: System;
  readonly store: Store;
  readonly secretKey: SecretKey;
  readonly version: string;
  /** Names this process in claims. */
  readonly owner: string;
  /** Our host name in SMTP greetings and Authentication-Results. */
  readonly host: string;
  /** Without a cache, so that a record that was just published is seen. */
  readonly uncachedDns: Dns;
  /** What is open is added here, and closed in reverse order. */
  readonly parts: AsyncDisposableStack;
  /** The base of links, without a trailing slash. Known once the server listens. */
  readonly baseUrl: () => string;
  /** Files of the web app by name. Empty if it wasn't built. */
  readonly webFiles: ReadonlyMap<string, Uint8Array>;
  readonly features: readonly Feature[];
  /** The routes of all features. */
  readonly routes: readonly Route[];
  /** What must be true for /readyz. */
  readonly readiness: readonly ReadinessCheck[];
  /** Who may call. */
  readonly callers: Callers;
  /** What an endpoint needs and a server may lack. Each throws a refusal if this one does. */
  readonly needs: Readonly<Record<NonNullable<Endpoint["needs"]>, () => void>>;
  /** A token that is limited to a label sees no other tests. */
  readonly requireOwnLabel: RequireOwnLabel;
  /** Calls a handler so that what it changes is in the audit log. */
  readonly handle: (route: Route, call: Call, server: Server, state: unknown) => Promise<unknown>;
  /** Where a visitor without a session goes instead of a page of the web app. */
  readonly leadVisitor: (path: string) => Promise<string | null>;
  readonly noteRequest: (request: AnsweredRequest) => void;
  /** What keeps mail from a workspace, as codes. Empty: nothing. */
  readonly summarizeTrouble: (workspaceId: string | null) => string;
}

/** What a workspace's messages are analyzed by. Each feature adds its part, which its `readSettings` reads. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it
export interface WorkspaceSettings {}

/**
 * What a part of the product adds to it. Everything else about it lies in its folder. A core feature adds the points at
 * which others may extend it.
 */
export interface Feature {
  readonly name: string;
  /** What people use it for. */
  readonly says: string;
  /** Where its pages are in the web app (web/pages.tsx). */
  readonly paths?: readonly Endpoint["path"][];
  readonly routes?: readonly Route[];
  /** Routes for people, which the API's document leaves out. */
  readonly pages?: readonly Route[];
  /** Routes that answer whatever the server is called, and however busy it is. */
  readonly probes?: readonly Route[];
  /** Throws a refusal if a file in its settings has errors. Called before anything is opened, so that nothing has changed. */
  readonly check?: (config: Config) => Promise<unknown>;
  /** Builds its parts, for its own handlers and for other features. Called in the order of the list. */
  readonly open?: (server: Server) => Partial<Server> | Promise<Partial<Server>>;
  /** Takes connections. It calls `onStop` before it opens a port, because the next one may be in use. */
  readonly listen?: (server: Server, onStop: OnStop) => Promise<Partial<Server>>;
  /** Once the server listens: starts its loops. A start that fails on a used port has changed nothing. */
  readonly start?: (server: Server) => void | Promise<void>;
  readonly readSettings?: (db: Db, workspaceId: string) => Promise<Partial<WorkspaceSettings>>;
  /** Recurring work, which one process does at a time. */
  readonly chores?: (server: Server) => readonly Chore[];
  /** What it keeps encrypted. */
  readonly secrets?: Secrets;
  /** Removes what is too old, once an hour, if the clock can be trusted. */
  readonly tidy?: (terms: TidyTerms) => Promise<void>;
  /**
   * Stops what it does in a workspace, or throws a refusal if that can't be deleted now. Part of the transaction that
   * deletes it.
   */
  readonly beforeDeletion?: (workspace: Scope, server: Server) => Promise<void>;
  /** Ends one thing that a deleted workspace had elsewhere. Returns 0 once there is none. Its rows go afterwards. */
  readonly afterDeletion?: (workspace: Pick<WorkspaceStore, "read" | "write">, server: Server) => Promise<number>;
  /** Ends long waits, so that the web server can stop. */
  readonly endWaiting?: (server: Server) => void;
}

/** What takes connections stops together, because each may take a while. */
type OnStop = (stop: () => Promise<void>) => void;

type TidyTerms = Pick<Server, "config" | "store" | "system"> & {
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
};

export function defineFeature(feature: Feature): Feature {
  return feature;
}

/** Together less than the 10 s in which the server stops. */
export const stopTimes = {
  requestsMs: 4_000,
  choresMs: 1_500,
  analysesMs: 2_500,
  examinationsMs: 300,
  sendsMs: 500,
  domainsMs: 500,
  deliveriesMs: 500,
  mailboxesMs: 300,
};

/**
 * Opens the features one after the other. Each sees the parts of those before it, and may keep a function that reads a
 * later one. What was given in place of a part stays: a test's thread, or a road for mail.
 */
export async function openFeatures(features: readonly Feature[], given: Partial<Server>): Promise<Server> {
  const server = { ...given, features, routes: listRoutes(features) } as Server;
  for (const { open } of features) Object.assign(server, await open?.(server), given);
  return server;
}

export function listRoutes(features: readonly Feature[]): readonly Route[] {
  return features.flatMap(({ probes = [], routes = [] }) => [...probes, ...routes]);
}

/** The pages of the web app. */
export function listPaths(features: readonly Feature[]): readonly Endpoint["path"][] {
  return features.flatMap(({ paths = [] }) => paths);
}

export type AnsweredRequest = {
  readonly method: string;
  /** The template of the path, because strangers could fill memory with paths. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
};

export type RequireOwnLabel = (
  endpoint: Pick<Endpoint, "labelToken">,
  label: string | null,
  params: Readonly<Record<string, unknown>>,
  store: Pick<WorkspaceStore, "read"> | null,
) => Promise<void>;

export type ReadinessCheck = {
  readonly code: TroubleCode;
  /** Completes "Not ready: …". */
  readonly trouble: string;
  /** The web app works without it. */
  readonly isForMail?: boolean;
  readonly holds: () => boolean | Promise<boolean>;
};

/** Where a started server can be reached. */
export type Addresses = {
  readonly http: string;
  readonly smtp: readonly string[];
  /** Null: the first workspace has no address at a configured seed domain. */
  readonly seedAddress: string | null;
  /** Null: the server already has an owner. */
  readonly setUpLink: string | null;
  /** Works instead of the link, in a browser on this machine. Null: no such browser gets here. */
  readonly setUpCode: string | null;
};

export type App = {
  readonly start: () => Promise<Addresses>;
  /** Accepts nothing new and finishes work in progress within 10 s. */
  readonly stop: () => Promise<void>;
};

export type CreateApp = (config: Config, system: System, given?: readonly string[]) => App;

// Hosts and paths that reveal what a link really is. Each row has an example that matches and one that doesn't; a test
// runs them.

import patterns from "./link-patterns.json" with { type: "json" };

type LinkPattern = {
  readonly name: string;
  /** The host is one of these or a subdomain of one. Without it: any host. */
  readonly hosts?: readonly string[];
  /** Matches path and query together, from the beginning. */
  readonly path?: RegExp;
  readonly holds: string;
  readonly fails: string;
};

type PatternRow = Omit<LinkPattern, "path"> & { readonly path?: string };

function toPattern({ path, ...row }: PatternRow): LinkPattern {
  return path === undefined ? row : { ...row, path: new RegExp(path) };
}

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Services that count clicks and redirect. The target is hidden, or in the query. */
export const clickTrackers = patterns.clickTrackers.map(toPattern);

/** First labels of click trackers in the sender's own domain. */
export const trackerLabels = toSet(patterns.trackerLabels);

/** Security software that rewrites links for its recipients. It says nothing about the sender. */
export const linkGuards = patterns.linkGuards.map(toPattern);

/** Public services that redirect anyone anywhere by the address in the query or path. */
export const openRedirectors = patterns.openRedirectors.map(toPattern);

export const targetParameters = patterns.targetParameters.split(" ");

export const socialHosts = toSet(patterns.socialHosts);

/** Form and login hosts. An unsubscribe link should not lead there. */
export const formHosts = toSet(patterns.formHosts);

/** Public shorteners. Their reputation depends on all their users. */
export const publicShorteners = toSet(patterns.publicShorteners);

/** Shorteners of one brand for its own pages, and link-list pages. */
export const brandShorteners: ReadonlyMap<string, string> = new Map(Object.entries(patterns.brandShorteners));

/** Top-level domains with a large share of abuse. */
export const riskyEndings = toSet(patterns.riskyEndings);

// A server whose people log in at an organization's issuer, and a browser.

import { clientId, clientSecret, type openBrowser } from "../oidc-issuer.ts";
import { type HttpWorld, type HttpWorldOptions, startHttpWorld } from "./http-world.ts";

export const sessionCookie = "assay_session";
export const loginCookie = "assay_login";

export const adminsAndWriters = [
  { when: { groups: "assay-admins" }, role: "owner" },
  { when: { groups: "writers" }, role: "member" },
  { when: { groups: "marketing" }, role: "member", workspace: "Marketing" },
] as const;

export function toIssuer(issuer: string, more: object = {}) {
  return { label: "Example Inc.", issuer, clientId, clientSecret, roles: adminsAndWriters, ...more };
}

export async function worldWithIssuer(
  issuers: object,
  { login = "both", ...options }: HttpWorldOptions & { readonly login?: "both" | "oidc" } = {},
) {
  const settings = { ASSAY_LOGIN: login, ASSAY_OIDC: "issuers.json", ...options.machine?.settings };
  const world = await startHttpWorld({ ...options, issuers, machine: { ...options.machine, settings } });
  // The issuer and its library live by the true time.
  world.clock.nowMs = Date.now();
  const first = (await world.createWorkspace("Server")).id;
  world.clock.nowMs += 1;
  const marketing = (await world.createWorkspace("Marketing")).id;
  return { ...world, first, marketing };
}

/** Logs in from the login page and returns where the browser is in the end, without opening the web app. */
export async function logInAt(
  { base }: Pick<HttpWorld, "base">,
  browser: ReturnType<typeof openBrowser>,
  { name = "company", query = "" }: { readonly name?: string; readonly query?: string } = {},
): Promise<string> {
  const isThere = (at: URL) => at.origin === base && !at.pathname.startsWith("/api/");
  const { at, text, status } = await browser.open(`${base}/api/oidc/${name}/start${query}`, isThere);
  if (!isThere(at)) throw new Error(`Stopped at ${at.href} with ${status}: ${text.slice(0, 300)}`);
  return at.pathname + at.search;
}

export async function readRoles(
  { base }: Pick<HttpWorld, "base">,
  browser: ReturnType<typeof openBrowser>,
): Promise<unknown> {
  const { status, json } = await browser.read(`${base}/api/me`);
  if (status !== 200) return status;
  const workspaces = json.workspaces as readonly { readonly name: string; readonly role: string }[];
  return Object.fromEntries(workspaces.map(({ name, role }) => [name, role]));
}

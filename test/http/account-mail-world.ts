// A server with a relay, an owner with a password, and what was sent.

import { expect } from "vitest";
import type { Outgoing, TransportFailure } from "../../src/features/sending/work/transports.ts";
import { type HttpWorldOptions, startHttpWorld } from "./http-world.ts";
import { cookieOf, goodPassword, setUpToken } from "./people.ts";

export const site = "https://assay.example";
export const ann = { name: "Ann", email: "ann@example.com", password: goodPassword };
export const another = "another lamp under tundra";

export type Entry = { readonly action: string; readonly summary: string; readonly [more: string]: unknown };
type Road = NonNullable<HttpWorldOptions["road"]>;

export async function worldWithRelay(
  settings: Readonly<Record<string, string>> = { ASSAY_BASE_URL: site },
  options: Pick<HttpWorldOptions, "issuers"> & { readonly road?: Road } = {},
) {
  const sent: Outgoing[] = [];
  const relay: { failure: TransportFailure | null } = { failure: null };
  const deliver = async (mail: Outgoing) => {
    if (relay.failure !== null) throw relay.failure;
    sent.push(mail);
    return "250 2.0.0 Ok: queued as 4Xyz";
  };
  const world = await startHttpWorld({
    ...options,
    road: options.road ?? { transport: "relay", deliver, close() {} },
    machine: { settings },
  });
  const { ask } = world;
  const { id: workspace } = await world.createWorkspace("Ours");
  const setUp = await ask("POST", "/api/auth/setup", { body: { token: await setUpToken(world), ...ann } });
  const { cookie } = cookieOf(setUp.headers);
  const forget = (email: string = ann.email) =>
    ask("POST", "/api/auth/reset/request", { body: { email }, headers: { "user-agent": "a browser" } });
  return {
    ...world,
    workspace,
    cookie,
    userId: setUp.json.user.id as string,
    sent,
    relay,
    forget,
    /** Waits for the mail and returns its link's secret. */
    forgetAndRead: async (email: string = ann.email) => {
      const before = sent.length;
      expect((await forget(email)).status).toBe(204);
      await expect.poll(() => sent.length).toBe(before + 1);
      return secretIn(sent.at(-1));
    },
    logIn: (password: string, email: string = ann.email) =>
      ask("POST", "/api/auth/login", { body: { email, password } }),
    reset: (token: string, password: string = another, headers: Record<string, string> = {}) =>
      ask("POST", "/api/auth/reset", { body: { token, password }, headers }),
    invite: (body: object, headers: Record<string, string> = {}) =>
      ask("POST", "/api/members", { cookie, workspace, body, headers }),
    listInvitations: async () => (await ask("GET", "/api/members", { cookie, workspace })).json.invitations,
    /** As another owner, because a reset ends Ann's session. */
    audit: async (query = ""): Promise<readonly Entry[]> => {
      const { cookie: own } = await world.addPerson(workspace, "owner", "Auditor");
      return (await ask("GET", `/api/audit${query}`, { cookie: own, workspace })).json.items;
    },
  };
}

/** As the recipient's client shows it. */
export function textOf(mail: Outgoing | undefined): string {
  const lines = Buffer.from(mail?.raw ?? [])
    .toString("latin1")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(lines, "latin1").toString("utf8");
}

export function secretIn(mail: Outgoing | undefined): string {
  return /\/(?:reset|invite)#([\w-]{43})/.exec(textOf(mail))?.[1] ?? "";
}

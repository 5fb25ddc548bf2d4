// A workspace in a browser that can be connected to what it likes: mailboxes whose log-ins answer as they are told, and a
// provider of consent that is set when a test begins one.

import type { Provider } from "../../src/analyzer/placement/provider.ts";
import type { TrialOutcome } from "../../src/features/mailboxes/work/trials.ts";
import type { OauthProvider } from "../../src/platform/settings/config.ts";
import { connectMailbox } from "../features/mailboxes/work/mailbox-world.ts";
import type { Observed } from "../platform/database/observations.ts";
import { insertObservations } from "../platform/database/observations.ts";
import { aLetter } from "./letters.ts";
import { addReader, openWebWorld } from "./web-world.ts";

export async function openIntegrationsWorld() {
  const login: { answer: TrialOutcome } = { answer: { ok: true } };
  const clients: Partial<Record<OauthProvider, string>> = {};
  const secrets: Partial<Record<OauthProvider, string>> = {};
  const issuers: Partial<Record<OauthProvider, string>> = {};
  const world = await openWebWorld({
    tryMailbox: async () => login.answer,
    oauth: { oauthClientId: clients, oauthClientSecret: secrets, oauthIssuer: issuers },
  });
  world.internet.zone = { "imap.gmail.com": { A: ["9.9.9.9"] }, "imap.own.example": { A: ["9.9.9.9"] } };
  return {
    ...world,
    login,
    setClient: (provider: OauthProvider, client: { id: string; secret: string; issuer: string }) => {
      clients[provider] = client.id;
      secrets[provider] = client.secret;
      issuers[provider] = client.issuer;
    },
  };
}

export type IntegrationsWorld = Awaited<ReturnType<typeof openIntegrationsWorld>>;

export async function openReader(world: IntegrationsWorld) {
  const { store, clock } = world;
  const reader = await addReader(world);
  const { workspaceId } = reader;
  return {
    ...reader,
    addMember: () => world.addPerson(workspaceId, "member", "Ben Oake"),
    connect: (account: string, changes: Partial<Parameters<typeof connectMailbox>[1]> = {}) =>
      connectMailbox(store, { workspaceId, account, connectedAt: clock.nowMs - 86_400_000, ...changes }),
    /** What a mailbox showed of one message, as often as it takes. */
    see: async (times: number, provider: Provider, observed: Partial<Observed> = {}) => {
      const testId = await world.receive(workspaceId, null, aLetter("One of many"));
      const seen = { workspaceId, testId, provider, seenAt: clock.nowMs, ...observed };
      await store.write((db) => insertObservations(db, seen, times));
    },
  };
}

/** Predicted with these odds of spam, and in the folder that they make likeliest. */
export function predictedSpam(spam: number): NonNullable<Observed["predicted"]> {
  return { folder: spam > 0.5 ? "spam" : "inbox", odds: { inbox: 1 - spam, promotions: 0, spam, rejected: 0 } };
}

// Secrets of a connection never leak: no token in the database's files, in a log line, or in a response.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Answered } from "../../../http/ask.ts";
import {
  answerConsent,
  discordTokens,
  slackHook,
  slackToken,
  startDiscord,
  startSlack,
} from "../../../http/chat-providers.ts";
import { worldInBrowser } from "../../../http/integrations-world.ts";
import { clientId, clientSecret, giveConsent, startOauthServer } from "../../../oauth-server.ts";

const ownSecrets = { slack: "slack-client-secret-123456", discord: "discord-client-secret-123456" };

async function openAll() {
  const [server, slack, discord] = await Promise.all([startOauthServer(), startSlack(), startDiscord()]);
  const world = await worldInBrowser({
    oauth: {
      oauthClientId: { google: clientId, slack: "1.2", discord: "123" },
      oauthClientSecret: { google: clientSecret, ...ownSecrets },
      oauthIssuer: { google: server.issuer },
      oauthTokenUrl: { slack: `${slack.url}/api/oauth.v2.access`, discord: `${discord.url}/api/oauth2/token` },
    },
    privateTargets: { all: true, networks: [] },
  });
  return { ...world, server, slack, discord };
}

test("no token, secret, or code is in the database's files, in a log line, or in a response", async () => {
  const world = await openAll();
  const { ask, begin, comeBack, server, slack, discord, clock, createAccessTokens, lines, folder, base } = world;
  const answers: Answered[] = [];
  const told: string[] = [];
  const note = async (answer: Promise<Answered>) => {
    answers.push(await answer);
  };
  const codes: string[] = [];
  const go = async (back: URL) => {
    codes.push(back.searchParams.get("code") ?? "");
    await note(comeBack(back));
    // Once more, which is a fault and may be logged.
    await note(comeBack(back));
  };
  await go(await giveConsent(await begin()));
  await go(answerConsent(await begin("slack"), "slack-code-0123456789"));
  await go(answerConsent(await begin("discord"), "discord-code-0123456789"));
  const { items } = (await ask("GET", "/api/integrations")).json;
  const google = items.find(({ provider }: { provider: string }) => provider === "google");
  clock.nowMs += 3_600_000;
  told.push(JSON.stringify(await createAccessTokens()("int_unknown")));
  expect(await createAccessTokens()(google.id)).toMatchObject({ ok: true });
  server.withdraw();
  clock.nowMs += 3_600_000;
  told.push(JSON.stringify(await createAccessTokens()(google.id)));
  slack.next.error = "invalid_code";
  discord.next.error = "invalid_grant";
  await go(answerConsent(await begin("slack"), "slack-code-9876543210"));
  await go(answerConsent(await begin("discord"), "discord-code-9876543210"));
  await note(ask("GET", "/api/integrations"));
  await note(ask("GET", "/api/alerts"));
  for (const path of ["/integrations?problem=denied", "/api/export", "/api/openapi.json"]) {
    const answer = await fetch(base + path);
    told.push(await answer.text());
  }
  expect(server.issued.length).toBeGreaterThanOrEqual(5);
  const secrets = [
    ...server.issued,
    ...codes,
    clientSecret,
    ...Object.values(ownSecrets),
    slackToken,
    ...discordTokens,
    slackHook,
    "cqDpXQSlackHookSecret",
    "discordHookSecret",
  ];
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  expect(files.length).toBeGreaterThanOrEqual(2);
  const logged = lines.map((line) => JSON.stringify(line));
  expect(logged.length).toBeGreaterThan(0);
  const shown = answers.map(({ text, headers }) => text + JSON.stringify([...headers]));
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    for (const text of [...files, ...logged, ...shown, ...told]) expect(text.includes(secret)).toBe(false);
  }
  // What is sealed is there, and is found by whoever has the key.
  const rows = await world.store.read.selectFrom("integrations").select(["id", "secret"]).execute();
  expect(rows).toHaveLength(3);
  for (const { id, secret } of rows) {
    const opened = world.integrationSealer.open(secret, `integrations/${id}/oauth`);
    expect(secrets.some((one) => opened?.includes(one))).toBe(true);
    expect(world.integrationSealer.open(secret, `integrations/${id}/password`)).toBeUndefined();
    expect(world.integrationSealer.open(secret, "integrations/int_other/oauth")).toBeUndefined();
  }
});

test("an OAuth state is stored as a hash, and its data is encrypted", async () => {
  const { begin, store, folder } = await openAll();
  const { searchParams } = new URL(await begin());
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  for (const name of ["state", "nonce"])
    for (const text of files) expect(text.includes(searchParams.get(name) ?? "")).toBe(false);
  expect(await store.read.selectFrom("oauth_states").select("hash").execute()).toHaveLength(1);
});

test("only the newest twenty OAuth requests of a user are stored", async () => {
  const { begin, store, clock } = await openAll();
  let newest = "";
  for (let times = 0; times < 25; times++) {
    clock.nowMs += 1;
    newest = await begin();
  }
  expect(await store.read.selectFrom("oauth_states").select("hash").execute()).toHaveLength(20);
  expect(newest).not.toBe("");
});

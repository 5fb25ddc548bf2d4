// Connecting a channel of a chat service makes an alert webhook.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Dns } from "../../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { usualEventTypes } from "../../../../src/features/alerts/rules/alert-event.ts";
import { selfHostedPlans } from "../../../../src/features/people/rules/plans.ts";
import { answerConsent, slackHook, slackToken, startDiscord, startSlack } from "../../../http/chat-providers.ts";
import type { HttpWorldOptions } from "../../../http/http-world.ts";
import { worldInBrowser } from "../../../http/integrations-world.ts";

async function openSlack(options: HttpWorldOptions = {}, secret: string | undefined = "slack-client-secret") {
  const slack = await startSlack();
  const world = await worldInBrowser({
    oauth: {
      oauthClientId: { slack: "1.2" },
      oauthClientSecret: secret === undefined ? {} : { slack: secret },
      oauthTokenUrl: { slack: `${slack.url}/api/oauth.v2.access` },
    },
    ...options,
  });
  const connect = async (code = "code") =>
    (await world.comeBack(answerConsent(await world.begin("slack"), code))).location;
  const listAlerts = async () => (await world.ask("GET", "/api/alerts")).json.items;
  return { ...world, slack, connect, listAlerts };
}

async function openDiscord() {
  const discord = await startDiscord();
  const world = await worldInBrowser({
    oauth: {
      oauthClientId: { discord: "123" },
      oauthClientSecret: { discord: "discord-client-secret" },
      oauthTokenUrl: { discord: `${discord.url}/api/oauth2/token` },
    },
    privateTargets: { all: true, networks: [] },
  });
  const connect = async (code = "code", says = {}) =>
    (await world.comeBack(answerConsent(await world.begin("discord"), code, says))).location;
  const listAlerts = async () => (await world.ask("GET", "/api/alerts")).json.items;
  return { ...world, discord, connect, listAlerts };
}

test("Slack's consent page is asked for a webhook, without PKCE if there is a client secret", async () => {
  const { begin, base } = await openSlack();
  const url = new URL(await begin("slack"));
  expect(url.origin + url.pathname).toBe("https://slack.com/oauth/v2/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "1.2",
    response_type: "code",
    redirect_uri: `${base}/api/integrations/slack/callback`,
    scope: "incoming-webhook",
    state: expect.any(String),
  });
});

test("a Slack app without a client secret uses PKCE", async () => {
  const slack = await startSlack();
  const { begin } = await worldInBrowser({
    oauth: { oauthClientId: { slack: "1.2" }, oauthTokenUrl: { slack: `${slack.url}/api/oauth.v2.access` } },
  });
  expect(new URL(await begin("slack")).searchParams.get("code_challenge_method")).toBe("S256");
});

test("connecting a Slack channel creates an alert webhook, and disconnecting deletes it", async () => {
  const { connect, listAlerts, listConnected, ask, slack } = await openSlack();
  expect(await connect()).toBe("/integrations?connected=slack");
  expect(await listConnected()).toMatchObject([
    { provider: "slack", account: "Slack Pickleball Team #alerts", status: "connected", server: null },
  ]);
  expect(await listAlerts()).toMatchObject([
    {
      label: "Slack: Slack Pickleball Team #alerts",
      kind: "slack",
      events: usualEventTypes,
      thresholdScore: 70,
      url: expect.stringContaining("hooks.slack.example"),
    },
  ]);
  const [{ id }] = await listConnected();
  await ask("DELETE", `/api/integrations/${id}`);
  expect(await listAlerts()).toEqual([]);
  expect(slack.asked.at(-1)).toMatchObject({ path: "/api/auth.revoke", form: { token: slackToken } });
});

test("a channel that is disconnected while it is reconnected has its own new webhook", async () => {
  let meanwhile = async () => {};
  const query: Dns["query"] = async (name, type) => {
    const once = meanwhile;
    meanwhile = async () => {};
    await once();
    return await createZoneDns({}).query(name, type);
  };
  const { connect, listAlerts, listConnected, ask, slack } = await openSlack({ dns: { query } });
  await connect();
  const [{ id }] = await listConnected();
  slack.next.hook = `${slackHook}2`;
  let status = 0;
  meanwhile = async () => {
    status = (await ask("DELETE", `/api/integrations/${id}`)).status;
  };
  expect(await connect()).toBe("/integrations?connected=slack");
  expect(status).toBe(204);
  expect(await listConnected()).toMatchObject([{ status: "connected", problem: null }]);
  expect(await listAlerts()).toMatchObject([{ enabled: true }]);
});

test("a Slack error in a 200 response connects nothing", async () => {
  const { connect, listAlerts, listConnected, slack } = await openSlack();
  slack.next.error = "invalid_code";
  expect(await connect()).toBe("/integrations?provider=slack&problem=provider_refused");
  expect([...(await listAlerts()), ...(await listConnected())]).toEqual([]);
});

test("reconnecting a Slack channel keeps its webhook and updates the URL", async () => {
  const { connect, listAlerts, listConnected, slack, store } = await openSlack();
  await connect();
  const [before] = await listAlerts();
  const address = () => store.read.selectFrom("alerts").select(["id", "url"]).executeTakeFirstOrThrow();
  const { url } = await address();
  slack.next.hook = `${slackHook}2`;
  expect(await connect()).toBe("/integrations?connected=slack");
  expect(await listAlerts()).toMatchObject([{ id: before.id }]);
  expect((await address()).url).not.toBe(url);
  expect(await listConnected()).toHaveLength(1);
});

test("connecting a channel twice at once gives one connection with one webhook", async () => {
  const both = Promise.withResolvers<void>();
  let asked = 0;
  const query: Dns["query"] = async (name, type) => {
    // Each is past its look for an older connection before the other has one. An address is asked for twice.
    if (++asked === 3) both.resolve();
    await both.promise;
    return await createZoneDns({}).query(name, type);
  };
  const { connect, listAlerts, listConnected } = await openSlack({ dns: { query } });
  const locations = await Promise.all([connect(), connect()]);
  expect(new Set(locations)).toEqual(new Set(["/integrations?connected=slack"]));
  expect(await listConnected()).toMatchObject([{ status: "connected", problem: null }]);
  expect(await listAlerts()).toHaveLength(1);
});

test("a Slack token is not revoked while another channel uses it", async () => {
  const { connect, listConnected, ask, slack } = await openSlack();
  await connect();
  slack.next.channel = "#second";
  await connect();
  const [first, second] = await listConnected();
  await ask("DELETE", `/api/integrations/${first.id}`);
  expect(slack.asked.filter(({ path }) => path.endsWith("revoke"))).toEqual([]);
  await ask("DELETE", `/api/integrations/${second.id}`);
  expect(slack.asked.filter(({ path }) => path.endsWith("revoke"))).toHaveLength(1);
});

test("a channel whose webhook was deleted says so, and gets a new one when it is reconnected", async () => {
  const { connect, listAlerts, listConnected, ask } = await openSlack();
  await connect();
  const [{ id }] = await listAlerts();
  await ask("DELETE", `/api/alerts/${id}`);
  expect(await listConnected()).toMatchObject([
    { status: "reconnect", problem: expect.stringContaining("was deleted") },
  ]);
  await connect();
  expect(await listConnected()).toMatchObject([{ status: "connected", problem: null }]);
  expect(await listAlerts()).toHaveLength(1);
  const [connected] = await listConnected();
  const [made] = await listAlerts();
  await ask("DELETE", `/api/alerts/${made.id}`);
  expect((await ask("DELETE", `/api/integrations/${connected.id}`)).status).toBe(204);
});

test("at the plan's alert limit, nothing is connected", async () => {
  const small = { ...selfHostedPlans.fallback, ceilings: { alerts: 0 } };
  const plans = { fallback: small, list: [small] };
  const { connect, listAlerts, listConnected, slack } = await openSlack({ plans });
  expect(await connect()).toBe("/integrations?provider=slack&problem=plan_limit");
  expect([...(await listAlerts()), ...(await listConnected())]).toEqual([]);
  expect(slack.asked.at(-1)?.path).toBe("/api/auth.revoke");
});

test("a webhook at a private address is rejected", async () => {
  const { connect, listAlerts, listConnected, slack } = await openSlack();
  slack.next.hook = "http://169.254.169.254/latest/meta-data";
  expect(await connect()).toBe("/integrations?provider=slack&problem=bad_webhook");
  expect([...(await listAlerts()), ...(await listConnected())]).toEqual([]);
});

test("a Slack response without a webhook connects nothing", async () => {
  const { connect, listConnected, slack } = await openSlack();
  slack.next.hook = "";
  expect(await connect()).toBe("/integrations?provider=slack&problem=no_account");
  expect(await listConnected()).toEqual([]);
});

const hostileAnswers = [
  ["a page", 200, "<html>Sign in</html>", "provider_refused"],
  ["nothing", 200, "", "provider_refused"],
  ["null", 200, "null", "provider_refused"],
  ["a list", 200, "[]", "provider_refused"],
  ["a token that is no text", 200, '{"access_token":{"a":1},"token_type":"bearer"}', "provider_refused"],
  ["an error that is no code", 400, '{"error":"<script>\\u0000"}', "provider_refused"],
  ["a fault of its own", 500, "{}", "provider_silent"],
  ["more than it may", 200, `{"access_token":"${"a".repeat(300_000)}"}`, "provider_silent"],
  ["a redirect", 302, "", "provider_refused"],
] as const;

test.each(hostileAnswers)("a provider that answers with %s connects nothing", async (...row) => {
  const [, status, body, problem] = row;
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const oauth = { oauthClientId: { discord: "123" }, oauthTokenUrl: { discord: `http://127.0.0.1:${port}/token` } };
  const { begin, comeBack, listConnected, lines } = await worldInBrowser({ oauth });
  const { location } = await comeBack(answerConsent(await begin("discord"), "code"));
  expect(location).toBe(`/integrations?provider=discord&problem=${problem}`);
  expect(await listConnected()).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(/script|aaaa/);
});

test("a channel name is shown as text, with invisible characters escaped", async () => {
  const { connect, listConnected, slack } = await openSlack();
  slack.next.channel = `#a\u0000b\u202e\ud800${"x".repeat(1_000)}`;
  expect(await connect()).toBe("/integrations?connected=slack");
  const [{ account }] = await listConnected();
  expect(account).toMatch(/^Slack Pickleball Team #a\\u0000b\\u202e\\ud800x+…$/);
});

test("connecting a Discord channel creates an alert webhook, and disconnecting deletes it at Discord too", async () => {
  const { begin, connect, listAlerts, listConnected, ask, discord } = await openDiscord();
  const { searchParams } = new URL(await begin("discord"));
  expect(searchParams.get("scope")).toBe("webhook.incoming");
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(await connect()).toBe("/integrations?connected=discord");
  expect(discord.asked[0]?.form).toMatchObject({ grant_type: "authorization_code", code_verifier: expect.any(String) });
  expect(await listConnected()).toMatchObject([
    { provider: "discord", account: "Captain Hook (channel 345626669224982402)", status: "connected" },
  ]);
  expect(await listAlerts()).toMatchObject([{ kind: "discord" }]);
  const [{ id }] = await listConnected();
  await ask("DELETE", `/api/integrations/${id}`);
  expect(await listAlerts()).toEqual([]);
  expect(discord.asked.slice(1)).toMatchObject([
    { method: "DELETE", path: "/api/webhooks/347114750880120863/discordHookSecret" },
    { method: "POST", path: "/api/oauth2/token/revoke" },
  ]);
});

test("reconnecting a Discord channel leaves no unused webhook", async () => {
  const { connect, listAlerts, listConnected, discord } = await openDiscord();
  await connect();
  await connect();
  const deleted = () => discord.asked.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(deleted()).toEqual([]);
  discord.next.hook = "447114750880120864";
  expect(await connect()).toBe("/integrations?connected=discord");
  expect(deleted()).toEqual(["/api/webhooks/347114750880120863/discordHookSecret"]);
  expect(await listConnected()).toHaveLength(1);
  expect(await listAlerts()).toHaveLength(1);
});

test("a denied or failed Discord consent connects nothing", async () => {
  const { connect, listConnected, discord } = await openDiscord();
  expect(await connect("", { error: "access_denied" })).toBe("/integrations?provider=discord&problem=denied");
  discord.next.error = "invalid_grant";
  expect(await connect()).toBe("/integrations?provider=discord&problem=provider_refused");
  expect(await listConnected()).toEqual([]);
});

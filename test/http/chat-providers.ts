// Slack's and Discord's token endpoints on loopback, which answer as they are documented to.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type AskedOfChat = {
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
};

async function startProvider(answer: (asked: AskedOfChat) => object) {
  const asked: AskedOfChat[] = [];
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const path = request.url ?? "";
    asked.push({ method: request.method ?? "", path, form });
    const body = answer({ method: request.method ?? "", path, form });
    response.writeHead("error" in body && !("ok" in body) ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Where the browser comes back to, with a code. */
export function answerConsent(address: string, code: string, says: Readonly<Record<string, string>> = {}): URL {
  const { searchParams } = new URL(address);
  const back = new URL(searchParams.get("redirect_uri") ?? "");
  const state = searchParams.get("state") ?? "";
  back.search = new URLSearchParams({ ...(code !== "" && { code }), state, ...says }).toString();
  return back;
}

export const slackToken = "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy";
export const slackHook = "https://hooks.slack.example/services/T9TK3CUKW/B9TK3CUKW/cqDpXQSlackHookSecret";

export async function startSlack() {
  const next = { channel: "#alerts", hook: slackHook, error: null as string | null };
  const provider = await startProvider(({ path, form }) => {
    if (path.endsWith("/auth.revoke")) return { ok: true, revoked: true };
    if (next.error !== null) return { ok: false, error: next.error };
    // Of an app that was not made a public client.
    if (form.code_verifier !== undefined) return { ok: false, error: "pkce_not_allowed" };
    return {
      ok: true,
      access_token: slackToken,
      token_type: "bot",
      scope: "incoming-webhook",
      bot_user_id: "U0KRQLJ9H",
      app_id: "A0KRD7HC3",
      team: { name: "Slack Pickleball Team", id: "T9TK3CUKW" },
      enterprise: null,
      authed_user: { id: "U1234" },
      is_enterprise_install: false,
      incoming_webhook: {
        channel: next.channel,
        channel_id: `C-${next.channel}`,
        configuration_url: "https://slack.example/services/B9TK3CUKW",
        url: next.hook,
      },
    };
  });
  return { ...provider, next };
}

export const discordTokens = ["PhwoXq0VFDvkA0yAvpWc8kQ1discord", "uLVWWGYkA0yRefreshDiscordToken"] as const;

export async function startDiscord() {
  const next = { error: null as string | null, hook: "347114750880120863" };
  const provider: Awaited<ReturnType<typeof startProvider>> = await startProvider(({ method, path }) => {
    if (method === "DELETE" || path.endsWith("/revoke")) return {};
    if (next.error !== null) return { error: next.error };
    return {
      token_type: "Bearer",
      access_token: discordTokens[0],
      scope: "webhook.incoming",
      expires_in: 604_800,
      refresh_token: discordTokens[1],
      webhook: {
        application_id: "310954232226357250",
        name: "Captain Hook",
        url: `${provider.url}/api/webhooks/${next.hook}/discordHookSecret`,
        channel_id: "345626669224982402",
        token: "discordHookSecret",
        type: 1,
        avatar: null,
        guild_id: "290926792226357250",
        id: next.hook,
      },
    };
  });
  return { ...provider, next };
}

import { needed, toHitRate } from "../../analyzer/placement/calibration.ts";
import { providers } from "../../analyzer/placement/provider.ts";
import { auditedObject } from "../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../platform/contract/primitives.ts";
import { Refusal, statusOf } from "../../platform/errors.ts";
import { answerPlainPage, type PlainPage } from "../../platform/http/plain-page.ts";
import { type Route, route } from "../../platform/route.ts";
import type { OauthProvider } from "../../platform/settings/config.ts";
import { listAlerts } from "../alerts/rows/alerts.ts";
import type { AlertsTable } from "../domains/tables.ts";
import { creatorOf } from "../people/work/callers.ts";
import type { ConnectOutcome, Integrations } from "./connections/oauth-connect.ts";
import { readCalibration } from "./contract/calibration.ts";
import type { Integration } from "./contract/integrations.ts";
import * as endpoints from "./contract/integrations.ts";
import { changeMailbox, createMailbox } from "./contract/mailboxes.ts";
import { readSeedList, readSeedListText } from "./contract/seed-list.ts";
import { countHits } from "./rows/calibration.ts";
import { listIntegrations } from "./rows/integrations.ts";
import {
  factsOf,
  type IntegrationProvider,
  integrationProviders,
  isOauthProvider,
  isPasswordProvider,
  passwordFacts,
} from "./rules/list.ts";
import type { IntegrationsTable } from "./tables.ts";
import { toProblemWords } from "./words.ts";
import type { MailboxServer } from "./work/messages.ts";
import { createBodyToken, listSeedAddresses } from "./work/seed-list.ts";

const auditedConnection = auditedObject({
  kind: "connection",
  table: "integrations",
  columns: ["provider", "account", "seed_provider", "scopes", "server", "status"],
  secrets: ["secret"],
  toName: ({ provider, account }) => `${provider} ${account}`,
});

/** The page of the web app that shows the result. */
const arrivalPath = "/integrations";

/** The button sends an empty one. */
const longestForm = 1_000;

export const integrationRoutes: readonly Route[] = [
  route(endpoints.listIntegrations, async ({ store: { read } }, { integrations }) => {
    const [rows, alerts] = await Promise.all([listIntegrations(read), listAlerts(read)]);
    const items = integrationProviders.flatMap((provider) => {
      const own = rows.filter((row) => row.provider === provider);
      if (own.length === 0) return [toUnconnected(provider, integrations)];
      return own.map((row) => toIntegration(row, integrations, alerts));
    });
    return { items };
  }),

  route(endpoints.connectIntegration, async ({ store, caller, params: { provider } }, { integrations }) => {
    if (isPasswordProvider(provider))
      throw new Refusal("not_found", `Use ${passwordFacts[provider].connect} to connect a mailbox with a password.`);
    if (!isOauthProvider(provider)) throw noSuchProvider();
    return { url: await integrations.begin(store, provider, creatorOf(caller)) };
  }),

  route(
    endpoints.finishIntegration,
    async ({ params: { provider }, query, headers, cookie: { secret: session } }, { integrations }) => {
      if (!isOauthProvider(provider)) throw noSuchProvider();
      const outcome = await integrations.finish({ provider, query, session });
      if (!outcome.isLoggedIn) return answerStranger(provider, outcome, headers.accept);
      const said = outcome.ok ? { connected: provider } : { provider, problem: outcome.problem };
      const location = `${arrivalPath}?${new URLSearchParams(said)}`;
      return new Response(null, { status: 302, headers: { "cache-control": "no-store", location } });
    },
  ).recording({ action: "connection.create", object: auditedConnection, effect: "maybe" }),

  route(
    endpoints.undoIntegration,
    async ({ params: { provider, undo }, headers: { accept = "" }, body }, { integrations }) => {
      await body.read(longestForm);
      if (!isOauthProvider(provider)) throw noSuchProvider();
      const { label } = factsOf(provider);
      if (await integrations.undo(provider, undo))
        return answerPlainPage({
          title: `${label} disconnected`,
          says: ["Assay deleted its access to your account. You can close this window."],
        });
      return answerFailure(accept, {
        title: `${label} not disconnected`,
        says: [
          `This button works for an hour, and only until the account is disconnected or connected again. You can also remove Assay from the apps that have access to your ${label} account.`,
        ],
      });
    },
  ).recording({ action: "connection.delete", object: auditedConnection, effect: "maybe" }),

  route(endpoints.deleteIntegration, async ({ store, params: { id } }, { integrations }) => {
    await integrations.disconnect(store, id);
    return undefined;
  }).recording({ action: "connection.delete", object: auditedConnection }),
];

/** A person who opened a link that a token requested may not know this server. */
function answerStranger(provider: OauthProvider, outcome: ConnectOutcome, accept = ""): Response {
  const { label } = factsOf(provider);
  if (outcome.ok)
    return answerPlainPage({
      title: `${label} connected`,
      says: [
        `${outcome.account} is now connected to the workspace “${outcome.workspace}” on this Assay server. If you started this, you can close this window.`,
        outcome.undo === null
          ? `It was connected before. If someone else sent you here, or you don’t know this workspace, remove Assay from the apps that have access to your ${label} account.`
          : "If someone else sent you here, or you don’t know this workspace, disconnect it now. Its members can use the connection until then.",
      ],
      ...(outcome.undo !== null && {
        action: "Disconnect",
        postTo: `/api/integrations/${provider}/undo/${outcome.undo}`,
      }),
      link: { href: arrivalPath, text: "Log in to Assay" },
    });
  return answerFailure(accept, { title: `${label} not connected`, says: [toProblemWords(outcome.problem)] });
}

function answerFailure(accept: string, page: PlainPage): Response {
  if (!accept.includes("text/html")) throw new Refusal("invalid_link", `${page.title}: ${page.says.join(" ")}`);
  return answerPlainPage(page, statusOf.invalid_link);
}

function toUnconnected(provider: IntegrationProvider, integrations: Integrations): Integration {
  return {
    id: null,
    provider,
    ...toShown(provider, integrations),
    connected: false,
    account: null,
    connectedAt: null,
    status: null,
    problem: null,
    statusSince: null,
    seedProvider: null,
    server: null,
    reads: null,
  };
}

function toIntegration(
  row: IntegrationsTable,
  integrations: Pick<Integrations, "isConfigured">,
  alerts: readonly AlertsTable[],
): Integration {
  const { id, provider, account } = row;
  return {
    id,
    provider,
    ...toShown(provider, integrations),
    connected: true,
    account,
    connectedAt: toTimestamp(row.connected_at),
    ...toState(row, alerts),
    statusSince: toTimestamp(row.status_since),
    scopes: JSON.parse(row.scopes) as string[],
    seedProvider: row.seed_provider,
    ...toServer(row.server === null ? null : (JSON.parse(row.server) as MailboxServer)),
  };
}

function toShown(provider: IntegrationProvider, { isConfigured }: Pick<Integrations, "isConfigured">) {
  const { label, purpose, scopes } = factsOf(provider);
  return { label, purpose, scopes: [...scopes], configured: isPasswordProvider(provider) || isConfigured(provider) };
}

/** A channel has the status of its webhook, which people change and delete separately. */
function toState(
  { server, alert_id, status, problem }: IntegrationsTable,
  alerts: readonly AlertsTable[],
): Pick<Integration, "status" | "problem"> {
  if (server !== null) return { status, problem };
  const alert = alerts.find(({ id }) => id === alert_id);
  if (alert === undefined)
    return {
      status: "reconnect",
      problem: "The alert webhook was deleted. Connect the channel again, or disconnect it.",
    };
  return alert.disabled_because === null ? { status, problem } : { status: "trouble", problem: alert.disabled_because };
}

function toServer(server: MailboxServer | null): Pick<Integration, "server" | "reads"> {
  if (server === null) return { server, reads: null };
  const { host, port, tls, inbox } = server;
  return { server: { host, port, tls: tls === "implicit" }, reads: inbox ? "tests" : "placement" };
}

function noSuchProvider(): Refusal {
  return new Refusal("not_found", "Provider not found.");
}

export const mailboxRoutes: readonly Route[] = [
  route(createMailbox, async ({ store, body, caller }, { mailboxes, integrations }) =>
    toIntegration(await mailboxes.connect(store, { ...body, connectedBy: caller.userId }), integrations, []),
  ).recording({ action: "connection.create", object: auditedConnection }),

  route(changeMailbox, async ({ store, params: { id }, body }, { mailboxes, integrations }) =>
    toIntegration(await mailboxes.changePassword(store, id, body), integrations, []),
  ).recording({ action: "connection.change", object: auditedConnection }),
];

export const seedListRoutes: readonly Route[] = [
  route(readSeedList, async ({ store }, { system, config }) => ({
    items: await listSeedAddresses(store.read, config.seedDomains),
    token: createBodyToken(system),
  })),

  route(readSeedListText, async ({ store }, { config }) => {
    const seen = (await listSeedAddresses(store.read, config.seedDomains)).filter(
      ({ status }) => status !== "reconnect",
    );
    const lines = seen.flatMap(({ address }) => (address === null ? [] : [`${address}\n`]));
    return new Response(lines.join(""), { headers: { "content-type": "text/plain; charset=utf-8" } });
  }),
];

export const calibrationRoutes: readonly Route[] = [
  route(readCalibration, async ({ store }) => {
    const counted = new Map((await countHits(store.readInWorker)).map((one) => [one.provider, one]));
    return {
      providers: providers.map((provider) => {
        const { observations = 0, hits = 0 } = counted.get(provider) ?? {};
        return { provider, needed, observations, hitRate: toHitRate(hits, observations) };
      }),
    };
  }),
];

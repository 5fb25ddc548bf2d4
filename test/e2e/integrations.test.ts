// The built program with a real authorization server: a user logs in, connects a mailbox, and disconnects it. Then
// its files and its log are searched for the tokens.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startAssay } from "../../scripts/assay-process.ts";
import { clientId, clientSecret, giveConsent, startOauthServer } from "../oauth-server.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const ann = { name: "Ann", email: "ann@people.example", password: "lamp quarrel tundra" };

test("a mailbox is connected in the user's browser and disconnected, and no token can be read anywhere", async () => {
  const provider = await startOauthServer();
  const folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    ASSAY_OAUTH_GOOGLE_CLIENT_ID: clientId,
    ASSAY_OAUTH_GOOGLE_CLIENT_SECRET: clientSecret,
    ASSAY_OAUTH_GOOGLE_ISSUER: provider.issuer,
    ASSAY_LOG_LEVEL: "debug",
  };
  const server = await startAssay({ dataDir: folder, command, environment });
  onTestFinished(async () => void (await server.end("SIGKILL")));
  const link = () => server.log.find(({ link }) => link !== undefined)?.link;
  await expect.poll(link).toBeDefined();
  const owner = await fetch(`${server.http}/api/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.http },
    body: JSON.stringify({ token: String(link()).split("#")[1], ...ann }),
  });
  const cookie = owner.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const me = await (await fetch(`${server.http}/api/me`, { headers: { cookie } })).json();
  const workspace = (me as { workspaces: { id: string }[] }).workspaces[0]?.id ?? "";
  const ask = (method: string, path: string) =>
    fetch(server.http + path, {
      method,
      redirect: "manual",
      headers: { cookie, origin: server.http, "x-workspace-id": workspace },
    });
  const list = async () =>
    ((await (await ask("GET", "/api/integrations")).json()) as { items: Record<string, unknown>[] }).items;
  const { url } = (await (await ask("GET", "/api/integrations/google/connect")).json()) as { url: string };
  const back = await giveConsent(url);
  const answer = await ask("GET", back.pathname + back.search);
  const location = answer.headers.get("location") ?? "";
  expect(location).toBe("/integrations?connected=google");
  expect((await ask("GET", location)).status).toBe(200);
  const [google] = await list();
  expect(google).toMatchObject({ connected: true, account: "ann@gmail.example", status: "connecting" });
  const searched = () => [
    ...readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1")),
    JSON.stringify(server.log),
  ];
  const secrets = [...provider.issued, clientSecret, back.searchParams.get("code") ?? ""];
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  for (const text of searched()) for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  expect((await ask("DELETE", `/api/integrations/${google?.id}`)).status).toBe(204);
  expect((await list())[0]).toMatchObject({ connected: false, id: null });
  expect(provider.asked.at(-1)).toBe("/token/revocation");
  expect(await server.end("SIGTERM")).toBe(0);
});

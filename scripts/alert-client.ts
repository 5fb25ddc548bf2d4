// Creates alert webhooks over REST.

import type { AssayProcess } from "./assay-process.ts";

export type Caller = { readonly token: string; readonly workspaceId: string };
export type ShownDelivery = { readonly status: string; readonly tries: number; readonly httpStatus: number | null };
export type ShownAlert = { readonly id: string; readonly enabled: boolean };

/** A webhook of kind json, for bounces. Returns its ID. */
export async function addAlert(server: AssayProcess, caller: Caller, label: string, url: string) {
  const body = { label, url, kind: "json", events: ["email.bounce_complaint"] };
  const { id } = (await call(server, caller, "POST", "/api/alerts", body)) as { id: string };
  return id;
}

export async function listAlerts(server: AssayProcess, caller: Caller): Promise<ShownAlert[]> {
  return ((await call(server, caller, "GET", "/api/alerts")) as { items: ShownAlert[] }).items;
}

export async function listDeliveries(server: AssayProcess, caller: Caller, id: string): Promise<ShownDelivery[]> {
  const answer = await call(server, caller, "GET", `/api/alerts/${id}/deliveries`);
  return (answer as { items: ShownDelivery[] }).items;
}

async function call(
  { http }: AssayProcess,
  { token, workspaceId }: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(http + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

// A server with the public page on, and visitors of it.

import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { receiveMessage } from "../../../src/features/intake/work/receive-message.ts";
import { createRouter } from "../../../src/features/intake/work/route-recipient.ts";
import type { Plans } from "../../../src/features/people/rules/plans.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { builtWeb } from "../../web/web-world.ts";

export const hourMs = 3_600_000;

type Terms = { readonly isOn?: boolean; readonly plans?: Plans };

export async function openPublic({ isOn = true, plans }: Terms = {}) {
  const settings = isOn ? { ASSAY_PUBLIC_TESTS: "on" } : {};
  const world = await startHttpWorld({
    webFiles: await builtWeb(),
    machine: { settings },
    trustedProxies: ["127.0.0.0/8"],
    ...(plans && { plans }),
  });
  const { store, config, system, publicDoor, intake } = world;
  const { id: workspace } = await world.createWorkspace("Ours");
  const route = createRouter({ db: store.read, config, catchAll: null, now: system.now, oneTime: publicDoor });
  /** From another network each time, unless given. */
  let visitors = 0;
  const nextClient = () => `198.51.${Math.floor(++visitors / 250)}.${visitors % 250}`;
  const visit = async (method: string, path: string, asked: Visit = {}) => {
    const response = await fetch(world.base + path, {
      method,
      redirect: "manual",
      headers: {
        accept: "text/html,*/*;q=0.8",
        "x-forwarded-for": asked.client ?? nextClient(),
        ...(method === "POST" && { origin: world.base, "content-type": "application/x-www-form-urlencoded" }),
        ...asked.headers,
      },
      ...(asked.body !== undefined && { body: asked.body }),
    });
    return { status: response.status, headers: response.headers, page: await response.text() };
  };
  return {
    ...world,
    workspace,
    visit,
    route,
    /** The path of a new test's page, and the address on it. */
    open: async (asked: Visit = {}) => {
      const { status, headers, page: trouble } = await visit("POST", "/test", asked);
      const path = headers.get("location") ?? "";
      if (status !== 302) return { status, headers, trouble, path: "", address: "" };
      const { page } = await visit("GET", path);
      return { status, headers, trouble: "", path, address: /id="address">([^<]+)</.exec(page)?.[1] ?? "" };
    },
    stateOf: async (path: string) => (await world.ask("GET", `${path}/state`)).json?.state,
    /** As the listener does it: at RCPT, and at the end of DATA. */
    send: async (address: string, client = "203.0.113.9", raw: string = ordinary) => {
      const routing = await route(address, client);
      if (routing.outcome !== "taken") return routing.outcome;
      const session = claimedSession({
        clientAddress: client,
        helo: "mail.sender.example",
        mailFrom: "news@sender.example",
        rcptTo: [address],
      });
      const message = { raw: Buffer.from(raw), session, recipients: [routing.recipient] };
      const kept = await receiveMessage(message, intake, system, async () => null, publicDoor.take).catch(
        (error: Error) => error.message,
      );
      return typeof kept === "string" ? kept : "kept";
    },
  };
}

type Visit = { readonly client?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** As a browser sends the form. */
export function pasted(message: string): Visit {
  return {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: `--x\r\ncontent-disposition: form-data; name="message"\r\n\r\n${message}\r\n--x--\r\n`,
  };
}

export const ordinary = "From: News <news@sender.example>\r\nSubject: Spring sale\r\n\r\nEverything is cheaper.\r\n";

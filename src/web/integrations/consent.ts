import type { Integration } from "../../api/integrations.ts";
import { call } from "../client/call.ts";

export async function leaveForConsent(provider: Integration["provider"]): Promise<void> {
  const { url } = await call("GET /api/integrations/:provider/connect", { params: { provider } });
  window.location.assign(url);
}

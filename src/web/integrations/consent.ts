// Leaves for the provider's own page, where consent is given. The provider sends the browser back here.

import type { AnswerOf } from "../../api/endpoint.ts";
import type { connectIntegration, Integration } from "../../api/integrations.ts";
import { ask } from "../client/call.ts";

export async function leaveForConsent(provider: Integration["provider"]): Promise<void> {
  const path = `/api/integrations/${provider}/connect`;
  const { url } = await ask<AnswerOf<typeof connectIntegration>>("GET", path);
  window.location.assign(url);
}

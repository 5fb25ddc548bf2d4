import { changeMailbox, createMailbox } from "../api/mailboxes.ts";
import { toIntegration } from "./integrations.ts";
import { type Route, route } from "./route.ts";

export const mailboxRoutes: readonly Route[] = [
  route(createMailbox, async ({ store, body, caller }, { mailboxes, integrations }) =>
    toIntegration(await mailboxes.connect(store, { ...body, connectedBy: caller.userId }), integrations, []),
  ),

  route(changeMailbox, async ({ store, params: { id }, body }, { mailboxes, integrations }) =>
    toIntegration(await mailboxes.changePassword(store, id, body.password), integrations, []),
  ),
];

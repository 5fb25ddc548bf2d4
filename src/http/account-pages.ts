import { readAccountScript, readInvitationPage, readResetPage, readSetUpPage } from "../api/account-pages.ts";
import { accountPagePolicy, renderAccountPage } from "./account-page.ts";
import { accountScript } from "./account-script.ts";
import { type Route, route } from "./route.ts";

export const accountPageRoutes: readonly Route[] = [
  route(readSetUpPage, () => answerPage(renderAccountPage("setUp"))),
  route(readInvitationPage, () => answerPage(renderAccountPage("invitation"))),
  route(readResetPage, () => answerPage(renderAccountPage("passwordReset"))),
  route(
    readAccountScript,
    () => new Response(accountScript, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
  ),
];

function answerPage(page: string): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": accountPagePolicy,
    "cache-control": "no-store",
  };
  return new Response(page, { headers });
}

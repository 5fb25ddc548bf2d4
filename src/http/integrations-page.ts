// Where a person arrives from a provider. Nothing of the address is shown: codes and names that we know stand for
// sentences of ours.

import { connectProblems, isConnectProblem } from "../integrations/connect-problems.ts";
import { isOauthProvider, oauthFacts } from "../integrations/list.ts";
import { html, renderPage } from "./docs-page.ts";

export type Arrived = {
  readonly connected?: string | undefined;
  readonly problem?: string | undefined;
  readonly provider?: string | undefined;
};

export function renderIntegrationsPage(arrived: Arrived): string {
  const { title, says } = toWords(arrived);
  return renderPage({
    title: `${title} · Assay`,
    heading: "Integrations",
    intro: html(title),
    main: `<p role="status">${html(says)}</p>`,
  });
}

function toWords({ connected, problem, provider }: Arrived): { title: string; says: string } {
  if (connected !== undefined && isOauthProvider(connected)) {
    const { label, purpose } = oauthFacts[connected];
    return { title: `${label} is connected`, says: `${purpose} You may close this page.` };
  }
  if (problem === undefined)
    return { title: "Connections to other services", says: "GET /api/integrations lists them." };
  const name = provider !== undefined && isOauthProvider(provider) ? oauthFacts[provider].label : null;
  return {
    title: name === null ? "Nothing was connected" : `${name} was not connected`,
    says: isConnectProblem(problem) ? connectProblems[problem] : "Nothing was connected.",
  };
}

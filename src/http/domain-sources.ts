import * as api from "../api/domain-sources.ts";
import { Refusal } from "../errors.ts";
import { readDomainName } from "../store/domains/own-domains.ts";
import { readDomainSources } from "../tasks/domains/sources.ts";
import { type Route, route } from "./route.ts";

export const domainSourceRoutes: readonly Route[] = [
  route(api.readDomainSources, async ({ store, params: { id }, query: { days } }, { system }) => {
    const domain = await readDomainName(store.read, id);
    if (domain === undefined) throw new Refusal("not_found", "There is no such domain.");
    return await readDomainSources(store.readInWorker, domain, { now: system.now(), days });
  }),
];

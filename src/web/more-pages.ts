// The pages that come with the second file: one file for them all, because a file for each would leave what they share in a
// dozen small ones, each with a request of its own before the first page stands.

import { AlertPage } from "./alerts/alert.tsx";
import { AlertsPage } from "./alerts/page.tsx";
import { ComparePage } from "./compare/page.tsx";
import { DashboardPage } from "./dashboard/page.tsx";
import { DomainPage } from "./domains/domain.tsx";
import { DomainsPage } from "./domains/page.tsx";
import { IntegrationsPage } from "./integrations/page.tsx";
import { LaboratoryPage } from "./laboratory/page.tsx";
import { type PageEntry, toEntry } from "./page-entry.ts";
import { PredictionsPage } from "./predictions/page.tsx";
import { SettingsPage } from "./settings/page.tsx";

export const morePages: readonly PageEntry[] = [
  toEntry("/", DashboardPage),
  toEntry("/laboratory", LaboratoryPage),
  toEntry("/tests/:id/compare/:other", ComparePage),
  toEntry("/domains", DomainsPage),
  toEntry("/domains/:id", DomainPage),
  toEntry("/alerts", AlertsPage),
  toEntry("/alerts/:id", AlertPage),
  toEntry("/integrations", IntegrationsPage),
  toEntry("/predictions", PredictionsPage),
  toEntry("/settings", SettingsPage),
  toEntry("/settings/:section", SettingsPage),
];

// The pages that come with the second file: one file for them all, because a file for each would leave what they share in a
// dozen small ones, each with a request of its own before the first page stands.

export { AlertPage } from "./alerts/alert.tsx";
export { AlertsPage } from "./alerts/page.tsx";
export { ComparePage } from "./compare/page.tsx";
export { DashboardPage } from "./dashboard/page.tsx";
export { DomainPage } from "./domains/domain.tsx";
export { DomainsPage } from "./domains/page.tsx";
export { IntegrationsPage } from "./integrations/page.tsx";
export { LaboratoryPage } from "./laboratory/page.tsx";
export { PredictionsPage } from "./predictions/page.tsx";
export { SettingsPage } from "./settings/page.tsx";

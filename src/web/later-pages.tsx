// Pages that most visits don't need. They are in a separate file, loaded when one of them is opened, so that the first
// page stays small. All in one file, because each further one would share more files with the app.

import { ComparePage } from "../features/compare/page/page.tsx";
import { BouncesPage, ReportsPage } from "../features/feedback/page/page.tsx";
import { PolicyPage } from "../features/feedback/page/policy.tsx";
import { NewCanaryPage } from "../features/monitors/page/canary-form.tsx";
import { MonitorPage } from "../features/monitors/page/monitor-page.tsx";
import { MonitorsPage } from "../features/monitors/page/page.tsx";
import { AddressesPage, AddressPage } from "../features/own-addresses/page.tsx";
import { ForgotPasswordPage } from "../features/people/page/forgot-password.tsx";
import { SecondFactors } from "../features/people/page/second-factors.tsx";
import { LaboratoryPage } from "../features/samples/page.tsx";
import { SettingsPage } from "./settings/page.tsx";

export const laterPages = {
  AddressesPage,
  AddressPage,
  BouncesPage,
  ComparePage,
  ForgotPasswordPage,
  LaboratoryPage,
  MonitorPage,
  MonitorsPage,
  NewCanaryPage,
  PolicyPage,
  ReportsPage,
  SecondFactors,
  SettingsPage,
} as const;

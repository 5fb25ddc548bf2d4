// Pages that most visits don't need. They are in a separate file, loaded when one of them is opened, so that the first
// page stays small. All in one file, because each further one would share more files with the app.

import { ForgotPasswordPage } from "./account/forgot-password.tsx";
import { PolicyPage } from "./domains/policy.tsx";
import { NewCanaryPage } from "./monitors/canary-form.tsx";
import { MonitorPage } from "./monitors/monitor-page.tsx";
import { MonitorsPage } from "./monitors/page.tsx";
import { SettingsPage } from "./settings/page.tsx";
import { SecondFactors } from "./settings/second-factors.tsx";

export const laterPages = {
  forgotPassword: ForgotPasswordPage,
  monitor: MonitorPage,
  monitors: MonitorsPage,
  newCanary: NewCanaryPage,
  policy: PolicyPage,
  secondFactors: SecondFactors,
  settings: SettingsPage,
} as const;

// Pages that most visits don't need. They are in a separate file, loaded when one of them is opened, so that the first
// page stays small. All in one file, because each further one would share more files with the app.

import { MonitorsPage } from "./monitors/page.tsx";
import { PredictionsPage } from "./predictions/page.tsx";

export const laterPages = {
  monitors: MonitorsPage,
  predictions: PredictionsPage,
} as const;

import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function PredictionsPage() {
  useTitle("Predictions");
  useArrival(true);
  return <PageHeading title="Predictions" />;
}

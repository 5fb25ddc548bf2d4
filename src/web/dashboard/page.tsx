import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function DashboardPage() {
  useTitle("Dashboard");
  useArrival(true);
  return <PageHeading title="Dashboard" />;
}

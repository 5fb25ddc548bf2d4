import { keepTheme, useTheme } from "../client/theme.ts";
import { Choice } from "./form.tsx";

const options = [
  { value: "auto", label: "Auto" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

export function ThemeChoice() {
  return <Choice legend="Theme" options={options} value={useTheme()} onChoose={keepTheme} />;
}

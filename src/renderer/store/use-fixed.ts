import { useShell } from './shell-store.ts'

/** The name of the configuration file that one of these settings is fixed by; `recipe` stands for all that begin so. Null without one. */
export function useFixed(names: readonly string[]): string | null {
  return useShell(({ state }) => {
    const fixed = state?.app.fixed ?? null
    const isFixed = fixed?.settings.some((one) => names.some((name) => one === name || one.startsWith(`${name}.`)))
    return isFixed === true ? (fixed?.file ?? null) : null
  })
}

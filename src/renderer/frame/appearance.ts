import type { Language } from '../text/start-texts.ts'

export type Theme = 'system' | 'light' | 'dark'

interface Appearance {
  theme: Theme
  language: Language
}

const REMEMBERED = 'hangar.appearance'

export function isDark(theme: Theme, systemIsDark: boolean): boolean {
  return theme === 'dark' || (theme === 'system' && systemIsDark)
}

/** What was shown last, so that a start does not flash another theme or language before the settings are told. */
export function rememberedAppearance(systemLanguage: string): Appearance {
  const fallback = { theme: 'system', language: systemLanguage.startsWith('de') ? 'de' : 'en' } as const
  try {
    const kept = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as Record<string, unknown>
    const theme = kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : fallback.theme
    const language = kept.language === 'en' || kept.language === 'de' ? kept.language : fallback.language
    return { theme, language }
  } catch {
    // Storage may be blocked, or hold something else: the system's own choice is as good a start.
    return fallback
  }
}

export function rememberAppearance(part: Partial<Appearance>): void {
  try {
    const kept = rememberedAppearance(navigator.language)
    localStorage.setItem(REMEMBERED, JSON.stringify({ ...kept, ...part }))
  } catch {
    // Without storage the next start may flash, and nothing else is lost.
  }
}

import { isTextLanguage, languageFor, type TextLanguage } from '../../shared/text/text-language.ts'

export type Theme = 'system' | 'light' | 'dark'

interface Appearance {
  theme: Theme
  language: TextLanguage
}

const REMEMBERED = 'hangar.appearance'

export function isDark(theme: Theme, systemIsDark: boolean): boolean {
  return theme === 'dark' || (theme === 'system' && systemIsDark)
}

/** The appearance last used, so that a start does not flash another theme or language before the settings arrive. */
export function rememberedAppearance(systemLanguage: string): Appearance {
  const fallback = { theme: 'system', language: languageFor('system', systemLanguage) } as const
  try {
    const kept = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as Record<string, unknown>
    const theme = kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : fallback.theme
    const language = isTextLanguage(kept.language) ? kept.language : fallback.language
    return { theme, language }
  } catch {
    // Storage may be blocked or contain something else: fall back to the system's preference.
    return fallback
  }
}

export function rememberAppearance(part: Partial<Appearance>): void {
  try {
    const kept = rememberedAppearance(navigator.language)
    localStorage.setItem(REMEMBERED, JSON.stringify({ ...kept, ...part }))
  } catch {
    // Without storage the next start may flash; nothing else is lost.
  }
}

import { useEffect } from 'react'
import { isTextLanguage, languageFor, SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'
import { inBackground } from '../bridge/in-background.ts'
import { remember, remembered } from '../store/remembered-look.ts'
import { useShell } from '../store/shell-store.ts'
import { changeLanguage } from '../text/start-texts.ts'

type Theme = 'system' | 'light' | 'dark'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** The appearance last used, so that a start does not flash another theme or language before the settings arrive. */
export const rememberedAppearance = () =>
  remembered('appearance', (value): { theme: Theme; language: TextLanguage } => {
    const { theme, language } = Object(value) as Record<string, unknown>
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      language: isTextLanguage(language) ? language : languageFor('system', navigator.language),
    }
  })

export function showTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && darkSystem.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  remember('appearance', { ...rememberedAppearance(), theme })
}

/** Applies theme and language of the settings, or until these arrive the last ones; follows the system. */
export function useAppearance(): void {
  const theme = useShell(({ state }) => state?.settings.appearance.theme ?? null)
  const chosen = useShell(({ state }) => state?.settings.appearance.language ?? null)
  const locale = useShell(({ state }) => state?.app.locale ?? SOURCE_LANGUAGE)
  useEffect(() => {
    const apply = () => showTheme(theme ?? rememberedAppearance().theme)
    apply()
    darkSystem.addEventListener('change', apply)
    return () => darkSystem.removeEventListener('change', apply)
  }, [theme])
  useEffect(() => {
    if (chosen === null) return
    const language = languageFor(chosen, locale)
    inBackground(() => changeLanguage(language))
    remember('appearance', { ...rememberedAppearance(), language })
  }, [chosen, locale])
}

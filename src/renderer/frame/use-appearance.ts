import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { languageFor, SOURCE_LANGUAGE } from '../../shared/text/text-language.ts'
import { changeLanguage } from '../text/start-texts.ts'
import { isDark, rememberAppearance, rememberedAppearance, type Theme } from './appearance.ts'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/**
 * Applies theme and language from the settings, or as last used until these arrive, and follows changes of the system's
 * preference.
 */
export function useAppearance(): void {
  const { i18n } = useTranslation()
  const theme = useShell(({ state }) => state?.settings.appearance.theme ?? null)
  const chosen = useShell(({ state }) => state?.settings.appearance.language ?? null)
  const locale = useShell(({ state }) => state?.app.locale ?? SOURCE_LANGUAGE)
  useEffect(() => {
    const shown = theme ?? rememberedAppearance(navigator.language).theme
    const apply = () => showTheme(shown)
    apply()
    darkSystem.addEventListener('change', apply)
    return () => darkSystem.removeEventListener('change', apply)
  }, [theme])
  useEffect(() => {
    if (chosen === null) return
    const language = languageFor(chosen, locale)
    if (i18n.language !== language) inBackground('use-appearance.changeLanguage', () => changeLanguage(language))
    rememberAppearance({ language })
  }, [chosen, locale, i18n])
}

function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = isDark(theme, darkSystem.matches) ? 'dark' : 'light'
  rememberAppearance({ theme })
}

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { routeWords, type RouteWords } from '../../../../shared/chargers/route/route-words.ts'
import { regional } from '../../../text/figures.ts'

/** The words for everything about a route, in the window's language. */
export function useRouteWords(): RouteWords {
  const { t, i18n } = useTranslation('chargers')
  const { language } = i18n
  return useMemo(() => routeWords((key, values = {}) => t(key, values), regional(language)), [t, language])
}

import { useTranslation } from 'react-i18next'
import { listText } from '../../../../shared/text/list-text.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { decimalText } from '../../../text/figures.ts'
import { useRouteWords } from '../route/route-words.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'

const FLAGS = ['freeNow', 'openNow', 'favouritesOnly'] as const

/** What leaves chargers out of the list, in words. */
export function useFilterWords(nowMs: number): string[] {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const routeWords = useRouteWords()
  const { filter, ring, arrival, search } = useChargers()
  const named = (name: string, values: readonly string[]) =>
    values.length === 0 ? '' : `${name}: ${straightText(listText(values, i18n.language))}`
  const at = () =>
    arrival?.by === 'time'
      ? t('arrival.chipAt', { time: routeWords.clock(arrival.atMs, nowMs) })
      : t('arrival.chipFlight', { speed: arrival?.speedKt })
  return [
    ...FLAGS.filter((name) => filter[name]).map((name) => t(`filter.${name}`)),
    filter.current.join(' '),
    filter.minKw === null ? '' : t('filter.powerAtLeast', { kw: decimalText(filter.minKw, 1, i18n.language) }),
    named(t('filter.connectors'), filter.connectors),
    named(t('filter.aircraft'), filter.aircraft),
    named(t('filter.payment'), filter.payment),
    named(t('filter.countries'), filter.countries.map(words.country)),
    named(
      t('filter.states'),
      filter.states.map((state) => t(`state.${state}`)),
    ),
    filter.fit.map((fit) => t(`fit.${fit}`)).join(' '),
    ring?.only === true ? `${t('ring.only')} ${words.nm(ring.nm)}` : '',
    arrival?.only === true ? `${at()}: ${t('arrival.only')}` : '',
    straightText(search),
  ].filter((part) => part !== '')
}

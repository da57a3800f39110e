import { useTranslation } from 'react-i18next'
import type { KeyStatus } from '../../shared/contract/keys.ts'
import { exactTimeText } from './figures.ts'

/** Words for where a key is or would be; a key itself is in none of them. */
export function useKeyWords() {
  const { t, i18n } = useTranslation('settings')
  const why = ({ because }: Pick<KeyStatus, 'because'>) => (because === null ? '' : t(`keychainTrouble.${because}`))
  return {
    /** Before it is typed: what becomes of it. */
    hint: (status: Pick<KeyStatus, 'place' | 'because'>): string =>
      t(`keyFieldHint.${status.place}`, { why: why(status) }),
    /** Whether there is one, and where. */
    status: (status: KeyStatus): string => {
      const { present, place, origin, setAtMs } = status
      const where = { origin: origin ?? '' }
      if (!present) return t('keyNone', where)
      if (place === 'environment') return t('keyInEnvironment', where)
      if (place === 'memory') return `${t('keyInMemory', where)} ${why(status)}`.trimEnd()
      if (setAtMs === null) return t('keyInKeychain', where)
      return t('keyInKeychainSince', { ...where, when: exactTimeText(setAtMs, i18n.language) })
    },
  }
}

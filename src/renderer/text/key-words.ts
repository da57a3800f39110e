import { t } from 'i18next'
import type { KeyStatus } from '../../shared/contract/keys.ts'
import { exactTimeText } from './figures.ts'

/* Words for where a key is or would be; a key itself is in none of them. */

const why = ({ because }: Pick<KeyStatus, 'because'>) =>
  because === null ? '' : t(`settings:keychainTrouble.${because}`)

/** Before it is typed: what becomes of it. */
export const hint = (status: Pick<KeyStatus, 'place' | 'because'>): string =>
  t(`settings:keyFieldHint.${status.place}`, { why: why(status) })

/** Whether there is one, and where. */
export function status(of: KeyStatus): string {
  const { present, place, origin, setAtMs } = of
  const where = { origin: origin ?? '' }
  if (!present) return t('settings:keyNone', where)
  if (place === 'environment') return t('settings:keyInEnvironment', where)
  if (place === 'memory') return `${t('settings:keyInMemory', where)} ${why(of)}`.trimEnd()
  if (setAtMs === null) return t('settings:keyInKeychain', where)
  return t('settings:keyInKeychainSince', { ...where, when: exactTimeText(setAtMs) })
}

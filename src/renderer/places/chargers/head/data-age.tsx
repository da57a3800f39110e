import { useTranslation } from 'react-i18next'
import type { ChargerStatus } from '../../../../shared/chargers/charger-status.ts'
import { useNow } from '../../../parts/use-now.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'

const NOW_EVERY_MS = 15_000
const MINUTE_MS = 60_000
/** The age at which data that is only refreshed by hand counts as old: live states change within hours. */
const BY_HAND_MINUTES = 60

/** The age of the data; always visible. */
export function DataAge() {
  const { t, i18n } = useTranslation('chargers')
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const minutes = useShell(({ state }) => state?.settings.chargers.refreshMinutes ?? 0)
  const nowMs = useNow(NOW_EVERY_MS)
  if (status === null) return null
  const { atMs, refreshing } = status
  const { language } = i18n
  const old = isOld(status, minutes, nowMs)
  const age =
    atMs === null ? t('age.never') : t(old ? 'age.stale' : 'age.asOf', { when: relativeText(atMs, nowMs, language) })
  return (
    <span className="chargers-age figures" title={atMs === null ? undefined : exactTimeText(atMs, language)}>
      <span className={old ? 'stale' : ''}>{age}</span>
      {refreshing ? ` · ${t('refreshing')}` : null}
    </span>
  )
}

/** Whether the data is older than it should be: two refreshes were missed, or the last one failed. */
function isOld(
  { atMs, problem }: Pick<ChargerStatus, 'atMs' | 'problem'>,
  refreshMinutes: number,
  nowMs: number,
): boolean {
  if (atMs === null) return false
  const allowed = refreshMinutes === 0 ? BY_HAND_MINUTES : 2 * refreshMinutes + 1
  return nowMs - atMs > allowed * MINUTE_MS || (problem !== null && problem.atMs >= atMs)
}

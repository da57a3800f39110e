import { useTranslation } from 'react-i18next'
import { choosePictures } from '../../intake/intake-commands.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'

/** For a job that is not found: how long jobs are kept, and how to see one again that has expired. */
export function AfterExpiry() {
  const { t, i18n } = useTranslation('jobs')
  const days = useShell(({ state }) => state?.settings.retentionDays ?? null)
  if (days === null) return null
  return (
    <>
      <p>{t('expired.kept', { count: days, figure: countText(days, i18n.language) })}</p>
      <p>{t('expired.again')}</p>
    </>
  )
}

export function AddAgain() {
  const { t } = useTranslation('jobs')
  return (
    <Button onClick={() => inBackground('after-expiry.choosePictures', choosePictures)}>{t('choosePictures')}</Button>
  )
}

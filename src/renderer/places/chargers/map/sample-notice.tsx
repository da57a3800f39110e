import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useShell } from '../../../store/shell-store.ts'

/** Said on the map itself, so that it is in every picture of it. */
export function SampleNotice() {
  const { t } = useTranslation('chargers')
  const isSample = useShell(({ state }) => state?.chargers.status.sample ?? false)
  if (!isSample) return null
  return (
    <p className="chargers-sample">
      <TriangleAlert size={13} aria-hidden />
      {t('sample')}
    </p>
  )
}

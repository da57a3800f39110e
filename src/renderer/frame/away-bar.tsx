import { Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { Button } from '../parts/button.tsx'

/** Over the content while a batch waits for a drive that is not there. */
export function AwayBar() {
  const { t } = useTranslation('frame')
  const away = useShell(({ state }) => state?.away)
  const [first] = away ?? []
  if (away === undefined || first === undefined) return null
  const { batchId, paths, count } = first
  const more = away.length - 1
  return (
    <div className="frame-bar" role="status">
      <Unplug size={16} aria-hidden />
      <p>
        {t('away.waits', { count, path: paths[0] })}
        {more > 0 ? <span className="secondary"> {t('away.more', { count: more })}</span> : null}
      </p>
      <Button
        onClick={() => inBackground('batches.stopWaiting', () => askOrToast('batches.stopWaiting', { id: batchId }))}
      >
        {t('away.stop')}
      </Button>
    </div>
  )
}

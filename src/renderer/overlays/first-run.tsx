import { FlaskConical, KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { showOverlay } from '../store/view-store.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FirstKey } from './first-key.tsx'
import { trySamples, useSamples } from '../intake/intake-commands.ts'
import './first-run.css'

/** The first choice: try everything on this computer, use an account, or decide later. */
export default function FirstRun() {
  const { t } = useTranslation(['intake', 'jobs'])
  const { areStarting } = useSamples()
  const end = async () => {
    if ((await askOrToast('settings.set', { firstRunDone: true })) !== null) showOverlay(null)
  }
  return (
    <Dialog
      wide
      title={t('first.title')}
      onClose={() => inBackground('first-run.end', end)}
      actions={<Button onClick={() => inBackground('first-run.end', end)}>{t('first.later')}</Button>}
    >
      <p className="secondary">{t('first.what')}</p>
      <div className="first">
        <section>
          <FlaskConical size={20} aria-hidden />
          <h3>{t('first.practice')}</h3>
          <p>{t('first.practiceMeans')}</p>
          <Button
            kind="primary"
            size="large"
            data-autofocus
            disabled={areStarting}
            onClick={() => inBackground('first-run.practise', trySamples)}
          >
            {t('jobs:trySamples')}
          </Button>
          <p className="caption" role="status">
            {areStarting ? t('jobs:samplesStarting') : ''}
          </p>
        </section>
        <section>
          <KeyRound size={20} aria-hidden />
          <h3>{t('first.account')}</h3>
          <p>{t('first.accountMeans')}</p>
          <FirstKey onDone={() => inBackground('first-run.end', end)} />
        </section>
      </div>
    </Dialog>
  )
}

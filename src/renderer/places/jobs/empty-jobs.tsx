import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { chooseFolder, choosePictures, trySamples, useSamples } from '../../intake/intake-commands.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { filterJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText } from '../../text/figures.ts'
import { goTo } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { ExamplePicture } from './example-picture.tsx'
import { useRecentFolders } from './recent-folders.tsx'
import './empty-jobs.css'

/** Shown while there are no jobs at all: asks for pictures. The whole window accepts drops. */
export function EmptyJobs() {
  const { t, i18n } = useTranslation('jobs')
  const { areStarting } = useSamples()
  const recent = useRecentFolders()
  const removed = useShell(({ state }) => state?.removed ?? 0)
  const isPractice = useShell(({ state }) => state?.service?.practice ?? true)
  return (
    <div className="jobs-empty">
      <ExamplePicture />
      <h2>{t('dropHere')}</h2>
      <div className="jobs-empty-buttons">
        <Button kind="primary" size="large" onClick={() => inBackground('empty-jobs.choosePictures', choosePictures)}>
          {t('choosePictures')}
        </Button>
        <Button size="large" onClick={() => inBackground('empty-jobs.chooseFolder', chooseFolder)}>
          {t('chooseFolder')}
        </Button>
        {recent.length === 0 ? null : (
          <Menu items={recent}>
            <Button size="large">
              {t('recentFolders')}
              <ChevronDown size={14} aria-hidden />
            </Button>
          </Menu>
        )}
      </div>
      <div className="jobs-empty-buttons">
        <Button
          kind="quiet"
          aria-disabled={areStarting}
          onClick={() => inBackground('empty-jobs.trySamples', trySamples)}
        >
          {t('trySamples')}
        </Button>
        {isPractice ? (
          <Button kind="quiet" onClick={() => goTo('settings', { section: 'services' })}>
            {t('connectAccount')}
          </Button>
        ) : null}
      </div>
      <p className="caption" role="status">
        {areStarting ? t('samplesStarting') : ''}
      </p>
      {removed === 0 ? null : (
        <Button kind="quiet" onClick={() => filterJobs({ chip: 'removed' })}>
          {t('showRemoved', { count: removed, figure: countText(removed, i18n.language) })}
        </Button>
      )}
    </div>
  )
}

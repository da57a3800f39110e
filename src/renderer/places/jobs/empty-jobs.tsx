import { ChevronDown, Images } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { chooseFolder, choosePictures, trySamples, useSamples } from '../../intake/intake-commands.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { filterJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { useRecentFolders } from './recent-folders.tsx'
import './empty-jobs.css'

/** Shown while there are no jobs at all: asks for pictures. The whole window accepts drops. */
export function EmptyJobs() {
  const { t, i18n } = useTranslation('jobs')
  const { areStarting } = useSamples()
  const recent = useRecentFolders()
  const removed = useShell(({ state }) => state?.removed ?? 0)
  return (
    <div className="jobs-empty">
      <Images size={40} strokeWidth={1.25} aria-hidden />
      <h2>{t('dropHere')}</h2>
      <p className="secondary">{t('dropHint')}</p>
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
      <Button
        kind="quiet"
        aria-disabled={areStarting}
        onClick={() => inBackground('empty-jobs.trySamples', trySamples)}
      >
        {t('trySamples')}
      </Button>
      <p className="caption" role="status">
        {t(areStarting ? 'samplesStarting' : 'samplesAreFree')}
      </p>
      {removed === 0 ? null : (
        <Button kind="quiet" onClick={() => filterJobs({ chip: 'removed' })}>
          {t('showRemoved', { count: removed, figure: countText(removed, i18n.language) })}
        </Button>
      )}
    </div>
  )
}

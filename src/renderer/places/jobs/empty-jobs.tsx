import { t } from 'i18next'
import { chooseFolder, choosePictures, trySamples, useSamples } from '../../intake/intake-commands.ts'
import { filterJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { sizeText } from '../../text/figures.ts'
import { goTo } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'
import './empty-jobs.css'
import { useState, type CSSProperties } from 'react'

export function EmptyJobs() {
  const { areStarting } = useSamples()
  const removed = useShell(({ state }) => state?.removed ?? 0)
  const isPractice = useShell(({ state }) => state?.service?.practice ?? true)
  return (
    <div className="jobs-empty">
      <ExamplePicture />
      <h2>{t('jobs:dropHere')}</h2>
      <div className="row middle">
        <Button kind="primary" size="large" onClick={() => choosePictures()}>
          {t('common:choosePictures')}
        </Button>
        <Button size="large" onClick={() => chooseFolder()}>
          {t('common:chooseFolder')}
        </Button>
      </div>
      <div className="row middle">
        <Button kind="quiet" aria-disabled={areStarting} onClick={() => trySamples()}>
          {t('jobs:trySamples')}
        </Button>
        {isPractice ? (
          <Button kind="quiet" onClick={() => goTo('settings', { section: 'services' })}>
            {t('jobs:connectAccount')}
          </Button>
        ) : null}
      </div>
      <p className="caption" role="status">
        {areStarting ? t('jobs:samplesStarting') : ''}
      </p>
      {removed === 0 ? null : (
        <Button kind="quiet" onClick={() => filterJobs({ chip: 'removed' })}>
          {t('jobs:showRemoved', { count: removed })}
        </Button>
      )}
    </div>
  )
}

/** The sizes of the two files in `public`. */
const BEFORE_BYTES = 180_708
const AFTER_BYTES = 25_912

/** A picture before and after, with a line to drag across it. */
function ExamplePicture() {
  const [at, setAt] = useState(50)
  return (
    <figure className="example" style={{ '--at': at / 100 } as CSSProperties}>
      <img src="example-before.jpg" alt="" />
      <img src="example-after.jpg" alt="" />
      <input
        type="range"
        aria-label={t('jobs:example.compare')}
        value={at}
        onChange={({ target }) => setAt(target.valueAsNumber)}
      />
      <figcaption className="caption figures">
        <span>{t('jobs:example.before', { size: sizeText(BEFORE_BYTES) })}</span>
        <span>{t('jobs:example.after', { size: sizeText(AFTER_BYTES) })}</span>
      </figcaption>
    </figure>
  )
}

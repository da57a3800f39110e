import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { choosePictures } from '../../intake/intake-commands.ts'
import { askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { removeJobs } from '../../store/jobs-actions.ts'
import { useRow } from '../../store/jobs-store.ts'
import { hideSamplesNote, useIsSample } from '../../store/samples.ts'
import { goTo } from '../../store/view-store.ts'
import { Button } from '../../parts/button.tsx'
import './samples-note.css'

/** Over a list that begins with sample pictures: what they are, what to look at, and the ways on. */
export default function SamplesNote({ firstId }: { firstId: string }) {
  const { t } = useTranslation(['jobs', 'common'])
  const row = useRow(firstId)
  const isSample = useIsSample()
  if (row === null || !isSample(row)) return null
  return (
    <section className="samples-note" aria-label={t('samples.title')}>
      <FlaskConical size={20} aria-hidden />
      <div>
        <h2>{t('samples.title')}</h2>
        <p>{t('samples.what', { path: row.dir })}</p>
        <p>{t('samples.compare')}</p>
        <div className="samples-note-buttons">
          <Button kind="primary" onClick={() => inBackground('samples-note.choosePictures', choosePictures)}>
            {t('samples.own')}
          </Button>
          <Button onClick={() => goTo('settings', { section: 'services' })}>{t('samples.account')}</Button>
          <Button onClick={() => inBackground('samples-note.remove', () => removeSamples(row))}>
            {t('samples.remove')}
          </Button>
          <Button kind="quiet" onClick={hideSamplesNote}>
            {t('samples.hide')}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** Removes the jobs of the same batch from the list; their files stay. */
async function removeSamples({ batchId }: JobRow): Promise<void> {
  const answer = await askOrToast('jobs.index', { filter: { batchId } })
  if (answer === null) return
  await removeJobs({ settled: answer.sections.flatMap(({ ids }) => ids), unsettled: [] }, 'settled')
}

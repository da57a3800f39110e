import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { removeJobs } from '../../store/jobs-actions.ts'
import { useRow } from '../../store/jobs-store.ts'
import { hideSamplesNote, useIsSample } from '../../store/samples.ts'
import { goTo } from '../../store/view-store.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import './samples-note.css'

/** Over a list that begins with sample pictures: what they are, and the ways on. */
export default function SamplesNote({ firstId }: { firstId: string }) {
  const { t } = useTranslation('jobs')
  const row = useRow(firstId)
  const isSample = useIsSample()
  if (row === null || !isSample(row)) return null
  return (
    <section className="samples-note" aria-label={t('samples.title')}>
      <p>{t('samples.what')}</p>
      <Button onClick={() => goTo('settings', { section: 'services' })}>{t('connectAccount')}</Button>
      <Button onClick={() => inBackground('samples-note.remove', () => removeSamples(row))}>
        {t('samples.remove')}
      </Button>
      <IconButton label={t('samples.hide')} onClick={hideSamplesNote}>
        <X size={14} aria-hidden />
      </IconButton>
    </section>
  )
}

/** Removes the jobs of the same batch from the list; their files stay. */
async function removeSamples({ batchId }: JobRow): Promise<void> {
  const answer = await askOrToast('jobs.index', { filter: { batchId } })
  if (answer === null) return
  await removeJobs({ settled: answer.sections.flatMap(({ ids }) => ids), unsettled: [] }, 'settled')
}

import { X } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { JobCounts } from '../../../shared/contract/jobs.ts'
import type { JobState } from '../../../shared/sentences/reasons.ts'
import { listText } from '../../../shared/text/list-text.ts'
import { CHIPS, STATE_CHIPS, type Chip } from '../../store/jobs-filter.ts'
import { filterJobs, useJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { startReview } from '../../store/text-work.ts'
import { Button } from '../../parts/button.tsx'
import { countText } from '../../text/figures.ts'
import { StateShape } from '../../parts/state-mark.tsx'
import { moveInRow } from '../../parts/move-in-row.ts'

const NONE: Partial<JobCounts> = {}
const sum = (counts: Partial<JobCounts>, states: readonly JobState[]) =>
  states.reduce((total, state) => total + (counts[state] ?? 0), 0)

/** The states with their counts, as filters, of which one is on at a time. States without jobs are left out. */
export function JobChips() {
  const { t } = useTranslation('jobs')
  const counts = useShell(({ state }) => state?.counts ?? NONE)
  const removed = useShell(({ state }) => state?.removed ?? 0)
  const needsReview = useShell(({ state }) => state?.needsReview ?? 0)
  const filter = useJobs((state) => state.filter)
  const chosen = filter.states === null ? filter.chip : null
  const all = sum(counts, Object.keys(counts) as JobState[])
  const shown = STATE_CHIPS.filter((chip) => chip === chosen || sum(counts, CHIPS[chip]) > 0)
  return (
    <div className="jobs-chips" role="toolbar" aria-label={t('chips')} onKeyDown={moveInRow}>
      <ElsewhereChips />
      <ChipButton chip="all" count={all} isChosen={chosen === 'all'} isStop={chosen === null} />
      {shown.map((chip) => (
        <ChipButton
          key={chip}
          chip={chip}
          count={sum(counts, CHIPS[chip])}
          isChosen={chip === chosen}
          shape={CHIPS[chip][0]}
        />
      ))}
      {needsReview > 0 || chosen === 'review' ? (
        <ChipButton chip="review" count={needsReview} isChosen={chosen === 'review'} />
      ) : null}
      {chosen === 'review' && needsReview > 0 ? (
        <Button kind="quiet" tabIndex={-1} onClick={() => inBackground('job-chips.startReview', startReview)}>
          {t('reviewOneByOne')}
          <kbd aria-hidden>R</kbd>
        </Button>
      ) : null}
      {removed > 0 || chosen === 'removed' ? (
        <ChipButton chip="removed" count={removed} isChosen={chosen === 'removed'} />
      ) : null}
    </div>
  )
}

interface ChipButtonProps {
  chip: Chip
  count: number
  isChosen: boolean
  /** Reached by Tab although it is not chosen: one of the chips must be in the tab order. */
  isStop?: boolean
  shape?: JobState
}

/** Memoised, because counts change several times a second, but usually only a few of them. */
const ChipButton = memo(function ChipButton({ chip, count, isChosen, isStop = false, shape }: ChipButtonProps) {
  const { t, i18n } = useTranslation('jobs')
  return (
    <button
      type="button"
      className="jobs-chip"
      title={t(`chip.${chip}`)}
      aria-pressed={isChosen}
      tabIndex={isChosen || isStop ? 0 : -1}
      onClick={() => filterJobs({ chip: isChosen ? 'all' : chip, states: null })}
    >
      {shape === undefined ? null : <StateShape state={shape} size={11} />}
      <span className="ellipsis">{t(`chip.${chip}`)}</span>
      <span className="jobs-chip-count figures">{countText(count, i18n.language)}</span>
    </button>
  )
})

/** Filters that another place set; each can be removed. */
function ElsewhereChips() {
  const { t, i18n } = useTranslation(['jobs', 'reasons'])
  const { folderId, batchId, states } = useJobs((state) => state.filter)
  const folder = useShell(({ state }) => state?.folders.find(({ id }) => id === folderId)?.path ?? null)
  const name = folder?.split(/[/\\]/).findLast((part) => part !== '') ?? ''
  const names = (states ?? []).map((state) => t(`reasons:state.${state}`))
  return (
    <>
      {folderId === null ? null : (
        <Removable text={t('onlyFolder', { name })} title={folder} onRemove={() => filterJobs({ folderId: null })} />
      )}
      {batchId === null ? null : (
        <Removable text={t('onlyBatch')} title={null} onRemove={() => filterJobs({ batchId: null })} />
      )}
      {states === null ? null : (
        <Removable
          text={t('onlyStates', { states: listText(names, i18n.language) })}
          title={null}
          onRemove={() => filterJobs({ states: null })}
        />
      )}
    </>
  )
}

function Removable({ text, title, onRemove }: { text: string; title: string | null; onRemove: () => void }) {
  const { t } = useTranslation('jobs')
  return (
    <button
      type="button"
      className="jobs-chip removable"
      title={title === null ? undefined : straightText(title)}
      aria-label={`${text}. ${t('dropFilter')}`}
      onClick={onRemove}
    >
      <span className="ellipsis" dir="auto">
        {text}
      </span>
      <X size={12} aria-hidden />
    </button>
  )
}

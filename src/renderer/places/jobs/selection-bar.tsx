import { X } from 'lucide-react'
import { useEffect, useRef, type RefObject, useMemo } from 'react'
import { t } from 'i18next'
import type { BulkStep } from '../../../shared/jobs/job-list.ts'
import { processAgain } from '../../intake/intake-commands.ts'
import { downloadResults, exportJobs, putBackJobs, reviewJobs, readFacts } from '../../store/jobs-actions.ts'
import type { Facts } from '../../store/jobs-facts.ts'
import { exportTextsOf, startReview } from '../../store/text-work.ts'
import { useJobs } from '../../store/jobs-store.ts'
import { useCan } from '../../store/shell-store.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import type { MenuItem } from '../../parts/menu-behind-button.tsx'
import { askToRemove, askToRestore, requestStep } from './ask-first.ts'
import { chooseNothing } from './list-moves.ts'
import './selection-bar.css'
import { useAsked, useChangesOf } from '../../store/use-answer.ts'

const FORMATS = ['csv', 'json', 'html'] as const
const SETTLING: readonly BulkStep[] = ['fetch_again', 'ask_again', 'resend', 'drop']

export function SelectionBar() {
  const ids = useJobs(({ selection }) => selection.ids)
  return ids.size < 2 ? null : <Bar ids={ids} />
}

function Bar({ ids }: { ids: ReadonlySet<string> }) {
  const bar = useRef<HTMLDivElement>(null)
  useRoomForToasts(bar)
  return (
    <div
      ref={bar}
      className="jobs-selection row"
      data-focus-after=".jobs-grid"
      role="toolbar"
      aria-label={t('jobs:selectedLabel')}
    >
      <IconButton label={t('jobs:clearSelection')} onClick={chooseNothing}>
        <X size={16} aria-hidden />
      </IconButton>
      <span className="jobs-selection-count figures" role="status">
        {t('jobs:selected', { count: ids.size })}
      </span>
      <Actions ids={ids} />
    </div>
  )
}

/** Tells the toasts how high the bar is, which they would cover. */
function useRoomForToasts(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() =>
      style.setProperty('--selection-bar', `${bar.current?.offsetHeight ?? 0}px`),
    )
    if (bar.current !== null) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--selection-bar')
    }
  }, [bar])
}

function Actions({ ids }: { ids: ReadonlySet<string> }) {
  const facts = useFacts(ids)
  const isRemoved = useJobs(({ filter }) => filter.chip === 'removed')
  const label = countedLabel(facts)
  const canDownload = useCan('download')
  // Jobs that need a person are removed only if nothing else is selected.
  const removable = facts === null ? 0 : facts.settled.length > 0 ? facts.settled.length : facts.unsettled.length
  const exports: MenuItem[] = FORMATS.map((format) => ({
    label: t(`jobs:exportAs.${format}`),
    onSelect: () => exportJobs([...ids], format),
  }))
  exports.push({ label: t('jobs:exportTexts'), onSelect: () => exportTextsOf([...ids]) })
  if (canDownload) exports.push({ label: t('jobs:exportAs.zip'), onSelect: () => downloadResults([...ids]) })
  return (
    <div className="jobs-selection-actions">
      {/* What is there at once comes first: nothing that is known later may push it from under a pointer. */}
      {isRemoved ? null : <Button onClick={() => startReview()}>{t('jobs:reviewOneByOne')}</Button>}
      <Menu items={exports}>
        <Button>{t('jobs:export')}</Button>
      </Menu>
      {facts === null || isRemoved ? null : <Steps facts={facts} label={label} />}
      {isRemoved || facts === null || facts.changeable.length === 0 ? null : (
        <Button onClick={() => processAgain(facts.changeable)}>
          {label(t('jobs:processAgain'), facts.changeable.length)}
        </Button>
      )}
      {isRemoved ? (
        <Button onClick={() => putBackJobs({ ids: [...ids] })}>{t('jobs:putBackOnList')}</Button>
      ) : removable === 0 ? null : (
        <Button onClick={() => askToRemove()}>{label(t('frame:shortcuts.remove'), removable)}</Button>
      )}
    </div>
  )
}

type Label = (text: string, count: number) => string

/** "Try again (3)"; "up to" if not every job was looked at. */
function countedLabel(facts: Facts | null): Label {
  return (text, count) => t(facts?.exact === false ? 'jobs:withUpTo' : 'jobs:withCount', { label: text, count })
}

function Steps({ facts, label }: { facts: Facts; label: Label }) {
  const { steps, mayCost, toReview, reviewed, replaced } = facts
  const settle: MenuItem[] = SETTLING.filter((step) => steps[step].length > 0).map((step) => ({
    label: label(t(`reasons:step.${step}.label`), steps[step].length),
    onSelect: () => requestStep(step, steps[step], mayCost),
  }))
  const simple = (step: 'retry' | 'cancel') =>
    steps[step].length === 0 ? null : (
      <Button
        title={step === 'retry' && steps.retry.some((id) => mayCost.includes(id)) ? t('jobs:mayCost') : undefined}
        onClick={() => requestStep(step, steps[step], mayCost)}
      >
        {label(t(`reasons:step.${step}.label`), steps[step].length)}
      </Button>
    )
  return (
    <>
      {simple('retry')}
      {settle.length === 0 ? null : (
        <Menu items={settle}>
          <Button>{t('frame:notice.settle')}</Button>
        </Menu>
      )}
      {simple('cancel')}
      {toReview.length > 0 ? (
        <Button onClick={() => reviewJobs(toReview, true)}>{label(t('jobs:markReviewed'), toReview.length)}</Button>
      ) : reviewed.length > 0 ? (
        <Button onClick={() => reviewJobs(reviewed, false)}>{label(t('jobs:markUnreviewed'), reviewed.length)}</Button>
      ) : null}
      {replaced.length === 0 ? null : (
        <Button onClick={() => askToRestore(replaced)}>{label(t('jobs:restore'), replaced.length)}</Button>
      )}
    </>
  )
}

/** While a person is selecting, the selection changes many times a second. */
const SETTLE_MS = 120
/** Jobs change while they are selected. */
const AGAIN_MS = 2000

/** What can be done with the selected jobs, kept up to date while they change. */
function useFacts(selected: ReadonlySet<string>): Facts | null {
  const ids = useMemo(() => [...selected], [selected])
  const about = useChangesOf((id) => selected.has(id), AGAIN_MS)
  const { value, isEarlier } = useAsked<string[], Facts>(ids, { delayMs: SETTLE_MS, about }, async (given, tell) => {
    const facts = await readFacts(given)
    if (facts !== null) tell({ ok: true, value: facts }, true)
  })
  return isEarlier ? null : value
}

import i18next, { t } from 'i18next'
import type { JobState, NextStep, Reason } from '../../../../shared/sentences/reasons.ts'
import type { JobDetail, JobRow } from '../../../../shared/contract/jobs.ts'
import { reasonSentences, stepExplains } from '../../../../shared/sentences/reason-sentences.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { putBackJobs } from '../../../store/jobs-actions.ts'
import { useCan } from '../../../store/shell-store.ts'
import { goTo, showOverlay } from '../../../store/view-store.ts'
import { isCapped, reasonTexts } from '../../../text/reason-texts.ts'
import { Button } from '../../../parts/button.tsx'
import { requestStep } from '../ask-first.ts'

/** End states and holds that are explained, with the style of the edge in the state's colour. */
const STYLES: Partial<Record<JobState, string>> = {
  held: 'held',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'off',
  skipped: 'off',
}

export function Outcome({ detail: { row } }: { detail: JobDetail }) {
  const style = STYLES[row.state] ?? (row.reason?.code === 'under_way_elsewhere' ? 'off' : null)
  const isRemoved = row.removedAtMs !== null
  if (style === null && row.nextSteps.length === 0 && !isRemoved) return null
  return (
    <section className={style === null ? 'outcome stack snug plain' : `outcome stack snug breaks ${style}`}>
      {style === null || row.reason === null ? null : <Words reason={row.reason} isPractice={row.practice} />}
      {isRemoved ? <PutBack id={row.id} /> : <Steps row={row} />}
    </section>
  )
}

/** A removed job has to be put back before anything else. */
function PutBack({ id }: { id: string }) {
  return (
    <>
      <p>{t('jobs:isRemoved')}</p>
      <div className="outcome-steps row">
        <Button kind="primary" onClick={() => putBackJobs({ ids: [id] })}>
          {t('jobs:putBackOnList')}
        </Button>
      </div>
    </>
  )
}

function Words({ reason, isPractice }: { reason: Reason; isPractice: boolean }) {
  const { happened, said, means, todo } = reasonSentences(reasonTexts(), reason, i18next.language, isPractice)
  // The cap's own sentence says all of it.
  if (isCapped(reason)) return <p className="outcome-happened">{said}</p>
  return (
    <>
      <p className="outcome-happened">{happened}</p>
      {said === '' ? null : <p dir="auto">{said}</p>}
      <p>{means}</p>
      {todo === '' ? null : <p>{todo}</p>}
    </>
  )
}

function Steps({ row }: { row: JobRow }) {
  const capped = row.reason !== null && isCapped(row.reason)
  const label = (step: NextStep) => {
    if (step === 'free_space') return t('detail:showFolder')
    return step === 'confirm_spend' && capped ? t('intake:spend.settings') : t(`reasons:step.${step}.label`)
  }
  const texts = reasonTexts()
  const canReveal = useCan('reveal')
  const steps = row.nextSteps.filter((step) => canReveal || (step !== 'free_space' && step !== 'show_file'))
  if (steps.length === 0) return null
  return (
    <div className="outcome-steps row" role="group" aria-label={t('detail:actions')}>
      {steps.map((step, n) => (
        <Button
          key={step}
          kind={n === 0 && step !== 'cancel' && step !== 'drop' ? 'primary' : 'plain'}
          title={step === 'confirm_spend' && capped ? undefined : stepExplains(texts, step, row.practice)}
          onClick={() => take(step, row)}
        >
          {label(step)}
        </Button>
      ))}
    </div>
  )
}

function take(step: NextStep, row: JobRow): void {
  switch (step) {
    case 'confirm_spend':
      if (row.reason !== null && isCapped(row.reason)) return goTo('settings', { section: 'spending' })
      return showOverlay({ kind: 'confirmSpend', batchId: row.batchId })
    case 'set_key':
    case 'fix_address':
      return goTo('settings', { section: 'services' })
    case 'free_space':
    case 'show_file':
      return inBackground(() => askOrToast('outputs.reveal', { id: row.id, index: null }))
    default:
      requestStep(step, [row.id], row.state === 'held' || row.practice ? [] : [row.id])
  }
}

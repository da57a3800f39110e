import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { inBackground } from '../../store/in-background.ts'
import { readFacts, removeJobs, restoreOriginals, takeStep } from '../../store/jobs-actions.ts'
import type { BulkStep, Facts } from '../../store/jobs-facts.ts'
import { useJobs } from '../../store/jobs-store.ts'
import { countText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'

/** An action that costs, cannot be undone, or is only possible in part. */
type Question =
  | { kind: 'retry' | 'resend' | 'cancel' | 'restore'; ids: readonly string[] }
  | { kind: 'remove'; ids: readonly string[]; facts: Facts }
  /** Only jobs that need a person are selected. */
  | { kind: 'removeUnsettled'; ids: readonly string[]; facts: Facts }

const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))
const close = () => useQuestion.setState({ question: null })
const ask = (question: Question) => useQuestion.setState({ question })

/**
 * Carries out a step, after a question if it may cost or cannot be undone. `mayCost`: jobs that may be charged again
 * when they are sent again.
 */
export function requestStep(step: BulkStep, ids: readonly string[], mayCost: readonly string[]): void {
  const mayCostAgain = ids.some((id) => mayCost.includes(id))
  if (step === 'cancel' || (mayCostAgain && (step === 'retry' || step === 'resend'))) ask({ kind: step, ids })
  else inBackground('ask-first.takeStep', () => takeStep(step, ids))
}

export function askToRestore(ids: readonly string[]): void {
  ask({ kind: 'restore', ids })
}

/**
 * Removes the selected jobs, or else the focused one, from the list. Jobs that need a person stay, unless only such jobs are
 * selected. Asks in that case, and if some jobs are under way.
 */
export async function askToRemove(): Promise<void> {
  const { selection, filter } = useJobs.getState()
  if (filter.chip === 'removed') return
  const { ids, focus } = selection
  const facts = await readFacts(ids.size > 0 || focus === null ? ids : new Set([focus]))
  if (facts === null) return
  const underWay = facts.steps.cancel
  if (underWay.length > 0) ask({ kind: 'remove', ids: underWay, facts })
  else if (facts.settled.length > 0) await removeJobs(facts, 'settled')
  else if (facts.unsettled.length > 0) ask({ kind: 'removeUnsettled', ids: facts.unsettled, facts })
}

export function AskFirst() {
  const question = useQuestion((state) => state.question)
  return question === null ? null : <QuestionDialog question={question} />
}

function QuestionDialog({ question }: { question: Question }) {
  const { t, i18n } = useTranslation(['jobs', 'common'])
  const { kind, ids } = question
  const many = (count: number) => ({ count, figure: countText(count, i18n.language) })
  const run = (work: () => Promise<unknown>) => () => {
    close()
    inBackground('ask-first.work', work)
  }
  return (
    <Dialog
      title={t(`ask.${kind}Title`, many(ids.length))}
      onClose={close}
      actions={
        <>
          <Button onClick={close} data-autofocus>
            {kind === 'cancel' || kind === 'remove' ? t('ask.keep', many(ids.length)) : t('common:cancel')}
          </Button>
          {question.kind === 'remove' && question.facts.settled.length > 0 ? (
            <Button onClick={run(() => removeJobs(question.facts, 'settled'))}>
              {t('ask.removeEnded', many(question.facts.settled.length))}
            </Button>
          ) : null}
          <MainButton question={question} run={run} />
        </>
      }
    >
      <p>{t(`ask.${kind}Text`, many(ids.length))}</p>
    </Dialog>
  )
}

type Run = (work: () => Promise<unknown>) => () => void

function MainButton({ question, run }: { question: Question; run: Run }) {
  const { t } = useTranslation('jobs')
  const { kind, ids } = question
  switch (kind) {
    case 'retry':
      return (
        <Button kind="primary" onClick={run(() => takeStep('retry', ids))}>
          {t('ask.doRetry')}
        </Button>
      )
    case 'resend':
      return (
        <Button kind="primary" onClick={run(() => takeStep('resend', ids))}>
          {t('ask.doResend')}
        </Button>
      )
    case 'restore':
      return (
        <Button kind="primary" onClick={run(() => restoreOriginals(ids))}>
          {t('ask.doRestore')}
        </Button>
      )
    case 'removeUnsettled':
      return (
        <Button kind="danger" onClick={run(() => removeJobs(question.facts, 'unsettled'))}>
          {t('removeFromList')}
        </Button>
      )
    case 'cancel':
    case 'remove':
      return (
        <Button kind="danger" onClick={run(() => takeStep('cancel', ids))}>
          {t('ask.doCancel', { count: ids.length })}
        </Button>
      )
  }
}

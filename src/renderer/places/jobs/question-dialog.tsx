import { useTranslation } from 'react-i18next'
import { inBackground } from '../../bridge/in-background.ts'
import { removeJobs, restoreOriginals, takeStep } from '../../store/jobs-actions.ts'
import { countText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { closeQuestion, type Question } from './ask-first.ts'

/** What is asked before a step that costs or cannot be undone. */
export default function QuestionDialog({ question }: { question: Question }) {
  const { t, i18n } = useTranslation(['jobs', 'common'])
  const { kind, ids } = question
  const many = (count: number) => ({ count, figure: countText(count, i18n.language) })
  const run = (work: () => Promise<unknown>) => () => {
    closeQuestion()
    inBackground('ask-first.work', work)
  }
  return (
    <Dialog
      title={t(`ask.${kind}Title`, many(ids.length))}
      onClose={closeQuestion}
      actions={
        <>
          <Button onClick={closeQuestion} data-autofocus>
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

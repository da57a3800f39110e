import { t } from 'i18next'
import { inBackground } from '../../bridge/in-background.ts'
import { removeJobs, restoreOriginals, takeStep } from '../../store/jobs-actions.ts'
import { Button } from '../../parts/button.tsx'
import { Question as Asked } from '../../parts/question.tsx'
import { closeQuestion, type Question } from './ask-first.ts'

export default function QuestionDialog({ question }: { question: Question }) {
  const { kind, ids } = question
  const many = (count: number) => ({ count })
  const isStop = kind === 'cancel' || kind === 'remove'
  const ended = question.kind === 'remove' ? question.facts.settled.length : 0
  const yes = isStop
    ? t('jobs:ask.doCancel', { count: ids.length })
    : kind === 'removeUnsettled'
      ? t('frame:shortcuts.remove')
      : t(`jobs:ask.${kind}Yes`)
  const run = (work: () => Promise<unknown>) => () => {
    closeQuestion()
    inBackground(work)
  }
  const act = () => {
    if (question.kind === 'removeUnsettled') return removeJobs(question.facts, 'unsettled')
    if (kind === 'restore') return restoreOriginals(ids)
    return takeStep(kind === 'retry' || kind === 'resend' ? kind : 'cancel', ids)
  }
  return (
    <Asked
      title={t(`jobs:ask.${kind}Title`, many(ids.length))}
      text={t(`jobs:ask.${kind}Text`, many(ids.length))}
      yes={yes}
      isDanger={isStop || kind === 'removeUnsettled'}
      onYes={run(act)}
      onNo={closeQuestion}
      {...(isStop ? { no: t('jobs:ask.keep', many(ids.length)) } : {})}
    >
      {question.kind === 'remove' && ended > 0 ? (
        <Button onClick={run(() => removeJobs(question.facts, 'settled'))}>
          {t('jobs:ask.removeEnded', many(ended))}
        </Button>
      ) : null}
    </Asked>
  )
}

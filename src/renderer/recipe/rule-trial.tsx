import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { WordRule } from '../../shared/recipes/word-rules.ts'
import { inBackground } from '../bridge/in-background.ts'
import { Button } from '../parts/button.tsx'
import { TextChanges } from '../parts/text-changes.tsx'
import { ask } from '../store/bridge.ts'
import { editTexts } from '../store/edit-texts.ts'
import { errorText } from '../store/error-text.ts'
import { countText } from '../text/figures.ts'
import { wantTexts } from '../text/start-texts.ts'
import { finishedRules } from './rule-draft.ts'

type Tried = PageResponse<'jobs.tryRules'>

const MOST_PICTURES = 2000
const MAX_SHOWN = 5

interface Outcome {
  /** The rules that were tried, to compare. */
  of: string
  tried: Tried | null
  failure: string | null
}

/** What the rules would change in texts that are there; and they do when a person says so, with a single undo. */
export function RuleTrial({ rules }: { rules: readonly WordRule[] }) {
  const { t } = useTranslation('recipe')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isBusy, setBusy] = useState(false)
  const finished = finishedRules(rules)
  const key = JSON.stringify(finished)
  const run = (work: () => Promise<void>) =>
    inBackground('rule-trial.run', async () => {
      setBusy(true)
      await work()
        .then(async () => setOutcome({ of: key, ...(await tryOn(finished)) }))
        .finally(() => setBusy(false))
    })
  return (
    <div className="rule-trial">
      <div className="rules-buttons">
        <Button disabled={isBusy || finished.length === 0} onClick={() => run(() => wantTexts('edits'))}>
          {t('rules.try')}
        </Button>
      </div>
      <div className="field-hint">{t('rules.tryHint')}</div>
      {outcome?.of === key ? (
        <Result {...outcome} isBusy={isBusy} onApply={(changes) => run(() => apply(changes))} />
      ) : null}
    </div>
  )
}

type Changes = Tried['found']

/** Shown once the texts about edits are loaded. */
function Result(given: Omit<Outcome, 'of'> & { isBusy: boolean; onApply: (changes: Changes) => void }) {
  const { tried, failure, isBusy, onApply } = given
  const { t, i18n } = useTranslation(['edits', 'recipe'])
  const changes = tried?.found ?? []
  const figure = (count: number) => countText(count, i18n.language)
  const counts =
    tried === null || tried.texts === 0
      ? [t('recipe:rules.noTexts')]
      : [
          t('found', { count: changes.length, figure: figure(changes.length) }),
          ...(tried.flagged.length === 0 ? [] : [t('recipe:rules.flagged', { figure: figure(tried.flagged.length) })]),
          ...(tried.persons === 0 ? [] : [t('recipe:rules.persons', { figure: figure(tried.persons) })]),
        ]
  return (
    <>
      <p role="status" className="caption">
        {failure ?? counts.join(' · ')}
      </p>
      {changes.length === 0 ? null : (
        <>
          <TextChanges
            list={changes.map(({ before, after, ...text }) => ({ ...text, changes: [{ before, after }] }))}
            most={MAX_SHOWN}
          />
          <div className="rules-buttons">
            <Button disabled={isBusy} onClick={() => onApply(changes)}>
              {t('import.run', { count: changes.length, figure: figure(changes.length) })}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

async function tryOn(rules: WordRule[]): Promise<Omit<Outcome, 'of'>> {
  const index = await ask('jobs.index', { filter: {} })
  const ids = index.ok ? index.value.sections.flatMap((section) => section.ids).slice(0, MOST_PICTURES) : []
  const answer = index.ok ? await ask('jobs.tryRules', { ids, rules }) : index
  return answer.ok ? { tried: answer.value, failure: null } : { tried: null, failure: errorText(answer.error) }
}

async function apply(changes: Changes): Promise<void> {
  const edits = changes.map(({ id, languageCode, before, after }) => ({
    id,
    languageCode,
    altText: { seen: before, to: after },
    seoFilename: null,
    byRule: true,
  }))
  await editTexts(edits, () => undefined)
}
